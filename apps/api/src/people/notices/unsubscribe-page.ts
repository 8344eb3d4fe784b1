import { type Topic, topicTexts } from "@assay/contract/dashboard/notice-topics.ts";
import { escapeHtml } from "../../mail/lay-out-mail.ts";

/** The pages that a mail's link leads to: HTML without scripts, with a light and a dark theme. They name no address. */

const style = `
:root{color-scheme:light dark;--text:#1c2430;--quiet:#5a6473;--page:#f4f5f7;--card:#fff;--line:#dfe3e8;--accent:#1f5fbf;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--text:#e8ebf0;--quiet:#a5aebb;--page:#14181e;--card:#1d232b;--line:#333c48;--accent:#7fb0ff;--on-accent:#10151c}}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:560px;margin:48px auto;padding:32px;background:var(--card);border:1px solid var(--line);border-radius:8px}
@media (max-width:600px){main{margin:16px;padding:24px 16px}}
.brand{margin:0 0 24px;font-size:18px;font-weight:700;letter-spacing:.02em;color:var(--accent)}
h1{font-size:22px;line-height:1.3;margin:0 0 12px}p{margin:0 0 16px}p:last-child{margin:0}.quiet{color:var(--quiet);font-size:14px}
button{font:inherit;font-weight:600;padding:12px 24px;color:var(--on-accent);background:var(--accent);border:1px solid var(--accent);border-radius:6px;cursor:pointer}
form{margin:0 0 24px}a{color:var(--accent)}a:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`;

const page = (title: string, body: string, nonce: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style></head><body><main><p class="brand">Assay</p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>
`;

const namesOf = (topics: readonly Topic[]): string => {
  const names = topics.map((topic) => topicTexts[topic].title.toLowerCase());
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
};

const settingsLink = `<a href="/dashboard/settings?part=notices">Settings</a>`;

/** See told-by.ts. */
const stillMailed = "Statements, and emails about holds, reversed calls, findings and changed payout details, still come.";

/** Opening it changes nothing: mail scanners open every link. */
export function askPage({ topics, token }: { topics: readonly Topic[]; token: string }, nonce: string): string {
  const names = namesOf(topics);
  const action = escapeHtml(`/unsubscribe?token=${encodeURIComponent(token)}`);
  const form = `<form method="post" action="${action}"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button type="submit">Unsubscribe</button></form>`;
  const about = `<p>After that, you get no more notices about ${names}. ${stillMailed}</p>`;
  return page(`Stop notices about ${names}?`, `${about}${form}<p class="quiet">To choose in detail, sign in and open ${settingsLink}.</p>`, nonce);
}

export function donePage(topics: readonly Topic[], nonce: string): string {
  const body = `<p>You get no more notices about ${namesOf(topics)}. ${stillMailed}</p><p class="quiet">You can turn them on again in the dashboard: ${settingsLink}.</p>`;
  return page("You are unsubscribed", body, nonce);
}

export function brokenLinkPage(nonce: string): string {
  const body = `<p>Perhaps a part of it was lost. Open it again from the email, or choose what is mailed to you in the dashboard: ${settingsLink}.</p>`;
  return page("This link does not work", body, nonce);
}
