import { Failure } from "../../failure/failure.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { CorrectionOrder, CorrectionOutcome } from "./book-correction.work.ts";

const module = new URL("./book-correction.work.ts", import.meta.url);
const amountMicroUsdMax = 1_000_000_000_000_000;
/** Half of the largest exact sum, so that earnings fit beside it. */
const balanceMicroUsdMax = 4_000_000_000_000_000;
const reasonLengthMax = 300;

/** Which of an account's moneys a correction changes: what can be paid out, or what calls can be charged to. */
export type CorrectedMoney = "earnings" | "prepaid";

const payerOf: Record<CorrectedMoney, CallPayer> = { earnings: "platform", prepaid: "developer" };
export const moneyOf = (payer: CallPayer): CorrectedMoney => (payer === "developer" ? "prepaid" : "earnings");

export type Correction = {
  accountId: string;
  kind: "deposit" | "adjustment";
  /** A deposit is prepaid money. */
  on: CorrectedMoney;
  microUsd: number;
  /** Shown to the developer and kept forever: it must not name a person. An adjustment needs one. */
  reason: string | undefined;
  actorAccountId: string;
  /** Where payouts need four eyes, nobody changes its own money. */
  mayCorrectOwn: boolean;
  nowMs: number;
};

export type BookedCorrection = { ref: string } & Omit<CorrectionOutcome & { kind: "booked" }, "kind">;

/** Books a deposit or an adjustment of an account. Adjustments may take a balance below zero: nothing is payable then. */
export async function bookCorrection(store: Store, correction: Correction): Promise<BookedCorrection> {
  const { accountId, kind, on, microUsd, actorAccountId, mayCorrectOwn, nowMs } = correction;
  const reason = correction.reason?.trim() || null;
  const isAmount = Number.isSafeInteger(microUsd) && microUsd !== 0 && Math.abs(microUsd) <= amountMicroUsdMax;
  if (!isAmount || (kind === "deposit" && microUsd < 0)) {
    throw new Failure("invalid_request", `usd must be ${kind === "deposit" ? "more than" : "other than"} 0 and have at most six decimals`);
  }
  if (kind === "adjustment" && reason === null) throw new Failure("invalid_request", "An adjustment needs a reason.");
  if ((reason?.length ?? 0) > reasonLengthMax) throw new Failure("invalid_request", `The reason may have at most ${reasonLengthMax} characters.`);
  const ref = timeOrderedId(kind === "deposit" ? "dep" : "adj", nowMs);
  const order: CorrectionOrder = {
    accountId,
    ref,
    kind,
    payer: payerOf[kind === "deposit" ? "prepaid" : on],
    amount_micro: microUsd,
    reason,
    actor_account_id: actorAccountId,
    at: nowMs,
    balanceMicroUsdMax,
    fourEyes: !mayCorrectOwn,
  };
  const outcome = await store.transact<CorrectionOrder, CorrectionOutcome>(module, order);
  if (outcome.kind === "own_account") {
    throw new Failure("forbidden", "Nobody corrects the money of its own account, or of one that names the same payee: let another operator do it, or set PAYOUT_FOUR_EYES=off.");
  }
  if (outcome.kind === "too_much") throw new Failure("invalid_request", "With this amount the account's sums would no longer be exact.");
  const { receipt, balanceMicroUsd, spendableMicroUsd } = outcome;
  return { ref, receipt, balanceMicroUsd, spendableMicroUsd };
}
