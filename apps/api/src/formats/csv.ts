/** CSV injection: a spreadsheet runs such a cell as a formula, so it gets a leading apostrophe. */
const formulaPattern = /^[=+\-@\t\r]/;
const numberPattern = /^-?\d+(\.\d+)?$/;

function toCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = formulaPattern.test(text) && !numberPattern.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180: CRLF after every line, quotes where needed. */
export function toCsv(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}
