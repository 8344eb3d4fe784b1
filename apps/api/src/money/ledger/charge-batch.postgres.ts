import type { Pool } from "pg";
import { randomBase62 } from "../../ids/time-ordered-id.ts";
import { toParameters } from "../../store/batch-columns.ts";
import { findOutWhetherCommitted, isCertainRefusal } from "../../store/commit-fence.ts";
import type { PostgresStore } from "../../store/store.ts";
import {
  type ChargeColumns,
  type ChargedBatch,
  chargeFields,
  type ChargeOutcome,
  keyFields,
  type ReplayedRow,
  tokenFields,
  toOutcomes,
  toReplay,
} from "./charge-batch.ts";
import { chargeCalls } from "./charge-calls.function.ts";

/** For the function a batch without keys, or without tokens, is one whose arrays of them are null. */
const noKeys = Object.keys(keyFields).map(() => null);
const noTokens = Object.keys(tokenFields).map(() => null);

function toStatement(batchId: string, columns: ChargeColumns) {
  const { payer, replayFromMs, creditLimitMicroUsd, keys, tokens } = columns;
  const arrays = [...toParameters(chargeFields, columns), ...(keys ? toParameters(keyFields, keys) : noKeys), ...(tokens ? toParameters(tokenFields, tokens) : noTokens)];
  return { ...chargeCalls, values: [batchId, payer, replayFromMs, creditLimitMicroUsd, ...arrays] };
}

/** A batch's entries are among the newest of their accounts: the search goes no further back. */
const readBackEntriesMax = 200_000;

/** Reconstructs the outcomes of a committed batch from the tables that it wrote. */
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
     WHERE a.key_hash = ANY ($1) AND a.at >= $2`,
    [columns.keys?.keyHash.filter((keyHash) => keyHash !== null) ?? [], columns.replayFromMs],
  );
  const used = await pool.query<{ id: string }>("SELECT id FROM attested_sessions WHERE id = ANY ($1)", [columns.tokens?.attestedSession.filter((id) => id !== null) ?? []]);
  const usedIds = new Set<string | null>(used.rows.map(({ id }) => id));
  const answerOf = new Map(answers.rows.map((row) => [row.key_hash, row]));
  return columns.ref.map((ref, row) => {
    const keyHash = columns.keys?.keyHash[row] ?? null;
    const answer = keyHash === null ? undefined : answerOf.get(keyHash);
    // Bodies contain the session id: an equal one is this call's own, any other an earlier call's.
    if (answer && answer.body !== columns.keys?.body[row]) return toReplay(answer);
    const receipt = receipts.get(ref);
    // The batch wrote an entry for each live call that it charged: without one, the session is another call's, or the balance was too low.
    if (receipt !== undefined || columns.mode[row] !== "live") return { kind: "charged", receipt };
    return { kind: usedIds.has(columns.tokens?.attestedSession[row] ?? null) ? "used" : "refused" };
  });
}

/** Bills the batch and returns its outcomes. Throws if nothing was billed, or CommitUnknown. */
export async function chargeOnPostgres({ chargeLine, commitPool }: Pick<PostgresStore, "chargeLine" | "commitPool">, columns: ChargeColumns): Promise<ChargeOutcome[]> {
  const batchId = randomBase62(22);
  const statement = toStatement(batchId, columns);
  const line = await chargeLine.connect();
  try {
    const [batch] = await line.query<ChargedBatch>(statement);
    return toOutcomes(batch!);
  } catch (error) {
    if (isCertainRefusal(error)) throw error;
    const outcomes = await findOutWhetherCommitted(commitPool, batchId, () => readBack(commitPool, columns));
    if (outcomes) return outcomes;
    throw error;
  }
}
