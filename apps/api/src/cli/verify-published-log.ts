import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { type ChainPlace, chainStart, findChainProblems, stepAfter } from "@assay/contract/ledger-chain.ts";
import { type Checkpoint, openCheckpoint, type OpenedCheckpoint } from "@assay/tlog/checkpoint.ts";
import { checkpointOf, keysOfLog } from "@assay/tlog/follow-log.ts";
import { leafText } from "@assay/tlog/receipt-leaf.ts";
import { tilePath } from "@assay/tlog/tiles.ts";
import { msPerMinute } from "../formats/time.ts";
import { hashEntry } from "../money/ledger/chain-entry.ts";
import { GrowingTree, hashLeafText } from "./growing-tree.ts";
import type { PublishedLog } from "./read-published-log.ts";

const hashBytes = 32;
const hashesPerTile = 256;
/** Tiles that are asked for before they are needed. */
const tilesAhead = 4;
const entriesPerPage = 200;
/** Ten times the longest delay that the service promises: the clocks of two machines may differ. */
const overdueMs = 10 * msPerMinute;

/** What is wrong, in one sentence. */
export class LogFault extends Error {
  override readonly name = "LogFault";
}

type LogKeys = { logKeys: readonly string[]; witnessKeys: readonly string[] };
export type OwnEntries = { count: number; inLog: number; notLoggedYet: number; receipt: string | null };
export type LogReport = { opened: OpenedCheckpoint; note: string; tiles: number; consistentWith: number | undefined; own: OwnEntries | undefined };

/** `path`: of the log within the installation. */
type Source = { log: PublishedLog; path: string };

type Verification = Source & {
  keys: LogKeys;
  /** The note of a checkpoint that was seen before. */
  lastNote: string | undefined;
  /** Whether to find the caller's own entries in the log. */
  withOwnEntries: boolean;
  nowMs: number;
  onProgress: (leaves: number, total: number) => void;
};

/** The caller's chain, entry by entry, each checked as the successor of the one before. */
async function* readOwnEntries(log: PublishedLog): AsyncGenerator<LedgerEntry> {
  let place: ChainPlace = chainStart;
  for (;;) {
    const page = await log.readText(`/api/ledger/entries?from=${place.seq + 1}&limit=${entriesPerPage}`, "application/json");
    const { entries } = JSON.parse(page ?? '{"entries":[]}') as { entries: LedgerEntry[] };
    if (entries.length === 0) return;
    for (const entry of entries) {
      const [problem] = findChainProblems(place, entry, hashEntry(entry));
      if (problem) throw new LogFault(`Your entry ${place.seq + 1} breaks the chain: ${problem}.`);
      yield entry;
      place = stepAfter(place, entry);
    }
  }
}

/**
 * An account's entries are in the log in their own order, so one pass over the leaves meets them one after the other,
 * however many there are.
 */
async function findOwnEntries(log: PublishedLog, nowMs: number) {
  const entries = readOwnEntries(log);
  const own: OwnEntries = { count: 0, inLog: 0, notLoggedYet: 0, receipt: null };
  let expected: { entry: LedgerEntry; leafHash: Buffer } | undefined;
  async function readNext(): Promise<void> {
    const { value: entry } = await entries.next();
    expected = entry && { entry, leafHash: hashLeafText(leafText({ accountId: entry.account_id, seq: entry.seq, hash: entry.hash })) };
    if (!entry) return;
    own.count += 1;
    own.receipt = `${entry.seq}.${entry.hash}`;
  }
  await readNext();
  return {
    isNext: (leafHash: Uint8Array): boolean => expected?.leafHash.equals(leafHash) === true,
    async moveOn(): Promise<void> {
      own.inLog += 1;
      await readNext();
    },
    async finish(): Promise<OwnEntries> {
      for (; expected; await readNext()) {
        own.notLoggedYet += 1;
        const { seq, at } = expected.entry;
        if (at < nowMs - overdueMs) throw new LogFault(`Your entry ${seq} of ${new Date(at).toISOString()} is not in the log.`);
      }
      return own;
    },
  };
}

/** Where the open log is served: a log that was opened later has a number in its address, which the service announces. */
export async function findLogPath(log: PublishedLog): Promise<string> {
  const text = await log.readText("/api/status", "application/json");
  const path = (JSON.parse(text ?? "{}") as { log?: { path?: unknown } | null }).log?.path;
  return typeof path === "string" && /^\/log(?:\/[1-9][0-9]{0,5})?$/.test(path) ? path : "/log";
}

