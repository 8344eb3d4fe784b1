import type { Score } from "@assay/scoring/model.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import { msPerHour } from "../../formats/time.ts";
import { type ColumnsOf, createPacker, type Field, type PackedRows, toColumns as toFieldColumns } from "../../store/batch-columns.ts";
import type { CallPayer, Mode } from "../../store/schema.ts";
import { callPriceMicroUsd, developerMicroUsdOf } from "../price.ts";

/** Stored with a scored session, besides the charge's own fields. */
export type SessionVerdict = {
  signals: Signals;
  score: Score;
  processingTimeMs: number;
  /** Of the model that scored it: calls of one batch may have different ones. */
  modelVersion: string;
  /** The version of the account's own calibration that the score is on; null for the one that the model ships with. */
  calibration: number | null;
};

/** What the session token of a call gave. */
export type CallAttestation = {
  /** The session that the call uses up, which makes it attested. Undefined: the call is asserted. */
  sessionId: string | undefined;
  /** The attested signals, as in session_records. */
  signals: number;
  /** Joined by commas; null if there are none. */
  issues: string | null;
};

/** One billable call whose answer is ready, before its commit. */
export type CallCharge = {
  accountId: string;
  mode: Mode;
  /** The id of the session or of whatever else was sold. */
  ref: string;
  endpoint: string;
  atMs: number;
  shareBps: number;
  verdict: SessionVerdict | undefined;
  /** Undefined for a call without a token. */
  attestation?: CallAttestation | undefined;
  idempotency: { keyHash: string; input: string; body: string } | undefined;
};

/** `<seq>.<hash>` of the entry, as the caller gets it. */
export type Receipt = string;

export type ChargeOutcome =
  | { kind: "charged"; receipt: Receipt | undefined }
  /** The idempotency key has a stored answer: this call changed nothing. */
  | { kind: "replayed"; endpoint: string; input: string; body: string; receipt: Receipt | undefined }
  /** The account's prepaid money does not cover it: this call changed nothing. */
  | { kind: "refused" }
  /** Its session was used for another attested call: this call changed nothing. */
  | { kind: "used" };

/** `recordColumn`: the column of session_records that stores it. */
type ChargeField = Field<CallCharge> & { recordColumn?: string };

const returningOf = ({ verdict }: CallCharge): number | null =>
  verdict?.signals.return_visitor === undefined ? null : Number(verdict.signals.return_visitor);

/**
 * Every field of a charge. What a batch consists of, the INSERT of its session records, and the parameters of PostgreSQL's
 * function are derived from it. The function was released with this order and these types.
 */
export const chargeFields = {
  accountId: { type: "text", of: (call: CallCharge) => call.accountId, recordColumn: "account_id" },
  mode: { type: "text", of: (call: CallCharge) => call.mode, recordColumn: "mode" },
  ref: { type: "text", of: (call: CallCharge) => call.ref, recordColumn: "id" },
  endpoint: { type: "text", of: (call: CallCharge) => call.endpoint, recordColumn: "endpoint" },
  atMs: { type: "bigint", of: (call: CallCharge) => call.atMs, recordColumn: "at" },
  shareBps: { type: "bigint", of: (call: CallCharge) => call.shareBps },
  grossMicroUsd: { type: "bigint", of: () => callPriceMicroUsd },
  developerMicroUsd: { type: "bigint", of: (call: CallCharge) => developerMicroUsdOf(call.shareBps) },
  userEngagement: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.signals.user_engagement ?? null, recordColumn: "user_engagement" },
  sessionDuration: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.signals.session_duration ?? null, recordColumn: "session_duration" },
  scrollDepth: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.signals.scroll_depth ?? null, recordColumn: "scroll_depth" },
  interactionCount: { type: "bigint", of: ({ verdict }: CallCharge) => verdict?.signals.interaction_count ?? null, recordColumn: "interaction_count" },
  pageViews: { type: "bigint", of: ({ verdict }: CallCharge) => verdict?.signals.page_views ?? null, recordColumn: "page_views" },
  returnVisitor: { type: "bigint", of: returningOf, recordColumn: "return_visitor" },
  serviceScore: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.score.serviceScore ?? null, recordColumn: "service_score" },
  confidence: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.score.confidence ?? null, recordColumn: "confidence" },
  recommendation: { type: "text", of: ({ verdict }: CallCharge) => verdict?.score.recommendation ?? null, recordColumn: "recommendation" },
  processingTimeMs: { type: "float8", of: ({ verdict }: CallCharge) => verdict?.processingTimeMs ?? null, recordColumn: "processing_time_ms" },
  modelVersion: { type: "text", of: ({ verdict }: CallCharge) => verdict?.modelVersion ?? null, recordColumn: "model_version" },
  calibration: { type: "bigint", of: ({ verdict }: CallCharge) => verdict?.calibration ?? null, recordColumn: "calibration" },
} as const satisfies Record<string, ChargeField>;

/** The fields of an idempotent call. Most batches have none. */
export const keyFields = {
  keyHash: { type: "text", of: ({ idempotency }: CallCharge) => idempotency?.keyHash ?? null },
  input: { type: "text", of: ({ idempotency }: CallCharge) => idempotency?.input ?? null, quoted: true },
  body: { type: "text", of: ({ idempotency }: CallCharge) => idempotency?.body ?? null, quoted: true },
} as const satisfies Record<string, ChargeField>;

