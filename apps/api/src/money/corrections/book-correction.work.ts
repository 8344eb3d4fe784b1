import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { lockChains } from "../ledger/append-entries.ts";
import { beginPrepaid, bookCorrections, type NewCorrection } from "./begin-prepaid.ts";

export type CorrectionOrder = NewCorrection & { balanceMicroUsdMax: number };

export type CorrectionOutcome =
  | { kind: "booked"; receipt: string; balanceMicroUsd: number; spendableMicroUsd: number }
  /** The sums would no longer be exact. */
  | { kind: "too_much" };

/** The entry, its reason and the audit record are one transaction, under the lock of the account's chain. */
export const work: TransactionWork<CorrectionOrder, CorrectionOutcome> = async (tx, { balanceMicroUsdMax, ...correction }) => {
  const { accountId, kind, ref, payer, amount_micro: amountMicroUsd, reason, actor_account_id: actorAccountId, at: nowMs } = correction;
  const heads = await lockChains(tx, [accountId]);
  const head = heads.get(accountId)!;
  if (payer === "developer") await beginPrepaid(tx, heads, { accountId, nowMs });
  const sums = [head.balance_micro + amountMicroUsd, (head.spendable_micro ?? 0) + amountMicroUsd];
  if (sums.some((sum) => Math.abs(sum) > balanceMicroUsdMax)) return { kind: "too_much" };
  const [entry] = await bookCorrections(tx, heads, [correction]);
  const detail = { ref, on: payer === "developer" ? "prepaid" : "earnings", amount_micro: amountMicroUsd, reason };
  await tx.change(noteAction(tx.db, { actorAccountId, action: `account.${kind === "deposit" ? "deposit" : "adjust"}`, subject: accountId, detail, nowMs }));
  return { kind: "booked", receipt: `${entry!.seq}.${entry!.hash}`, balanceMicroUsd: head.balance_micro, spendableMicroUsd: head.spendable_micro ?? 0 };
};
