import { fingerprintOf } from "../backup/secret-fingerprint.ts";
import { BadStream, type ExportEnd, type ExportHeader, formatVersion, type Line, readLines, type TableHeader } from "./export-format.ts";
import type { TableTarget } from "./fill-tables.ts";
import { movedTables } from "./moved-tables.ts";

/** Rows that are handed to the database together. */
const rowsAtOnceMax = 500;
const charactersAtOnceMax = 1024 * 1024;

export type ImportOutcome =
  | { kind: "imported"; tables: number; rows: number; entries: number; accounts: number }
  | { kind: BadStream["kind"] }
  /** Made by another version, whose tables are others. */
  | { kind: "other_version"; version: string }
  | { kind: "secret_differs" }
  | { kind: "not_empty"; table: string }
  /** The database does not take a row, or has not got what it was given. */
  | { kind: "unfit"; table: string; problem: string }
  | { kind: "broken"; problems: string[] };

type Refused = Exclude<ImportOutcome, { kind: "imported" }>;

/** Ends an import from wherever it is. */
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

function checkHeader(header: ExportHeader, target: TableTarget, secretKey: string | undefined): void {
  if (header.assay_export !== formatVersion || !isSameList(header.migrations, target.migrations)) {
    refuse({ kind: "other_version", version: header.version });
  }
  const isSecret = header.fingerprint === null || (secretKey !== undefined && fingerprintOf(secretKey) === header.fingerprint);
  if (!isSecret) refuse({ kind: "secret_differs" });
}

async function checkEmpty(target: TableTarget): Promise<void> {
  for (const { name, isSeeded } of movedTables) {
    if (!isSeeded && (await target.countRows(name)) > 0) refuse({ kind: "not_empty", table: name });
  }
  for (const { name } of movedTables.filter(({ isSeeded }) => isSeeded)) await target.clear(name);
}

/** Gathers rows and hands them over a few at a time. */
function createFilling(target: TableTarget) {
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
    /** The tables come in their order, each once, with the columns that it has here. */
    async begin(header: TableHeader): Promise<void> {
      await flush();
      const due = movedTables[Object.keys(counts).length];
      const columns = await target.columnsOf(header.table).catch(() => []);
      if (header.table !== due?.name || !isSameSet(columns, header.columns)) {
        refuse({ kind: "unfit", table: header.table, problem: "its columns, or its place in the stream, are not those of this version" });
      }
      current = header;
      counts[header.table] = 0;
    },
    async add(row: string): Promise<void> {
      if (!current) throw new BadStream("not_an_export");
      gathered.push(row);
      characters += row.length;
      if (gathered.length >= rowsAtOnceMax || characters >= charactersAtOnceMax) await flush();
    },
  };
}

/** What was sent, what was handed over and what is there must be the same. */
async function checkCounts(target: TableTarget, end: ExportEnd, counts: Record<string, number>): Promise<void> {
  for (const { name } of movedTables) {
    const found = await target.countRows(name);
    if (end.rows[name] === counts[name] && counts[name] === found) continue;
    refuse({ kind: "unfit", table: name, problem: `${end.rows[name]} rows were sent and ${found} are there` });
  }
}

async function fill(lines: AsyncIterable<Line>, target: TableTarget, secretKey: string | undefined): Promise<Record<string, number>> {
  const filling = createFilling(target);
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst !== (line.kind === "header")) throw new BadStream("not_an_export");
    isFirst = false;
    switch (line.kind) {
      case "header":
        checkHeader(line.header, target, secretKey);
        await checkEmpty(target);
        break;
      case "table":
        await filling.begin(line.table);
        break;
      case "row":
        await filling.add(line.text);
        break;
      case "end":
        await filling.flush();
        await checkCounts(target, line.end, filling.counts);
        break;
    }
  }
  return filling.counts;
}

/**
 * Fills an empty store from a stream: all of it, verified, or nothing. Needs as much memory as a few hundred rows. The
 * target is closed in any case.
 */
export async function importStore(chunks: AsyncIterable<Uint8Array>, target: TableTarget, secretKey: string | undefined): Promise<ImportOutcome> {
  try {
    const counts = await fill(readLines(chunks), target, secretKey);
    const { entries, accounts, problems } = await target.verify();
    if (problems.length > 0) return { kind: "broken", problems };
    await target.keep();
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
