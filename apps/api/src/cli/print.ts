import { once } from "node:events";
import { isoTime } from "../formats/time.ts";

const gapBetweenColumns = "  ";
const numberPattern = /^-?[\d.,]+%?$/;
const rowsPerPage = 500;
const redrawMs = 100;
const barCells = 30;

/** Applies backpressure from standard output, so that a long list needs little memory. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

export const printJson = (document: unknown): Promise<void> => writeOut(`${JSON.stringify(document)}\n`);

export const printLines = (lines: readonly string[]): Promise<void> => writeOut(lines.map((line) => `${line}\n`).join(""));

/** Prints one JSON array, one item per line, without holding all of it in memory. */
export async function printJsonList<Row>(pages: AsyncIterable<readonly Row[]>, describe: (row: Row) => unknown): Promise<void> {
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    await writeOut(`${isEmpty ? "[" : ","}\n${page.map((row) => JSON.stringify(describe(row))).join(",\n")}`);
    isEmpty = false;
  }
  await writeOut(isEmpty ? "[]\n" : "\n]\n");
}

/** Columns of numbers are right-aligned, all others left-aligned. */
export function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const columns = header.map((title, index) => {
    const cells = rows.map((row) => row[index] ?? "");
    const isNumeric = cells.length > 0 && cells.every((cell) => cell === "" || numberPattern.test(cell));
    return { isNumeric, width: Math.max(title.length, ...cells.map((cell) => cell.length)) };
  });
  return [header, ...rows].map((row) =>
    columns
      .map(({ isNumeric, width }, index) => (isNumeric ? (row[index] ?? "").padStart(width) : (row[index] ?? "").padEnd(width)))
      .join(gapBetweenColumns)
      .trimEnd(),
  );
}

async function* readPages<Row extends { id: string }>(readPage: (page: { afterId: string; limit: number }) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let afterId = ""; ; ) {
    const rows = await readPage({ afterId, limit: rowsPerPage });
    yield rows;
    if (rows.length < rowsPerPage) return;
    afterId = rows.at(-1)!.id;
  }
}

/** Prints all rows of a table, read page by page: as a JSON array, or as lines with one header. */
export async function printRows<Row extends { id: string }>(
  readPage: (page: { afterId: string; limit: number }) => Promise<Row[]>,
  format: { json: boolean; describe: (row: Row) => unknown; header: readonly string[]; cellsOf: (row: Row) => string[] },
): Promise<void> {
  if (format.json) return printJsonList(readPages(readPage), format.describe);
  let hasHeader = false;
  for await (const page of readPages(readPage)) {
    await printLines(tableLines(format.header, page.map(format.cellsOf)).slice(hasHeader ? 1 : 0));
    hasHeader = true;
  }
}

/** Names on the left, values on the right. */
export function pairLines(pairs: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).map(([name, value]) => `${name.padEnd(width)}${gapBetweenColumns}${value}`.trimEnd());
}

/** UTC, to the minute: short enough for a table. */
export const shortTime = (atMs: number | null): string => (atMs === null ? "never" : `${isoTime(atMs).slice(0, 16)}Z`);

export const countOf = (count: number, noun: string, plural: string): string => `${count} ${count === 1 ? noun : plural}`;

export const ledgerSize = ({ entries, accounts }: { entries: number; accounts: number }): string =>
  `${countOf(entries, "entry", "entries")} of ${countOf(accounts, "account", "accounts")}`;

export type Progress = { add(amount: number): void; end(): void };

/** A progress bar on standard error when it is a terminal; nothing otherwise. */
export function showProgress(total: number): Progress {
  if (!process.stderr.isTTY || total === 0) return { add: () => {}, end: () => {} };
  let done = 0;
  let drawnMs = -Infinity;
  return {
    add(amount) {
      done += amount;
      if (performance.now() - drawnMs < redrawMs) return;
      drawnMs = performance.now();
      const share = Math.min(1, done / total);
      const filled = Math.round(share * barCells);
      process.stderr.write(`\r[${"█".repeat(filled)}${"·".repeat(barCells - filled)}] ${Math.floor(share * 100)}%`);
    },
    /** Clears the bar. */
    end: () => void process.stderr.write(`\r${" ".repeat(barCells + 8)}\r`),
  };
}
