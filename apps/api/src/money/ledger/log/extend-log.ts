import { formatCheckpoint } from "@assay/tlog/checkpoint.ts";
import { formatNote, formatSignatureLine, type NoteSignature, parseNote } from "@assay/tlog/note.ts";
import { randomBase62 } from "../../../ids/time-ordered-id.ts";
import type { Sealer } from "../../../secrets/sealer.ts";
import type { LogRow, LogRunRow } from "../../../store/schema-log.ts";
import type { Store } from "../../../store/store.ts";
import type { Continuation } from "./append-log.work.ts";
import { openLogSigner } from "./log-keys.ts";
import { findContradiction, firstOriginOf, type LogMemory, type Remembered } from "./log-memory.ts";
import { insertCosignature, selectCosignatures, selectHashes, selectLogs, selectNewestCheckpoint, selectUnlogged, type SeqRange } from "./log.table.ts";
import type { Opening } from "./open-log.work.ts";
import { readEdge } from "./read-log.ts";
import { createTree, hashEntryLeaf } from "./tree.ts";

/** Of one transaction, and in memory at a time: 4 tiles. Four times as many made the service 20 MiB larger. */
const entriesPerBatch = 1_024;
const accountsPerPage = 300;

const appendModule = new URL("./append-log.work.ts", import.meta.url);
const openModule = new URL("./open-log.work.ts", import.meta.url);

export type LogContext = {
  store: Store;
  sealer: Sealer;
  nowMs: () => number;
  /** The host in the origin of a first log. */
  host: () => string;
  memories: readonly LogMemory[];
  isOver: () => boolean;
};

/** `isMore`: the run ended before everything was logged. */
export type Extended = { size: number; added: number; isMore: boolean };

const originAfter = (known: { log: number; origin: string }, number: number): string => `${firstOriginOf(known)}/${number}`;

const selectOpenLog = (store: Store): Promise<LogRow | undefined> => selectLogs(store.db).limit(1).executeTakeFirst();

type Decided = { reason: string; known: Pick<Remembered, "log" | "origin"> | undefined; /** The log that was open before it was decided to close it. */ newest: LogRow | undefined };

/** Opens the log that follows all known ones, unless another node was first. */
async function openLog({ store, nowMs, host }: Pick<LogContext, "store" | "nowMs" | "host">, { reason, known, newest }: Decided): Promise<void> {
  const number = Math.max(known?.log ?? 0, newest?.number ?? 0) + 1;
  const before = newest ? { log: newest.number, origin: newest.origin } : known;
  const origin = before ? originAfter(before, number) : `${host()}/assay/${randomBase62(8)}`;
  const opening: Opening = { number, origin, opened_at: nowMs(), reason, after: newest?.number ?? 0 };
  await store.transact<Opening, "opened" | "lost">(openModule, opening);
}

/** Closes the log by opening the next one: for a store that was put back to an earlier state. Does nothing if it has none. */
export async function openNextLog(store: Store, { nowMs, reason, known }: { nowMs: number; reason: string; known: Remembered | undefined }): Promise<void> {
  const newest = await selectOpenLog(store);
  if (newest) await openLog({ store, nowMs: () => nowMs, host: () => "" }, { reason, known, newest });
}

async function recallAll(memories: readonly LogMemory[]): Promise<Remembered[]> {
  const all = await Promise.all(memories.map((memory) => memory.recall()));
  return all.filter((each) => each !== undefined);
}

/** Opens a new log where this store contradicts what was signed before. */
export async function closeContradictedLog(context: Omit<LogContext, "sealer" | "isOver">): Promise<void> {
  for (const known of await recallAll(context.memories)) {
    const newest = await selectOpenLog(context.store);
    const reason = await findContradiction(context.store, known);
    if (reason !== undefined) await openLog(context, { reason, known, newest });
  }
}

/** Remembers the newest checkpoint outside of the database. */
export async function rememberCheckpoint({ store, memories }: Pick<LogContext, "store" | "memories">): Promise<void> {
  const open = await selectOpenLog(store);
  const newest = open && (await selectNewestCheckpoint(store.db, open.number).executeTakeFirst());
  if (!newest) return;
  const current: Remembered = { log: open.number, origin: open.origin, size: newest.size, root: Buffer.from(newest.root).toString("base64") };
  for (const memory of memories) {
    const known = await memory.recall();
    if (known?.origin !== current.origin || known.size < current.size) await memory.remember(current);
  }
}

async function readOpenLog(context: LogContext): Promise<LogRow> {
  const open = await selectOpenLog(context.store);
  if (open) return open;
  await openLog(context, { reason: "the first log of this installation", known: undefined, newest: undefined });
  return (await selectOpenLog(context.store))!;
}

type Range = SeqRange & { count: number };

