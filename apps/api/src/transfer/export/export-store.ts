import { createLineWriter, type ExportHeader, formatVersion, rowText } from "./export-format.ts";
import { movedTables } from "./moved-tables.ts";
import type { TableSource } from "./read-tables.ts";

export type ExportReport = { tables: number; rows: number; bytes: number; sha256: string };

/** Writes a snapshot of every table that moves, with memory for one page of rows. */
export async function exportStore(
  source: TableSource,
  header: Omit<ExportHeader, "assay_export" | "migrations">,
  write: (text: string) => Promise<void>,
): Promise<ExportReport> {
  const writer = createLineWriter(write);
  await writer.write([JSON.stringify({ assay_export: formatVersion, ...header, migrations: source.migrations } satisfies ExportHeader)]);
  const rows: Record<string, number> = {};
  for (const table of movedTables) {
    const columns = await source.columnsOf(table.name);
    await writer.write([JSON.stringify({ table: table.name, columns })]);
    let count = 0;
    for await (const page of source.pagesOf(table, columns)) {
      await writer.write(page.map(rowText));
      count += page.length;
    }
    rows[table.name] = count;
  }
  const { sha256, bytes } = await writer.end(rows);
  return { tables: movedTables.length, rows: Object.values(rows).reduce((sum, each) => sum + each, 0), bytes, sha256 };
}