/** The fields of a call with a session token. Many batches have none. */
export const tokenFields = {
  // Test calls use up nothing.
  attestedSession: { type: "text", of: ({ attestation, mode }: CallCharge) => (mode === "live" ? (attestation?.sessionId ?? null) : null) },
  attested: { type: "bigint", of: ({ attestation }: CallCharge) => attestation?.signals ?? null, recordColumn: "attested" },
  attestationIssues: { type: "text", of: ({ attestation }: CallCharge) => attestation?.issues ?? null, quoted: true, recordColumn: "attestation_issues" },
} as const satisfies Record<string, ChargeField>;

const recordFieldsOf = <Name extends string>(fields: Readonly<Record<Name, ChargeField>>) =>
  Object.entries<ChargeField>(fields).flatMap(([name, { recordColumn }]) => (recordColumn === undefined ? [] : [{ name: name as Name, column: recordColumn }]));

/** The fields that a session record stores, with their columns. */
export const recordFields = recordFieldsOf(chargeFields);
/** Those of a call with a token. They are null in other records. */
export const tokenRecordFields = recordFieldsOf(tokenFields);

/** What all calls of a batch have in common. */
export type BatchTerms = {
  payer: CallPayer;
  /** How far below zero developer-paid calls may take an account. Null: no call is refused. */
  creditLimitMicroUsd: number | null;
  /** Older stored answers have expired (24 hours). */
  replayFromMs: number;
};

/** A batch for PostgreSQL, sorted by account, which is the lock order. */
export type ChargeColumns = BatchTerms &
  ColumnsOf<typeof chargeFields> & {
    /** Null when no call of the batch has a key, the usual case. */
    keys: ColumnsOf<typeof keyFields> | null;
    /** Null when no call of the batch has a token. */
    tokens: ColumnsOf<typeof tokenFields> | null;
  };

/** A batch for SQLite's writer thread, sorted by account, so that each head is read and written once. */
export type PackedCharges = BatchTerms & { calls: PackedRows; keys: PackedRows | null; tokens: PackedRows | null };

/** A stored answer for row `index`. */
export type ReplayedRow = {
  index: number;
  endpoint: string;
  input: string;
  body: string;
  seq: number | null;
  hash: string | null;
};

/** In the place of a receipt, which begins with a number: why nothing was written for the call. */
export const refusedMark = "refused";
export const usedMark = "used";

/**
 * The result of a committed batch: the receipts of all rows, joined by commas (empty for uncharged rows, a mark for those
 * without an answer), and the few rows that were replays. One string crosses threads much faster than many objects.
 */
export type ChargedBatch = { receipts: string; replays: ReplayedRow[] | null };

export const idempotencyHours = 24;

/** Older stored answers have expired. */
export const replayableFrom = (nowMs: number): number => nowMs - idempotencyHours * msPerHour;

export const termsAt = (nowMs: number, terms: Omit<BatchTerms, "replayFromMs">): BatchTerms => ({ ...terms, replayFromMs: replayableFrom(nowMs) });

/** The calls' indexes, sorted by account; undefined if all are of one account and in order already. */
export function orderByAccount(charges: readonly CallCharge[]): number[] | undefined {
  const accountOf = (index: number) => charges[index]!.accountId;
  if (charges.every((charge) => charge.accountId === accountOf(0))) return undefined;
  // Compared by code units: for ASCII ids that is PostgreSQL's "C" collation, its lock order.
  return charges.map((_, index) => index).toSorted((a, b) => (accountOf(a) < accountOf(b) ? -1 : accountOf(a) > accountOf(b) ? 1 : a - b));
}

const hasKey = ({ idempotency }: CallCharge): boolean => idempotency !== undefined;
const hasToken = ({ attestation }: CallCharge): boolean => attestation !== undefined;

export function toColumns(charges: readonly CallCharge[], terms: BatchTerms): ChargeColumns {
  return {
    ...toFieldColumns(chargeFields, charges),
    ...terms,
    keys: charges.some(hasKey) ? toFieldColumns(keyFields, charges) : null,
    tokens: charges.some(hasToken) ? toFieldColumns(tokenFields, charges) : null,
  };
}

const packCalls = createPacker<CallCharge>(chargeFields);
const packKeys = createPacker<CallCharge>(keyFields);
const packTokens = createPacker<CallCharge>(tokenFields);

export function packCharges(charges: readonly CallCharge[], terms: BatchTerms): PackedCharges {
  return { ...terms, calls: packCalls(charges), keys: charges.some(hasKey) ? packKeys(charges) : null, tokens: charges.some(hasToken) ? packTokens(charges) : null };
}

export function toReplay({ endpoint, input, body, seq, hash }: Omit<ReplayedRow, "index">): ChargeOutcome & { kind: "replayed" } {
  const receipt = seq === null || hash === null ? undefined : `${seq}.${hash}`;
  return { kind: "replayed", endpoint, input, body, receipt };
}

function toOutcome(receipt: string): ChargeOutcome {
  if (receipt === refusedMark) return { kind: "refused" };
  if (receipt === usedMark) return { kind: "used" };
  return { kind: "charged", receipt: receipt === "" ? undefined : receipt };
}

export function toOutcomes({ receipts, replays }: ChargedBatch): ChargeOutcome[] {
  const outcomes = receipts.split(",").map(toOutcome);
  for (const replay of replays ?? []) outcomes[replay.index] = toReplay(replay);
  return outcomes;
}

/** Restores the order in which the calls arrived. */
export function inCallOrder<Outcome>(outcomes: Outcome[], order: readonly number[] | undefined): Outcome[] {
  if (!order) return outcomes;
  const result = Array.from<Outcome>({ length: outcomes.length });
  for (let row = 0; row < outcomes.length; row += 1) result[order[row]!] = outcomes[row]!;
  return result;
}
