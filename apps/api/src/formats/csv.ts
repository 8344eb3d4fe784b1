/** A cell that begins like a formula would be run by a spreadsheet: such a text gets an apostrophe in front. */
const beginsLikeAFormula = /^[=+\-@\t\r]/;
const isNumber = /^-?\d+(\.\d+)?$/;

function toCell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  const safe = beginsLikeAFormula.test(text) && !isNumber.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180: CRLF after every line, quotes where needed. */
export function toCsv(header: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}
