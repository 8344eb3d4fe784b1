import { escapeHtml } from "./lay-out-mail.ts";

/** The pages of the local mailbox: HTML without scripts, with a light and a dark theme. */

export type ListedMail = { id: string; recipient: string; subject: string; created_at: number };
export type ShownMail = ListedMail & { body_text: string };

const style = `
:root{color-scheme:light dark;--text:#1c2430;--quiet:#5a6473;--page:#f4f5f7;--card:#fff;--line:#dfe3e8;--accent:#1f5fbf}
@media (prefers-color-scheme:dark){:root{--text:#e8ebf0;--quiet:#a5aebb;--page:#14181e;--card:#1d232b;--line:#333c48;--accent:#7fb0ff}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:760px;margin:0 auto;padding:24px 16px 64px}h1{font-size:22px;margin:0 0 4px}p.quiet{color:var(--quiet);margin:0 0 24px}
a{color:var(--accent)}a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
ul{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:8px}li+li{border-top:1px solid var(--line)}
li a{display:block;padding:12px 16px;color:inherit;text-decoration:none}li a:hover{background:color-mix(in srgb,var(--accent) 8%,transparent)}li strong{display:block}
li span,dd,dt{color:var(--quiet);font-size:14px;overflow-wrap:anywhere}dl{display:grid;grid-template-columns:max-content 1fr;gap:2px 12px;margin:12px 0 24px}dd{margin:0}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px;font:14px/1.6 ui-monospace,monospace}
iframe{width:100%;height:640px;border:1px solid var(--line);border-radius:8px;background:#fff}.empty{padding:32px 16px;text-align:center;color:var(--quiet)}`;

const page = (title: string, body: string, nonce: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style></head><body><main>${body}</main></body></html>
`;

const timeOf = (atMs: number): string => {
  const text = new Date(atMs).toISOString();
  return `<time datetime="${text}">${text.slice(0, 16).replace("T", " ")} UTC</time>`;
};

export function mailboxPage(mails: readonly ListedMail[], nonce: string): string {
  const rows = mails.map(
    (mail) =>
      `<li><a href="/dashboard/mailbox/${encodeURIComponent(mail.id)}"><strong>${escapeHtml(mail.subject)}</strong><span>to ${escapeHtml(mail.recipient)} · ${timeOf(mail.created_at)}</span></a></li>`,
  );
  const list = rows.length > 0 ? `<ul>${rows.join("")}</ul>` : `<ul><li class="empty">No emails yet. Sign up, and the verification email appears here.</li></ul>`;
  const about = `<p class="quiet">No mail server is configured, so emails are shown here, only to browsers on this machine that were opened with the printed link. Set SMTP_URL and MAIL_FROM to send them.</p>`;
  return page("Mailbox", `<h1>Mailbox</h1>${about}${list}<p><a href="/dashboard/">Go to the dashboard</a></p>`, nonce);
}

/** For a browser without the token. It names no folder: whoever reads it may have come through a proxy. */
export function lockedPage(nonce: string): string {
  const where = `<p>Assay printed a link when it started, in the line "Mailbox". Open that link once: it carries a token, and this browser remembers it.</p>`;
  const lost = `<p class="quiet">Start the service again to see the link again. The token is also in the file <code>local-token</code> in <code>DATA_DIR</code>: the link is this address with <code>?token=</code> and the token.</p>`;
  return page("Mailbox", `<h1>This mailbox needs its link</h1>${where}${lost}<p><a href="/dashboard/">Go to the dashboard</a></p>`, nonce);
}

/** Turns URLs into links and escapes everything else. */
function linkUrls(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 === 1 ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)))
    .join("");
}

export function mailPage(mail: ShownMail, nonce: string): string {
  const head = `<dl><dt>To</dt><dd>${escapeHtml(mail.recipient)}</dd><dt>Sent</dt><dd>${timeOf(mail.created_at)}</dd></dl>`;
  const frame = `<iframe title="HTML version" sandbox="allow-popups allow-top-navigation-by-user-activation" src="/dashboard/mailbox/${encodeURIComponent(mail.id)}/html"></iframe>`;
  const body = `<p><a href="/dashboard/mailbox">All emails</a></p><h1>${escapeHtml(mail.subject)}</h1>${head}${frame}<h2>Plain text</h2><pre>${linkUrls(mail.body_text)}</pre>`;
  return page(mail.subject, body, nonce);
}

/** Links in the mail open in the whole window, not inside the iframe. */
export const framedMail = (html: string): string => html.replace("<head>", '<head><base target="_top">');