/** The next entries to log, in the order of accounts and of their entries: no more than fit into a batch. */
async function readBatch(store: Store, { log, afterId }: { log: number; afterId: string }): Promise<{ ranges: Range[]; nextAfterId: string | undefined }> {
  const accounts = await selectUnlogged(store.db, { log, afterId, limit: accountsPerPage }).execute();
  const ranges: Range[] = [];
  let room = entriesPerBatch;
  let nextAfterId = afterId;
  for (const { account_id: accountId, seq, logged_seq: afterSeq } of accounts) {
    const count = Math.min(room, seq - afterSeq);
    ranges.push({ accountId, afterSeq, toSeq: afterSeq + count, count });
    room -= count;
    // An account that is not logged to its end comes first in the next batch.
    if (afterSeq + count === seq) nextAfterId = accountId;
    if (room === 0) return { ranges, nextAfterId };
  }
  return { ranges, nextAfterId: accounts.length < accountsPerPage ? undefined : nextAfterId };
}

/** The leaves of the ranges, in their order. An entry up to a head that was read before is committed, so it is found. */
async function hashRanges(store: Store, ranges: readonly Range[]): Promise<Buffer[]> {
  const starts = new Map<string, { first: number; afterSeq: number }>();
  let size = 0;
  for (const { accountId, afterSeq, count } of ranges) {
    starts.set(accountId, { first: size, afterSeq });
    size += count;
  }
  const leaves = Array.from<Buffer | undefined>({ length: size });
  for (const { account_id: accountId, seq, hash } of await selectHashes(store.db, ranges).execute()) {
    const { first, afterSeq } = starts.get(accountId)!;
    leaves[first + seq - afterSeq - 1] = hashEntryLeaf({ accountId, seq, hash });
  }
  if (leaves.includes(undefined)) throw new Error("an entry below the head of its chain is missing: the log cannot go on");
  return leaves as Buffer[];
}

function toRuns(log: number, fromSize: number, ranges: readonly Range[]): LogRunRow[] {
  let firstIndex = fromSize;
  return ranges.map(({ accountId, afterSeq, count }) => {
    const run = { log, first_index: firstIndex, account_id: accountId, first_seq: afterSeq + 1, count };
    firstIndex += count;
    return run;
  });
}

/** A key that the log got after its newest checkpoint signs it too: verifiers that know only that key would wait for the next entry. */
async function signNewest(store: Store, log: LogRow, sign: (text: string) => NoteSignature[], nowMs: number): Promise<void> {
  const newest = await selectNewestCheckpoint(store.db, log.number).executeTakeFirst();
  if (!newest) return;
  const { text, signatures } = parseNote(newest.note);
  const missing = sign(text).filter(({ keyId }) => !signatures.some((each) => each.name === log.origin && each.keyId === keyId));
  if (missing.length === 0) return;
  const added = await selectCosignatures(store.db, { log: log.number, size: newest.size }).execute();
  for (const signature of missing) {
    const witness = `${log.origin}+${signature.keyId}`;
    if (added.some((each) => each.witness === witness)) continue;
    const row = { log: log.number, size: newest.size, witness, line: formatSignatureLine(signature).trimEnd(), at: nowMs };
    await store.write([insertCosignature(store.db, row)]);
  }
}

/** Appends the entries that the log does not have yet, batch by batch, each with a signed checkpoint. */
async function extendFrom(context: LogContext, log: LogRow, sign: (text: string) => NoteSignature[]): Promise<Extended> {
  const { store, nowMs, isOver } = context;
  const start = await selectNewestCheckpoint(store.db, log.number).executeTakeFirst();
  const size = start?.size ?? 0;
  const tree = createTree({ size, edge: await readEdge(store, { log: log.number, size }) });
  const root = tree.root();
  if (start && !(root && Buffer.from(start.root).equals(root))) {
    throw new Error(`the entries of the ledger contradict the checkpoint of size ${size}: run "assay ledger verify"`);
  }
  let afterId: string | undefined = "";
  while (afterId !== undefined) {
    if (isOver()) return { size: tree.size(), added: tree.size() - size, isMore: true };
    const { ranges, nextAfterId }: Awaited<ReturnType<typeof readBatch>> = await readBatch(store, { log: log.number, afterId });
    afterId = nextAfterId;
    if (ranges.length === 0) break;
    const fromSize = tree.size();
    const tiles = tree.append(await hashRanges(store, ranges)).map((tile) => ({ log: log.number, ...tile }));
    const checkpoint = { origin: log.origin, size: tree.size(), root: tree.root()! };
    const text = formatCheckpoint(checkpoint);
    const continuation: Continuation = {
      log: log.number,
      fromSize,
      runs: toRuns(log.number, fromSize, ranges),
      tiles,
      checkpoint: { log: log.number, size: checkpoint.size, root: checkpoint.root, note: formatNote({ text, signatures: sign(text) }), at: nowMs() },
    };
    // Another node was faster: it goes on.
    if ((await store.transact<Continuation, "appended" | "lost">(appendModule, continuation)) === "lost") return { size: fromSize, added: fromSize - size, isMore: true };
  }
  return { size: tree.size(), added: tree.size() - size, isMore: false };
}

/** Brings the log up to date. Safe to interrupt, to repeat, and to run on two nodes at once. */
export async function extendLog(context: LogContext): Promise<Extended> {
  await closeContradictedLog(context);
  const log = await readOpenLog(context);
  const sign = await openLogSigner(context, log.origin);
  const extended = await extendFrom(context, log, sign);
  await signNewest(context.store, log, sign, context.nowMs());
  await rememberCheckpoint(context);
  return extended;
}