async function readTile({ log, path: logPath }: Source, tile: { level: number; index: number; width: number }): Promise<Uint8Array> {
  const path = tilePath(tile);
  const hashes = await log.readBytes(`${logPath}/tile/${path}`);
  if (!hashes) throw new LogFault(`The log has no ${path}, which its checkpoint covers.`);
  if (hashes.length !== tile.width * hashBytes) throw new LogFault(`${path} has ${hashes.length} bytes instead of ${tile.width * hashBytes}.`);
  return hashes;
}

/** All tiles of level 0 in order, a few of them requested ahead. */
async function* readLeafTiles(source: Source, size: number): AsyncGenerator<Uint8Array> {
  const requests: Promise<Uint8Array>[] = [];
  const count = Math.ceil(size / hashesPerTile);
  for (let index = 0; index < count + tilesAhead; index += 1) {
    if (index < count) {
      const request = readTile(source, { level: 0, index, width: Math.min(hashesPerTile, size - index * hashesPerTile) });
      // It is awaited later; until then a failure is not unhandled.
      request.catch(() => undefined);
      requests.push(request);
    }
    if (index >= tilesAhead) yield await requests.shift()!;
  }
}

async function openLast(lastNote: string | undefined, keys: LogKeys, now: Checkpoint): Promise<Checkpoint | undefined> {
  if (lastNote === undefined) return undefined;
  const last = checkpointOf(lastNote);
  if (last.origin !== now.origin) {
    throw new LogFault(`You saw the log ${last.origin} last, but the service now shows ${now.origin}. Keep your file, and use another one for the new log. Nothing proves that it continues the old one.`);
  }
  await openCheckpoint(lastNote, keys);
  if (last.size > now.size) throw new LogFault(`You saw ${last.size} entries last, and now the log has ${now.size}: entries were removed.`);
  return last;
}

const isRoot = (tree: GrowingTree, { root }: Checkpoint): boolean => Buffer.from(tree.root()).equals(root);

/** Recomputes the whole log from its leaves, in bounded memory. Throws a `LogFault` at the first thing that is wrong. */
export async function verifyPublishedLog(verification: Verification): Promise<LogReport> {
  const { log, path, nowMs, onProgress } = verification;
  const note = await log.readText(`${path}/checkpoint`);
  if (note === undefined) throw new LogFault("There is no checkpoint: nothing has been logged yet, or this installation does not publish its log.");
  const { witnessKeys } = verification.keys;
  const keys = { logKeys: await keysOfLog(checkpointOf(note).origin, verification.keys.logKeys), witnessKeys };
  const opened = await openCheckpoint(note, keys);
  const { checkpoint } = opened;
  const last = await openLast(verification.lastNote, keys, checkpoint);
  const own = verification.withOwnEntries ? await findOwnEntries(log, nowMs) : undefined;
  const tree = new GrowingTree();
  let tiles = 0;

  async function compare({ level, index, hashes }: { level: number; index: number; hashes: Uint8Array }): Promise<void> {
    const tile = { level, index, width: hashes.length / hashBytes };
    if (!Buffer.from(await readTile(verification, tile)).equals(hashes)) throw new LogFault(`${tilePath(tile)} differs from what the tiles below it give.`);
    tiles += 1;
  }

  const checkLast = () => {
    if (last && tree.size === last.size && !isRoot(tree, last)) throw new LogFault(`The first ${last.size} entries of the log are not the ones that you saw last: the log was rewritten.`);
  };

  checkLast();
  for await (const leaves of readLeafTiles(verification, checkpoint.size)) {
    tiles += 1;
    for (let at = 0; at < leaves.length; at += hashBytes) {
      const leafHash = leaves.subarray(at, at + hashBytes);
      for (const finished of tree.append(leafHash)) await compare(finished);
      if (own?.isNext(leafHash)) await own.moveOn();
      checkLast();
    }
    onProgress(tree.size, checkpoint.size);
  }
  for (const partial of tree.partialTiles()) await compare(partial);
  if (!isRoot(tree, checkpoint)) throw new LogFault(`The tiles do not give the root of the signed checkpoint of ${checkpoint.size} entries.`);
  return { opened, note, tiles, consistentWith: last?.size, own: await own?.finish() };
}
