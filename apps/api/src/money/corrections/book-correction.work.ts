import { usdOf } from "../../formats/money.ts";
import { noteActions } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { beginPrepaid, bookCorrections, type NewCorrection } from "./begin-prepaid.ts";

export type CorrectionOrder = NewCorrection & { balanceMicroUsdMax: number; fourEyes: boolean };

export type CorrectionOutcome =
  | { kind: "booked"; receipt: string; balanceMicroUsd: number; spendableMicroUsd: number }
  /** The sums would no longer be exact. */
  | { kind: "too_much" }
  | { kind: "own_account" };

/** The entry, its reason and the audit record are one transaction, under the lock of the account's chain. */
export const work: TransactionWork<CorrectionOrder, CorrectionOutcome> = async (tx, { balanceMicroUsdMax, fourEyes, ...correction }) => {
  const { accountId, kind, ref, payer, amount_micro: amountMicroUsd, reason, actor_account_id: actorAccountId, at: nowMs } = correction;
  const actor = { actorAccountId, fourEyes };
  const heads = await lockForDecision(tx, actor, [accountId]);
  const own = await findOwnInterest(tx, heads, actor, accountId);
  if (own !== null) return { kind: own };
  const head = heads.get(accountId)!;
  const notes = payer === "developer" ? await beginPrepaid(tx, heads, { accountId, nowMs }) : undefined;
  const sums = [head.balance_micro + amountMicroUsd, (head.spendable_micro ?? 0) + amountMicroUsd];
  if (sums.some((sum) => Math.abs(sum) > balanceMicroUsdMax)) return { kind: "too_much" };
  const [entry] = await bookCorrections(tx, heads, [correction]);
  const receipt = `${entry!.seq}.${entry!.hash}`;
  const data = { account_id: accountId, kind, amount_usd: usdOf(amountMicroUsd), receipt };
  await writeEvents(tx, [{ audience: accountId, type: "adjustment.made", data }], nowMs);
  const detail = { ref, on: payer === "developer" ? "prepaid" : "earnings", amount_micro: amountMicroUsd, reason };
  const note = { actorAccountId, action: `account.${kind === "deposit" ? "deposit" : "adjust"}`, subject: accountId, detail, nowMs };
  await tx.change(noteActions(tx.db, [...(notes ?? []), note]));
  return { kind: "booked", receipt, balanceMicroUsd: head.balance_micro, spendableMicroUsd: head.spendable_micro ?? 0 };
};
