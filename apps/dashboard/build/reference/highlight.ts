import { escapeHtml } from "./html.ts";

/** Marks around what the page's script fills in: the reader's key, and the address of the page. */
export const marks = { keyStart: "\uE000", keyEnd: "\uE001", address: "\uE002" } as const;
/** Shown where no script fills in the page's own address. */
export const exampleAddress = "https://assay.example.com";

const keywords = ["import", "from", "use", "const", "await", "new", "var", "if", "return", "nil", "null", "true", "false", "True", "False", "None", "curl"];
const token = new RegExp(
  [String.raw`(?<comment>(?<=^|\s)(?:#|//)\s.*$)`, String.raw`(?<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`, String.raw`(?<word>\b(?:${keywords.join("|")})\b)`, String.raw`(?<number>\b\d+(?:\.\d+)?\b)`].join("|"),
  "gm",
);
const jsonToken = /(?<name>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<text>"(?:[^"\\]|\\.)*")|(?<word>\b(?:true|false|null)\b)|(?<number>-?\b\d+(?:\.\d+)?\b)/g;
/** Names of fields keep the colour of the text: they are most of a body, and each span costs. */
const classes: Readonly<Record<string, string>> = { comment: "c", text: "s", word: "w", number: "n" };

function colour(code: string, pattern: RegExp): string {
  let html = "";
  let end = 0;
  for (const found of code.matchAll(pattern)) {
    const [kind] = Object.entries(found.groups ?? {}).find(([, part]) => part !== undefined) ?? ["text"];
    const className = classes[kind];
    html += escapeHtml(code.slice(end, found.index));
    html += className === undefined ? escapeHtml(found[0]) : `<i class="${className}">${escapeHtml(found[0])}</i>`;
    end = found.index + found[0].length;
  }
  return html + escapeHtml(code.slice(end));
}

/** In a shell the key stands inside of quotation marks already; elsewhere it replaces an expression. */
const fillIn = (html: string, isShell: boolean): string =>
  html
    .replaceAll(marks.keyStart, isShell ? '<b class="key">' : '<b class="key" data-quoted>')
    .replaceAll(marks.keyEnd, "</b>")
    .replaceAll(marks.address, `<b class="address">${exampleAddress}</b>`);

export const highlightCode = (code: string, language: string): string => fillIn(colour(code, token), language === "curl");
export const highlightJson = (value: unknown): string => colour(JSON.stringify(value, null, 2), jsonToken);
