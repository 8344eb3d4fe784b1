import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { findContradiction, type Remembered } from "./log-memory.ts";
import { selectCheckpoints, selectLogs, selectNewestCheckpoint, selectRuns, selectTiles } from "./log.table.ts";
import { hashRuns, type LogStore, MissingLeaf } from "./read-log.ts";
import { createTree, type FullTile } from "./tree.ts";

const runsPerPage = 500;
const entriesPerStep = 4_096;
const tilesPerPage = 64;
const checkpointsPerPage = 500;
const breaksMax = 100;

export type LogBreak = { log: number; index: number; problem: string };

export type LogReport = { ok: boolean; logs: number; size: number; checkpoints: number; breaks: LogBreak[] };

export type LogVerification = {
  /** The keys of a log with this origin; undefined where the installation's secret is not known: then signatures are not verified. */
  keysOf: ((origin: string) => Promise<string[]>) | undefined;
  /** What was signed before, as remembered outside of the database. */
  remembered: readonly Remembered[];
  onProgress: (report: LogReport) => void;
};

type Found = (index: number, problem: string) => void;
type Run = { first_index: number; account_id: string; first_seq: number; count: number };

/** Rows in their order, page by page, one at a time. */
async function* inPages<Row, Key>(first: Key, read: (from: Key) => Promise<Row[]>, { nextOf, limit }: { nextOf: (row: Row) => Key; limit: number }): AsyncGenerator<Row> {
  let from = first;
  for (;;) {
    const rows = await read(from);
    yield* rows;
    if (rows.length < limit) return;
    from = nextOf(rows.at(-1)!);
  }
}

/** Compares the tiles of each level, in order, with those of a tree that is rebuilt. */
function createTileComparison(store: LogStore, log: number, found: Found) {
  const stored = new Map<number, AsyncGenerator<{ n: number; root: Uint8Array; hashes: Uint8Array }>>();
  const storedOf = (level: number) => {
    const known =
      stored.get(level) ??
      inPages(0, (fromN) => selectTiles(store.db, { log, level, fromN, limit: tilesPerPage }).execute(), { nextOf: ({ n }) => n + 1, limit: tilesPerPage });
    stored.set(level, known);
    return known;
  };
  return async ({ level, n, root, hashes }: FullTile): Promise<void> => {
    const { value: tile } = await storedOf(level).next();
    const isSame = tile?.n === n && Buffer.from(tile.root).equals(root) && Buffer.from(tile.hashes).equals(hashes);
    if (!isSame) found(n * 256 ** (level + 1), `tile ${level}/${n} is not that of the entries`);
  };
}

/** Every run begins where the one before it ended, in its account's chain and in the log: otherwise it cannot be followed. */
function createRunCheck(found: Found) {
  const nextSeqOf = new Map<string, number>();
  let nextIndex = 0;
  return ({ first_index, account_id, first_seq, count }: Run): "follows" | "gap" => {
    if (first_index !== nextIndex) {
      found(nextIndex, `the run at ${first_index} does not follow the one before it`);
      return "gap";
    }
    const nextSeq = nextSeqOf.get(account_id) ?? 1;
    if (first_seq !== nextSeq) found(first_index, `entry ${first_seq} of ${account_id} is logged where entry ${nextSeq} is due`);
    nextIndex = first_index + count;
    nextSeqOf.set(account_id, first_seq + count);
    return "follows";
  };
}

