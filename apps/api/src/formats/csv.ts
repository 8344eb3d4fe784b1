/** CSV injection: a spreadsheet runs such a cell as a formula, so it gets a leading apostrophe. */
const formulaPattern = /^[=+\-@\t\r]/;
const numberPattern = /^-?\d+(\.\d+)?$/;

function toCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = formulaPattern.test(text) && !numberPattern.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

type Row = readonly (string | number | null)[];

/** RFC 4180: CRLF after every line, quotes where needed. */
export const toCsvLines = (rows: readonly Row[]): string => rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");

export const toCsv = (header: readonly string[], rows: readonly Row[]): string => toCsvLines([header, ...rows]);
