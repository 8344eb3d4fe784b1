import { once } from "node:events";

const gapBetweenColumns = "  ";
const numberPattern = /^-?[\d.,]+%?$/;

/** Waits while the reader of standard output is slower than we are, so that a long list needs little memory. */
export async function writeOut(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

export const printJson = (document: unknown): Promise<void> => writeOut(`${JSON.stringify(document)}\n`);

export const printLines = (lines: readonly string[]): Promise<void> => writeOut(lines.map((line) => `${line}\n`).join(""));

/** One JSON array, an item a line, without ever holding all of it. */
export async function printJsonList(pages: AsyncIterable<readonly unknown[]>): Promise<void> {
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    await writeOut(`${isEmpty ? "[" : ","}\n${page.map((item) => JSON.stringify(item)).join(",\n")}`);
    isEmpty = false;
  }
  await writeOut(isEmpty ? "[]\n" : "\n]\n");
}

/** Columns of numbers are flush right, all others flush left. */
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

/** Names on the left, values on the right. */
export function pairLines(pairs: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs).map(([name, value]) => `${name.padEnd(width)}${gapBetweenColumns}${value}`.trimEnd());
}

export const isoTime = (atMs: number): string => new Date(atMs).toISOString();

export const isoTimeOrNull = (atMs: number | null): string | null => (atMs === null ? null : isoTime(atMs));

/** To the minute, in UTC: what fits into a table. */
export const shortTime = (atMs: number | null): string => (atMs === null ? "never" : `${isoTime(atMs).slice(0, 16)}Z`);

const countOf = (count: number, noun: string, plural: string): string => `${count} ${count === 1 ? noun : plural}`;

/** How much there is of a ledger, in words. */
export const ledgerSize = ({ entries, accounts }: { entries: number; accounts: number }): string =>
  `${countOf(entries, "entry", "entries")} of ${countOf(accounts, "account", "accounts")}`;
