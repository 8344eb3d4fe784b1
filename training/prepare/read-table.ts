import { Faults, InputFault } from "./input-fault.ts";

export type InputFile = { name: string; bytes: Buffer };

/** A line of a table, by column. */
export type Row = { line: number; cells: ReadonlyMap<string, string> };

export type TableForm = {
  /** What the file is, for errors: "the library's session features". */
  what: string;
  columns: readonly string[];
};

/** The larger original has 15 MB; anything much larger is another file of the record. */
export const inputBytesMax = 128 * 1024 * 1024;
const shownCharactersMax = 80;

/** Reads a comma-separated file whose header must be exactly the form's columns, in any order. */
export function readTable({ name, bytes }: InputFile, form: TableForm): Row[] {
  assertIsText({ name, bytes }, form);
  const lines = bytes.toString("utf8").replace(/^\uFEFF/, "").split(/\r?\n/);
  const header = splitLine(lines[0] ?? "", `${name}:1`);
  assertHeader(header, { name, line: lines[0] ?? "" }, form);
  const faults = new Faults();
  const rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === "") continue;
    const cells = splitLine(line, `${name}:${index + 1}`);
    if (cells.length === header.length) {
      rows.push({ line: index + 1, cells: new Map(header.map((column, at) => [column, cells[at] as string])) });
    } else {
      faults.add(`${name}:${index + 1}: ${cells.length} cells, expected ${header.length}`);
    }
  }
  faults.throwIfAny();
  if (rows.length === 0) throw new InputFault(`${name} has a header and no sessions; expected ${form.what}`);
  return rows;
}

function assertIsText({ name, bytes }: InputFile, { what }: TableForm): void {
  if (bytes.length === 0) throw new InputFault(`${name} is empty; expected ${what}`);
  if (bytes.length > inputBytesMax) {
    throw new InputFault(`${name} has ${bytes.length} bytes, more than the ${inputBytesMax} that are read; expected ${what}`);
  }
  const start = bytes.subarray(0, 4).toString("latin1");
  if (start === "PK\u0003\u0004") throw new InputFault(`${name} is a ZIP archive; unpack it, and give the CSV file in it`);
  if (bytes.includes(0)) throw new InputFault(`${name} is not a text file in UTF-8; expected ${what}`);
  if (start.startsWith("{")) throw new InputFault(`${name} is JSON, such as the raw log; expected ${what}, as CSV`);
}

function assertHeader(header: readonly string[], given: { name: string; line: string }, { what, columns }: TableForm): void {
  const shown = given.line.length > shownCharactersMax ? `${given.line.slice(0, shownCharactersMax)}…` : given.line;
  const refuse = (reason: string) => new InputFault(`${given.name}:1: ${reason}; expected ${what}, got: ${shown}`);
  if (header.length === 1 && given.line.includes(";")) throw refuse("the cells are separated by semicolons, not commas");
  const absent = columns.filter((column) => !header.includes(column));
  if (absent.length > 0) throw refuse(`no column ${absent.join(", ")}`);
  const repeated = header.filter((column, index) => header.indexOf(column) !== index);
  if (repeated.length > 0) throw refuse(`the column ${repeated.join(", ")} occurs more than once`);
  const unknown = header.filter((column) => !columns.includes(column));
  if (unknown.length > 0) throw refuse(`unknown column ${unknown.map((column) => column || "without a name").join(", ")}`);
}

/** Cells may be quoted, as spreadsheets do when they save a copy; a line break inside a cell is not supported. */
function splitLine(line: string, position: string): string[] {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
  for (;;) {
    const found = cell.exec(line);
    if (found === null) throw new InputFault(`${position}: a quotation mark is not closed, or is inside a cell`);
    cells.push(found[1]?.replaceAll('""', '"') ?? (found[2] as string));
    if (found[3] === "") return cells;
  }
}
