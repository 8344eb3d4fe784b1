import type { Signals } from "@assay/scoring/signals.ts";
import type { Score } from "@assay/scoring/model.ts";
import type { Mode, CallPayer } from "../../store/schema.ts";
import { callPriceMicroUsd, splitGross } from "../money.ts";
import { msPerHour } from "../../formats/time.ts";

/** What is kept of a scored session beside what the charge itself says. */
export type SessionVerdict = {
  signals: Signals;
  score: Score;
  processingTimeMs: number;
};

/** One billable call that is ready to be answered, on its way to the ledger. */
export type CallCharge = {
  accountId: string;
  mode: Mode;
  /** The session id, or another id of what was sold. */
  ref: string;
  endpoint: string;
  atMs: number;
  shareBps: number;
  verdict: SessionVerdict | undefined;
  idempotency: { keyHash: string; input: string; body: string } | undefined;
};

/** An entry's place in its account's chain, `<seq>.<hash>`: the very text that the caller gets. */
export type Receipt = string;

export type ChargeOutcome =
  | { kind: "charged"; receipt: Receipt | undefined }
  /** The idempotency key was answered before: this call changed nothing. */
  | { kind: "replayed"; endpoint: string; input: string; body: string; receipt: Receipt | undefined };

/** A stored answer that belongs to row `index`. */
export type ReplayedRow = {
  index: number;
  endpoint: string;
  input: string;
  body: string;
  seq: number | null;
  hash: string | null;
};

/**
 * What a committed batch gives back: the receipts of all rows, joined by commas (empty where nothing was
 * charged), and the few rows that were replays. One text crosses the threads much faster than many objects.
 */
export type ChargedBatch = { receipts: string; replays: ReplayedRow[] | null };

export function toReplay({ endpoint, input, body, seq, hash }: Omit<ReplayedRow, "index">): ChargeOutcome {
  const receipt = seq === null || hash === null ? undefined : `${seq}.${hash}`;
  return { kind: "replayed", endpoint, input, body, receipt };
}

export function toOutcomes({ receipts, replays }: ChargedBatch): ChargeOutcome[] {
  const outcomes = receipts
    .split(",")
    .map((receipt): ChargeOutcome => ({ kind: "charged", receipt: receipt === "" ? undefined : receipt }));
  for (const replay of replays ?? []) outcomes[replay.index] = toReplay(replay);
  return outcomes;
}

/**
 * A batch as columns: one array per field crosses to the writer's thread, or to PostgreSQL, at a fraction
 * of what one object per call costs. Sorted by account, which is the order of locks.
 */
export type ChargeColumns = {
  payer: CallPayer;
  modelVersion: string;
  /** Stored answers from before this time are past their 24 hours. */
  replayFromMs: number;
  accountId: string[];
  mode: Mode[];
  ref: string[];
  endpoint: string[];
  atMs: number[];
  /** What a call is worth and earns follows from it. */
  shareBps: number[];
  userEngagement: (number | null)[];
  sessionDuration: (number | null)[];
  scrollDepth: (number | null)[];
  interactionCount: (number | null)[];
  pageViews: (number | null)[];
  returnVisitor: (number | null)[];
  serviceScore: (number | null)[];
  confidence: (number | null)[];
  recommendation: (string | null)[];
  processingTimeMs: (number | null)[];
  /** Null when no call of the batch has a key, which is the usual case. */
  idempotency: { keyHash: (string | null)[]; input: (string | null)[]; body: (string | null)[] } | null;
};

export const idempotencyHours = 24;

function emptyColumns(batch: { payer: CallPayer; modelVersion: string; replayFromMs: number }): ChargeColumns {
  return {
    ...batch,
    accountId: [],
    mode: [],
    ref: [],
    endpoint: [],
    atMs: [],
    shareBps: [],
    userEngagement: [],
    sessionDuration: [],
    scrollDepth: [],
    interactionCount: [],
    pageViews: [],
    returnVisitor: [],
    serviceScore: [],
    confidence: [],
    recommendation: [],
    processingTimeMs: [],
    idempotency: null,
  };
}

function pushCharge(columns: ChargeColumns, charge: CallCharge): void {
  const { verdict } = charge;
  const signals = verdict?.signals;
  columns.accountId.push(charge.accountId);
  columns.mode.push(charge.mode);
  columns.ref.push(charge.ref);
  columns.endpoint.push(charge.endpoint);
  columns.atMs.push(charge.atMs);
  columns.shareBps.push(charge.shareBps);
  columns.userEngagement.push(signals?.user_engagement ?? null);
  columns.sessionDuration.push(signals?.session_duration ?? null);
  columns.scrollDepth.push(signals?.scroll_depth ?? null);
  columns.interactionCount.push(signals?.interaction_count ?? null);
  columns.pageViews.push(signals?.page_views ?? null);
  columns.returnVisitor.push(signals?.return_visitor === undefined ? null : Number(signals.return_visitor));
  columns.serviceScore.push(verdict?.score.serviceScore ?? null);
  columns.confidence.push(verdict?.score.confidence ?? null);
  columns.recommendation.push(verdict?.score.recommendation ?? null);
  columns.processingTimeMs.push(verdict?.processingTimeMs ?? null);
}

/** What a live call at this rate earns the developer. */
export function developerMicroUsdOf(shareBps: number): number {
  return splitGross({ microUsd: callPriceMicroUsd, shareBps }).developerMicroUsd;
}

/** `order[i]` is the index, among the charges given, of the call in row i. */
export function toColumns(
  charges: readonly CallCharge[],
  batch: { payer: CallPayer; modelVersion: string; nowMs: number },
): { columns: ChargeColumns; order: number[] } {
  const order = charges.map((_, index) => index);
  const accountOf = (index: number) => charges[index]!.accountId;
  if (charges.some((charge) => charge.accountId !== charges[0]!.accountId)) {
    // Compared as code units, which for these ASCII ids is PostgreSQL's "C" order of locks.
    order.sort((a, b) => (accountOf(a) < accountOf(b) ? -1 : accountOf(a) > accountOf(b) ? 1 : a - b));
  }
  const { payer, modelVersion, nowMs } = batch;
  const replayFromMs = nowMs - idempotencyHours * msPerHour;
  const columns = emptyColumns({ payer, modelVersion, replayFromMs });
  for (const index of order) pushCharge(columns, charges[index]!);
  if (charges.some((charge) => charge.idempotency)) {
    const keyed = order.map((index) => charges[index]!.idempotency);
    columns.idempotency = {
      keyHash: keyed.map((each) => each?.keyHash ?? null),
      input: keyed.map((each) => each?.input ?? null),
      body: keyed.map((each) => each?.body ?? null),
    };
  }
  return { columns, order };
}

/** Puts the outcomes of sorted rows back into the order in which the calls came. */
export function inCallOrder<Outcome>(outcomes: readonly Outcome[], order: readonly number[]): Outcome[] {
  const result = Array.from<Outcome>({ length: outcomes.length });
  for (let row = 0; row < outcomes.length; row += 1) result[order[row]!] = outcomes[row]!;
  return result;
}
