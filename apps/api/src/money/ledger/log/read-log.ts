import type { Tile } from "@assay/tlog/tiles.ts";
import { tileWidthAt } from "@assay/tlog/tiles.ts";
import type { Store } from "../../../store/store.ts";
import {
  selectCosignatures,
  selectHashes,
  selectLogs,
  selectNewestCheckpoint,
  selectRunsOver,
  selectTile,
  selectTileRoots,
} from "./log.table.ts";
import { type Edge, edgeWidth, hashBytes, hashEntryLeaf, tileWidth } from "./tree.ts";

/** A single connection inside a transaction is enough. */
export type LogStore = Pick<Store, "db">;

/** Ranges of one statement: three parameters each. */
const rangesPerQueryMax = 300;

export type LogCheckpoint = {
  log: number;
  origin: string;
  size: number;
  root: Uint8Array;
  /** As it is served: signed by the log, with the lines that were added since. */
  note: string;
  cosignatures: { witness: string; line: string; at: number }[];
  atMs: number;
};

type CheckpointRow = { log: number; size: number; root: Uint8Array; note: string; at: number };

/** The checkpoint with all lines that were added to it. */
export async function completeCheckpoint(store: LogStore, origin: string, { log, size, root, note, at }: CheckpointRow): Promise<LogCheckpoint> {
  const cosignatures = await selectCosignatures(store.db, { log, size }).execute();
  return { log, origin, size, root, note: note + cosignatures.map(({ line }) => `${line}\n`).join(""), cosignatures, atMs: at };
}

/** The newest checkpoint of the open log; undefined while nothing is logged. */
export async function readCheckpoint(store: LogStore): Promise<LogCheckpoint | undefined> {
  const log = await selectLogs(store.db).limit(1).executeTakeFirst();
  const row = log && (await selectNewestCheckpoint(store.db, log.number).executeTakeFirst());
  return row && completeCheckpoint(store, log.origin, row);
}

type Run = { first_index: number; account_id: string; first_seq: number; count: number };

/** The leaf hashes of a range of the log, in order, from the entries that its runs name. */
export async function hashRuns(store: LogStore, runs: readonly Run[], { fromIndex, toIndex }: { fromIndex: number; toIndex: number }): Promise<Buffer[]> {
  const leaves = Array.from<Buffer | undefined>({ length: toIndex - fromIndex });
  for (let at = 0; at < runs.length; at += rangesPerQueryMax) {
    const some = runs.slice(at, at + rangesPerQueryMax).map((run) => {
      const from = Math.max(fromIndex, run.first_index);
      const to = Math.min(toIndex, run.first_index + run.count);
      return { accountId: run.account_id, afterSeq: run.first_seq + (from - run.first_index) - 1, toSeq: run.first_seq + (to - run.first_index) - 1, from };
    });
    const rows = await selectHashes(store.db, some).execute();
    // An account may have several runs in the range.
    const rangesOf = Map.groupBy(some, ({ accountId }) => accountId);
    for (const { account_id: accountId, seq, hash } of rows) {
      const range = rangesOf.get(accountId)!.find(({ afterSeq, toSeq }) => seq > afterSeq && seq <= toSeq)!;
      leaves[range.from - fromIndex + (seq - range.afterSeq - 1)] = hashEntryLeaf({ accountId, seq, hash });
    }
  }
  const missing = leaves.indexOf(undefined);
  if (missing >= 0) throw new MissingLeaf(fromIndex + missing);
  return leaves as Buffer[];
}

/** The log covers an entry that the ledger does not have. */
export class MissingLeaf extends Error {
  override readonly name = "MissingLeaf";
  readonly index: number;
  constructor(index: number) {
    super(`the ledger has no entry for index ${index} of the log`);
    this.index = index;
  }
}

/** The hashes of a tile that is not full: leaf hashes, or roots of the full tiles below. */
async function readPartialTile(store: LogStore, log: number, { level, index, width }: Tile): Promise<Buffer[]> {
  const from = index * tileWidth;
  if (level === 0) {
    const range = { fromIndex: from, toIndex: from + width };
    return hashRuns(store, await selectRunsOver(store.db, { log, ...range }).execute(), range);
  }
  const roots = await selectTileRoots(store.db, { log, level: level - 1, fromN: from, toN: from + width }).execute();
  return roots.map(({ root }) => Buffer.from(root));
}

/** The first `width` hashes of a tile of a log that has them. What a log has never changes, so it does not matter when it is read. */
export async function readTile(store: LogStore, tile: Tile & { log: number }): Promise<Uint8Array> {
  const { log, level, index, width } = tile;
  const full = await selectTile(store.db, { log, level, n: index }).executeTakeFirst();
  const hashes = full ? full.hashes.subarray(0, width * hashBytes) : Buffer.concat(await readPartialTile(store, log, tile));
  if (hashes.length !== width * hashBytes) throw new Error(`tile ${level}/${index} of log ${log} has ${hashes.length} bytes instead of ${width} hashes`);
  return hashes;
}

/** Whether a log of this size has the tile, or had it when it was smaller. */
export const hasTile = (tile: Tile, size: number): boolean => tileWidthAt(tile, size) >= tile.width;

/** The right edge of a log, from which it goes on. */
export async function readEdge(store: LogStore, { log, size }: { log: number; size: number }): Promise<Edge> {
  const edge: Edge = [];
  for (let level = 0; tileWidth ** level <= size; level += 1) {
    const width = edgeWidth(size, level);
    const index = Math.floor(size / tileWidth ** (level + 1));
    edge.push(width === 0 ? [] : await readPartialTile(store, log, { level, index, width }));
  }
  return edge;
}
