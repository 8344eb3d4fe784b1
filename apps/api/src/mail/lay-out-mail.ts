/**
 * The layout of every mail. Many mail clients support only tables and inline styles, so it uses nothing else: no image,
 * no web font, no script. The colours keep enough contrast when a client inverts them for dark mode.
 */
export type MailContent = {
  subject: string;
  /** Shown by mail clients next to the subject. */
  preview: string;
  heading: string;
  paragraphs: readonly string[];
  lists?: readonly { heading: string; lines: readonly string[] }[];
  button?: { label: string; url: string };
  /** Small print below the horizontal line. */
  footnote: string;
  /** Below the small print. */
  links?: readonly { label: string; url: string }[];
};

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);

const font = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Helvetica,Arial,sans-serif";
const colours = { page: "#f4f5f7", card: "#ffffff", text: "#1c2430", quiet: "#5a6473", accent: "#1f5fbf", line: "#dfe3e8" };

const paragraphHtml = (text: string): string =>
  `<p style="margin:0 0 16px;${font};font-size:16px;line-height:24px;overflow-wrap:anywhere;color:${colours.text}">${escapeHtml(text)}</p>`;

const listHtml = ({ heading, lines }: { heading: string; lines: readonly string[] }): string =>
  `<h2 style="margin:8px 0 4px;${font};font-size:16px;line-height:24px;font-weight:600;color:${colours.text}">${escapeHtml(heading)}</h2>
<ul style="margin:0 0 16px;padding:0 0 0 20px;${font};font-size:16px;line-height:24px;overflow-wrap:anywhere;color:${colours.text}">
${lines.map((line) => `<li style="margin:0 0 4px">${escapeHtml(line)}</li>`).join("\n")}
</ul>`;

const linkHtml = ({ label, url }: { label: string; url: string }): string =>
  `<p style="margin:4px 0 0;${font};font-size:13px;line-height:20px"><a href="${escapeHtml(url)}" style="color:${colours.accent}">${escapeHtml(label)}</a></p>`;

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url);
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px"><tr>
<td style="border-radius:6px;background-color:${colours.accent}"><a href="${address}" style="display:inline-block;padding:12px 24px;${font};font-size:16px;font-weight:600;line-height:20px;color:#ffffff;text-decoration:none;border-radius:6px;border:1px solid ${colours.accent}">${escapeHtml(label)}</a></td>
</tr></table>
<p style="margin:0 0 16px;${font};font-size:13px;line-height:20px;color:${colours.quiet}">If the button does not work, open this link:<br><a href="${address}" style="color:${colours.accent};word-break:break-all">${address}</a></p>`;
}

function layOutHtml(content: MailContent): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title></head>
<body style="margin:0;padding:0;background-color:${colours.page}">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(content.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color:${colours.page}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background-color:${colours.card};border:1px solid ${colours.line};border-radius:8px"><tr><td style="padding:32px">
<p style="margin:0 0 24px;${font};font-size:18px;font-weight:700;letter-spacing:0.02em;color:${colours.accent}">Assay</p>
<h1 style="margin:0 0 16px;${font};font-size:22px;line-height:28px;font-weight:600;color:${colours.text}">${escapeHtml(content.heading)}</h1>
${content.paragraphs.map(paragraphHtml).join("\n")}
${(content.lists ?? []).map(listHtml).join("\n")}
${content.button ? buttonHtml(content.button) : ""}
<p style="margin:8px 0 0;padding-top:16px;border-top:1px solid ${colours.line};${font};font-size:13px;line-height:20px;color:${colours.quiet}">${escapeHtml(content.footnote)}</p>
${(content.links ?? []).map(linkHtml).join("\n")}
</td></tr></table>
</td></tr></table>
</body></html>
`;
}

function layOutText(content: MailContent): string {
  const link = content.button ? [`${content.button.label}:\n${content.button.url}`] : [];
  const lists = (content.lists ?? []).map(({ heading, lines }) => [heading, ...lines.map((line) => `- ${line}`)].join("\n"));
  const links = (content.links ?? []).map(({ label, url }) => `\n${label}:\n${url}`);
  return `${[content.heading, ...content.paragraphs, ...lists, ...link, `-- \n${[content.footnote, ...links].join("\n")}`].join("\n\n")}\n`;
}

/** The same message as HTML and as plain text. */
export const layOutMail = (content: MailContent): { subject: string; text: string; html: string } => ({
  subject: content.subject,
  text: layOutText(content),
  html: layOutHtml(content),
});
