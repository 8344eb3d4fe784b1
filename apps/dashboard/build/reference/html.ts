export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** In descriptions, names of fields and headers are not always marked as code. */
const nakedName = /(?<![\w./-])(?:[a-z]+(?:_[a-z]+)+|Assay-[A-Z][A-Za-z-]+|Idempotency-Key|Retry-After)(?![\w-])/g;

/** Text of the document, in which backquotes mark code. */
export const inlineText = (text: string): string =>
  escapeHtml(text)
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${part}</code>` : part.replaceAll(nakedName, "<code>$&</code>")))
    .join("");

export const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** A link to the element itself, for readers who want to share it. */
export const anchorOf = (id: string, what: string): string => `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(what)}">#</a>`;
