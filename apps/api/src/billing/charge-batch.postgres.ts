import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError, type Pool } from "pg";
import { CommitUnknown } from "../store/group-commit.ts";
import { randomBase62 } from "../store/time-ordered-id.ts";
import {
  type ChargeColumns,
  type ChargedBatch,
  type ChargeOutcome,
  developerMicroUsdOf,
  type ReplayedRow,
  toOutcomes,
  toReplay,
} from "./charge-batch.ts";
import { callPriceMicroUsd } from "./money.ts";

/** How long a batch whose COMMIT was not seen is looked up before its callers are cut off. */
const findOutMs = 5_000;
const findOutPauseMs = 100;

/** An array literal of values that need no quoting: numbers, and our own ids and codes. */
const plainArray = (values: readonly (string | number | null)[]) =>
  `{${values.includes(null) ? values.map((value) => value ?? "NULL").join(",") : values.join(",")}}`;

const quotedArray = (values: readonly (string | null)[]) =>
  `{${values.map((value) => (value === null ? "NULL" : `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`)).join(",")}}`;

function toParameters(batchId: string, columns: ChargeColumns): unknown[] {
  const none = columns.idempotency ?? plainArray(columns.ref.map(() => null));
  const { keyHash, input, body } =
    typeof none === "string"
      ? { keyHash: none, input: none, body: none }
      : { keyHash: plainArray(none.keyHash), input: quotedArray(none.input), body: quotedArray(none.body) };
  return [
    batchId,
    columns.payer,
    columns.modelVersion,
    columns.replayFromMs,
    plainArray(columns.accountId),
    plainArray(columns.mode),
    plainArray(columns.ref),
    plainArray(columns.endpoint),
    plainArray(columns.atMs),
    plainArray(columns.shareBps),
    plainArray(columns.shareBps.map(() => callPriceMicroUsd)),
    plainArray(columns.shareBps.map(developerMicroUsdOf)),
    plainArray(columns.userEngagement),
    plainArray(columns.sessionDuration),
    plainArray(columns.scrollDepth),
    plainArray(columns.interactionCount),
    plainArray(columns.pageViews),
    plainArray(columns.returnVisitor),
    plainArray(columns.serviceScore),
    plainArray(columns.confidence),
    plainArray(columns.recommendation),
    plainArray(columns.processingTimeMs),
    keyHash,
    input,
    body,
  ];
}

const chargeStatement = {
  name: "charge-calls",
  text: `SELECT receipts, replays FROM assay_charge_calls_v1(${Array.from({ length: 25 }, (_, i) => `$${i + 1}`).join(", ")})`,
};

/**
 * PostgreSQL refused and rolled back, and said so on a connection that works: nothing was billed. Every
 * other error (a cut, a timeout, a server going down: classes 08 and 57P) leaves the outcome open.
 */
function isCertainRefusal(error: unknown): boolean {
  // By its class, not by the look of its code: EPIPE has five letters too, and is a cut.
  if (!(error instanceof DatabaseError) || error.code === undefined) return false;
  return !error.code.startsWith("08") && !error.code.startsWith("57P");
}

/**
 * Settles whether a batch took effect. Writing the batch's id ourselves decides it for good: if ours
 * goes in, the batch can no longer commit; if it is there already, the batch has committed.
 */
async function hasCommitted(pool: Pool, batchId: string, nowMs: number): Promise<boolean> {
  const inserted = await pool.query(
    "INSERT INTO commit_batches (id, committed, at) VALUES ($1, 0, $2) ON CONFLICT (id) DO NOTHING",
    [batchId, nowMs],
  );
  if (inserted.rowCount === 1) return false;
  const found = await pool.query<{ committed: number }>("SELECT committed FROM commit_batches WHERE id = $1", [batchId]);
  return found.rows[0]?.committed === 1;
}

/** The entries of a batch are among its accounts' newest: further back than this nobody looks. */
const readBackEntriesMax = 200_000;

/** What a committed batch would have answered, read from the tables that it wrote. */
async function readBack(pool: Pool, columns: ChargeColumns): Promise<ChargeOutcome[]> {
  const entries = await pool.query<{ ref: string; seq: number; hash: string }>(
    `SELECT e.ref, e.seq, e.hash FROM ledger_heads h
     JOIN ledger_entries e ON e.account_id = h.account_id AND e.seq > h.seq - ${readBackEntriesMax}
     WHERE h.account_id = ANY ($1) AND e.ref = ANY ($2)`,
    [[...new Set(columns.accountId)], columns.ref],
  );
  const receipts = new Map(entries.rows.map(({ ref, seq, hash }) => [ref, `${seq}.${hash}`]));
  const answers = await pool.query<Omit<ReplayedRow, "index"> & { key_hash: string }>(
    `SELECT a.key_hash, a.endpoint, a.input, a.body, e.seq, e.hash FROM idempotency_answers a
     LEFT JOIN ledger_entries e ON e.account_id = a.account_id AND e.seq = a.ledger_seq
     WHERE a.key_hash = ANY ($1)`,
    [columns.idempotency?.keyHash.filter((keyHash) => keyHash !== null) ?? []],
  );
  const answerOf = new Map(answers.rows.map((row) => [row.key_hash, row]));
  return columns.ref.map((ref, row) => {
    const keyHash = columns.idempotency?.keyHash[row] ?? null;
    const answer = keyHash === null ? undefined : answerOf.get(keyHash);
    // Bodies hold the session's id, so the stored one is this call's own or an earlier call's.
    if (answer && answer.body !== columns.idempotency?.body[row]) return toReplay(answer);
    return { kind: "charged", receipt: receipts.get(ref) };
  });
}

/** Looks a batch up until the store answers: undefined means that it did not and never will take effect. */
async function findOut(pool: Pool, batchId: string, columns: ChargeColumns): Promise<ChargeOutcome[] | undefined> {
  const deadline = performance.now() + findOutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      return (await hasCommitted(pool, batchId, columns.atMs[0]!)) ? await readBack(pool, columns) : undefined;
    } catch (error) {
      last = error;
      await sleep(findOutPauseMs);
    }
  }
  throw new CommitUnknown(last);
}

/** Bills the batch: resolves with its outcomes, throws when nobody was billed, or CommitUnknown. */
export async function chargeOnPostgres(pool: Pool, columns: ChargeColumns): Promise<ChargeOutcome[]> {
  const batchId = randomBase62(22);
  const client = await pool.connect();
  try {
    const result = await client.query<ChargedBatch>({
      ...chargeStatement,
      values: toParameters(batchId, columns),
    });
    client.release();
    return toOutcomes(result.rows[0]!);
  } catch (error) {
    if (isCertainRefusal(error)) {
      client.release();
      throw error;
    }
    client.release(error as Error);
    const outcomes = await findOut(pool, batchId, columns);
    if (outcomes) return outcomes;
    throw error;
  }
}
