import type { Pool } from "pg";
import { findOutWhetherCommitted, isCertainRefusal } from "../../store/commit-fence.ts";
import { randomBase62 } from "../../ids/time-ordered-id.ts";
import {
  type ChargeColumns,
  type ChargedBatch,
  type ChargeOutcome,
  developerMicroUsdOf,
  type ReplayedRow,
  toOutcomes,
  toReplay,
} from "./charge-batch.ts";
import { callPriceMicroUsd } from "../money.ts";

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
    const outcomes = await findOutWhetherCommitted(pool, batchId, () => readBack(pool, columns));
    if (outcomes) return outcomes;
    throw error;
  }
}
