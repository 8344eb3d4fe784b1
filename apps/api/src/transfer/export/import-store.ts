import { fingerprintOf } from "../backup/store-files.ts";
import { BadStream, type ExportEnd, type ExportHeader, formatVersion, type Line, readLines, type TableHeader } from "./export-format.ts";
import { movedTables } from "./moved-tables.ts";

/** Bounds of one INSERT. */
const rowsPerInsertMax = 500;
const charactersPerInsertMax = 1024 * 1024;

/** A database that is being filled. Nothing is visible to others before `commit`. */
export type TableTarget = {
  migrations: string[];
  columnsOf(table: string): Promise<string[]>;
  countRows(table: string): Promise<number>;
  clear(table: string): Promise<void>;
  /** `rows`: lines of the stream. */
  insert(table: string, columns: readonly string[], rows: readonly string[]): Promise<void>;
  /** Recomputes every chain, balance and hourly rollup. */
  verify(): Promise<{ entries: number; accounts: number; problems: string[] }>;
  commit(): Promise<void>;
  /** Rolls back whatever was not committed. */
  close(): Promise<void>;
};

export type ImportOutcome =
  | { kind: "imported"; tables: number; rows: number; entries: number; accounts: number }
  | { kind: BadStream["kind"] }
  /** Made by a version with other tables. */
  | { kind: "other_version"; version: string }
  | { kind: "secret_differs" }
  | { kind: "not_empty"; table: string }
  /** The database rejects a row, or does not contain all rows that were sent. */
  | { kind: "unfit"; table: string; problem: string }
  | { kind: "broken"; problems: string[] };

type Refused = Exclude<ImportOutcome, { kind: "imported" }>;

/** Aborts an import from any depth. */
class ImportRefused extends Error {
  readonly outcome: Refused;
  constructor(outcome: Refused) {
    super(outcome.kind);
    this.name = "ImportRefused";
    this.outcome = outcome;
  }
}

const refuse = (outcome: Refused): never => {
  throw new ImportRefused(outcome);
};

const isSameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((each, index) => each === b[index]);

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && new Set([...a, ...b]).size === a.length;

function checkHeader(header: ExportHeader, target: TableTarget, secretKeys: readonly string[]): void {
  if (header.assay_export !== formatVersion || !isSameList(header.migrations, target.migrations)) {
    refuse({ kind: "other_version", version: header.version });
  }
  const isSecret = header.fingerprint === null || secretKeys.some((secretKey) => fingerprintOf(secretKey) === header.fingerprint);
  if (!isSecret) refuse({ kind: "secret_differs" });
}

async function checkEmpty(target: TableTarget): Promise<void> {
  for (const { name, isSeeded } of movedTables) {
    if (!isSeeded && (await target.countRows(name)) > 0) refuse({ kind: "not_empty", table: name });
  }
  for (const { name } of movedTables.filter(({ isSeeded }) => isSeeded)) await target.clear(name);
}

/** Collects rows and inserts them in batches. */
function createRowBuffer(target: TableTarget) {
  const counts: Record<string, number> = {};
  let current: TableHeader | undefined;
  let gathered: string[] = [];
  let characters = 0;

  async function flush(): Promise<void> {
    if (!current || gathered.length === 0) return;
    const { table, columns } = current;
    await target.insert(table, columns, gathered).catch((error: Error) => refuse({ kind: "unfit", table, problem: error.message }));
    counts[table] = counts[table]! + gathered.length;
    gathered = [];
    characters = 0;
  }

  return {
    counts,
    flush,
    /** Tables must arrive in the order of `movedTables`, each once, with the columns that they have here. */
    async begin(header: TableHeader): Promise<void> {
      await flush();
      const due = movedTables[Object.keys(counts).length];
      const columns = await target.columnsOf(header.table).catch(() => []);
      if (header.table !== due?.name || !isSameSet(columns, header.columns)) {
        refuse({ kind: "unfit", table: header.table, problem: "its columns or its position in the stream differ from this version's" });
      }
      current = header;
      counts[header.table] = 0;
    },
    async add(row: string): Promise<void> {
      if (!current) throw new BadStream("not_an_export");
      gathered.push(row);
      characters += row.length;
      if (gathered.length >= rowsPerInsertMax || characters >= charactersPerInsertMax) await flush();
    },
  };
}

/** The numbers of rows sent, inserted and found must be equal. */
async function checkCounts(target: TableTarget, end: ExportEnd, counts: Record<string, number>): Promise<void> {
  for (const { name } of movedTables) {
    const found = await target.countRows(name);
    if (end.rows[name] === counts[name] && counts[name] === found) continue;
    refuse({ kind: "unfit", table: name, problem: `${end.rows[name]} rows were sent and ${found} were found` });
  }
}

async function fill(lines: AsyncIterable<Line>, target: TableTarget, secretKeys: readonly string[]): Promise<Record<string, number>> {
  const buffer = createRowBuffer(target);
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst !== (line.kind === "header")) throw new BadStream("not_an_export");
    isFirst = false;
    switch (line.kind) {
      case "header":
        checkHeader(line.header, target, secretKeys);
        await checkEmpty(target);
        break;
      case "table":
        await buffer.begin(line.table);
        break;
      case "row":
        await buffer.add(line.text);
        break;
      case "end":
        await buffer.flush();
        await checkCounts(target, line.end, buffer.counts);
        break;
    }
  }
  return buffer.counts;
}

/** Fills an empty store from a stream: everything, verified, or nothing. Needs memory for a few hundred rows. Always closes the target. */
export async function importStore(chunks: AsyncIterable<Uint8Array>, target: TableTarget, secretKeys: readonly string[]): Promise<ImportOutcome> {
  try {
    const counts = await fill(readLines(chunks), target, secretKeys);
    const { entries, accounts, problems } = await target.verify();
    if (problems.length > 0) return { kind: "broken", problems };
    await target.commit();
    const rows = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return { kind: "imported", tables: movedTables.length, rows, entries, accounts };
  } catch (error) {
    if (error instanceof BadStream) return { kind: error.kind };
    if (error instanceof ImportRefused) return error.outcome;
    throw error;
  } finally {
    await target.close();
  }
}
