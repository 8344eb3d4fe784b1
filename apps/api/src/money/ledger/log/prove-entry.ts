import { consistencyRanges, hashRange, inclusionRanges, type LeafRange, type Tile, tileWidth } from "@assay/tlog/tiles.ts";
import { selectCheckpointFrom, selectLogs, selectNewestCheckpoint, selectNewestCosignatures, selectRunOf } from "./log.table.ts";
import { completeCheckpoint, type LogCheckpoint, type LogStore, readTile } from "./read-log.ts";
import { hashChildren } from "./tree.ts";

/** More lines than one checkpoint has. */
const linesMax = 100;

/**
 * Hashes over at least a tile, by store: what a log has never changes, and all proofs share their upper ends. Without them a
 * proof would hash several tiles again.
 */
const sharedHashes = new WeakMap<object, Map<string, Uint8Array>>();
const sharedMax = 20_000;

function sharedHashesOf({ db }: LogStore): Map<string, Uint8Array> {
  const known = sharedHashes.get(db) ?? new Map<string, Uint8Array>();
  if (known.size > sharedMax) known.clear();
  sharedHashes.set(db, known);
  return known;
}

/** The hashes of a proof, from tiles that are each read once. */
async function readPath(store: LogStore, ranges: readonly LeafRange[], { log, size }: { log: number; size: number }): Promise<Uint8Array[]> {
  const tiles = new Map<string, Promise<Uint8Array>>();
  const read = (tile: Tile) => {
    const name = `${tile.level}/${tile.index}`;
    const known = tiles.get(name) ?? readTile(store, { log, ...tile });
    tiles.set(name, known);
    return known;
  };
  const shared = sharedHashesOf(store);
  const path: Uint8Array[] = [];
  for (const range of ranges) {
    const name = `${log} ${range.from} ${range.to}`;
    const hash = shared.get(name) ?? (await hashRange(range, { size, readTile: read, hashPair: hashChildren }));
    // A copy: the hash itself may be a part of a larger buffer, which it would keep.
    if (range.to - range.from >= tileWidth && !shared.has(name)) shared.set(name, Uint8Array.from(hash));
    path.push(hash);
  }
  return path;
}

/** The newest checkpoint that a witness has signed, if it covers so many entries; otherwise the newest one, if it does. */
async function findCheckpoint(store: LogStore, { number: log, origin }: { number: number; origin: string }, sizeMin: number): Promise<LogCheckpoint | undefined> {
  const lines = await selectNewestCosignatures(store.db, { log, limit: linesMax }).execute();
  // The log's own later keys are no witnesses.
  const witnessed = lines.find(({ witness, size }) => size >= sizeMin && !witness.startsWith(`${origin}+`));
  const row = await (witnessed ? selectCheckpointFrom(store.db, { log, size: witnessed.size }) : selectNewestCheckpoint(store.db, log)).executeTakeFirst();
  return row && row.size >= sizeMin ? completeCheckpoint(store, origin, row) : undefined;
}

export type InclusionProof = { index: number; size: number; path: Uint8Array[]; checkpoint: LogCheckpoint };

/** Proves that an entry is in the open log; undefined while it is not. */
export async function proveInclusion(store: LogStore, { accountId, seq }: { accountId: string; seq: number }): Promise<InclusionProof | undefined> {
  const open = await selectLogs(store.db).limit(1).executeTakeFirst();
  const run = open && (await selectRunOf(store.db, { log: open.number, accountId, seq }).executeTakeFirst());
  if (!run || seq >= run.first_seq + run.count) return undefined;
  const index = run.first_index + seq - run.first_seq;
  const checkpoint = await findCheckpoint(store, open, index + 1);
  if (!checkpoint) return undefined;
  const { log, size } = checkpoint;
  return { index, size, path: await readPath(store, inclusionRanges(index, size), { log, size }), checkpoint };
}

/** The path from a smaller size of a log to a larger one. Both are sizes that it has reached. */
export function proveConsistency(store: LogStore, { log, fromSize, toSize }: { log: number; fromSize: number; toSize: number }): Promise<Uint8Array[]> {
  return readPath(store, consistencyRanges(fromSize, toSize), { log, size: toSize });
}