async function verifyOne(store: LogStore, { number: log, origin }: { number: number; origin: string }, report: LogReport, options: LogVerification): Promise<void> {
  const found: Found = (index, problem) => {
    report.ok = false;
    if (report.breaks.length < breaksMax) report.breaks.push({ log, index, problem });
  };
  const tree = createTree({ size: 0, edge: [] });
  const compareTile = createTileComparison(store, log, found);
  const checkRun = createRunCheck(found);
  const logKeys = await options.keysOf?.(origin);
  const checkpoints = inPages(0, (afterSize) => selectCheckpoints(store.db, { log, afterSize, limit: checkpointsPerPage }).execute(), { nextOf: ({ size }) => size, limit: checkpointsPerPage });
  let due = (await checkpoints.next()).value;
  // The log may grow meanwhile: what comes after this is not part of this run.
  const sizeMax = (await selectNewestCheckpoint(store.db, log).executeTakeFirst())?.size ?? 0;

  async function reach(leaves: readonly Buffer[]): Promise<void> {
    for (const tile of tree.append(leaves)) await compareTile(tile);
    report.size += leaves.length;
  }

  async function passCheckpoint(): Promise<void> {
    const { size, root, note } = due!;
    report.checkpoints += 1;
    const isSame = tree.root() && Buffer.from(root).equals(tree.root()!);
    if (!isSame) found(size, `the checkpoint of size ${size} is not that of the entries`);
    const opened = logKeys && (await openCheckpoint(note, { logKeys, witnessKeys: [] }).catch((error: Error) => error));
    if (opened instanceof Error) found(size, `the checkpoint of size ${size}: ${opened.message}`);
    else if (opened && !(opened.checkpoint.size === size && Buffer.from(opened.checkpoint.root).equals(root))) found(size, `the checkpoint of size ${size} was signed for another tree`);
    const next = (await checkpoints.next()).value;
    due = next && next.size <= sizeMax ? next : undefined;
  }

  /** Appends the leaves of some runs, and stops at every checkpoint on the way. */
  async function appendRuns(runs: readonly Run[], toIndex: number): Promise<void> {
    const fromIndex = tree.size();
    const leaves = await hashRuns(store, runs, { fromIndex, toIndex });
    let at = fromIndex;
    while (at < toIndex) {
      const stop = due && due.size < toIndex ? due.size : toIndex;
      await reach(leaves.slice(at - fromIndex, stop - fromIndex));
      at = stop;
      if (due?.size === at) await passCheckpoint();
    }
    options.onProgress(report);
  }

  let gathered: Run[] = [];
  const runs = inPages(0, (fromIndex) => selectRuns(store.db, { log, fromIndex, limit: runsPerPage }).execute(), { nextOf: ({ first_index }) => first_index + 1, limit: runsPerPage });
  for await (const run of runs) {
    if (run.first_index >= sizeMax || checkRun(run) === "gap") break;
    for (let index = run.first_index; index < run.first_index + run.count; index += entriesPerStep) {
      const skipped = index - run.first_index;
      const count = Math.min(entriesPerStep, run.count - skipped);
      gathered.push({ ...run, first_index: index, first_seq: run.first_seq + skipped, count });
      if (index + count - tree.size() < entriesPerStep) continue;
      await appendRuns(gathered, index + count);
      gathered = [];
    }
  }
  const last = gathered.at(-1);
  if (last) await appendRuns(gathered, last.first_index + last.count);
  if (due) found(due.size, `the checkpoint of size ${due.size} covers more entries than are logged`);
}

/** Rebuilds every log from the entries and compares its tiles and all of its signed checkpoints, in memory for a few thousand entries. */
export async function verifyLog(store: LogStore, options: LogVerification): Promise<LogReport> {
  const report: LogReport = { ok: true, logs: 0, size: 0, checkpoints: 0, breaks: [] };
  const fail = (log: number, index: number, problem: string) => {
    report.ok = false;
    report.breaks.push({ log, index, problem });
  };
  for (const log of (await selectLogs(store.db).execute()).toReversed()) {
    report.logs += 1;
    await verifyOne(store, log, report, options).catch((error: unknown) => {
      if (!(error instanceof MissingLeaf)) throw error;
      fail(log.number, error.index, error.message);
    });
  }
  for (const each of options.remembered) {
    const reason = await findContradiction(store, each);
    if (reason !== undefined) fail(each.log, each.size, reason);
  }
  return report;
}
