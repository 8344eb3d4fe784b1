import { Marked, type Tokens } from "marked";

const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const idOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");

/** A place on the page, a path of this project, or a page on the web. Anything else would be a mistake in a document. */
function checkAddress(address: string): string {
  if (!/^(?:#|https?:\/\/|(?!\/\/)[\w./-]+(?:#.*)?$)/.test(address)) throw new Error(`the document refers to ${address}`);
  return escapeHtml(address);
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    /** HTML is shown, not used; comments are left out. */
    html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? "" : escapeHtml(text)),
    code: ({ text }) => `<pre><code>${escapeHtml(text)}</code></pre>\n`,
    image: ({ href, text }) => `<img src="${checkAddress(href)}" alt="${escapeHtml(text)}" loading="lazy" />`,
    link({ href, tokens }) {
      return `<a href="${checkAddress(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
    table({ header, rows }) {
      const cells = (row: Tokens.TableCell[], name: string) => row.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name.split(" ")[0]}>`).join("");
      const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
      const table = `<table><thead><tr>${cells(header, 'th scope="col"')}</tr></thead><tbody>${body}</tbody></table>`;
      // A wide table scrolls inside its box, which is focusable for keyboards.
      return `<div class="wide" tabindex="0" role="region" aria-label="${escapeHtml(header.map(({ text }) => text).join(", "))}">${table}</div>\n`;
    },
  },
});

export const renderMarkdown = (markdown: string): string => marked.parse(markdown, { async: false }).trimEnd();
