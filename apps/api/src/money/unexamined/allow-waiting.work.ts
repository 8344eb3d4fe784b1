import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { WaitingReason } from "../../store/schema-integrity.ts";
import type { TransactionWork } from "../../store/store.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { putAllowance } from "../waiting/waiting.table.ts";

export type AllowWaiting = DecidingActor & { accountId: string; waitingReason: WaitingReason; dailyMicroUsd: number; reason: string; nowMs: number };
export type AllowOutcome = { kind: "allowed" | "unknown_account" | "own_account" };

/** Of days that are checked from now on. What waits already is decided by itself. */
export const work: TransactionWork<AllowWaiting, AllowOutcome> = async (tx, order) => {
  const { accountId, waitingReason, dailyMicroUsd, reason, actorAccountId, nowMs } = order;
  if ((await tx.run(selectOwnAccount(tx.db, accountId))).length === 0) return { kind: "unknown_account" };
  const own = await findOwnInterest(tx, await lockForDecision(tx, order, [accountId]), order, accountId);
  if (own !== null) return { kind: own };
  await tx.change(putAllowance(tx.db, { account_id: accountId, reason: waitingReason, daily_micro: dailyMicroUsd, note: reason, set_by: actorAccountId, set_at: nowMs }));
  await tx.change(noteAction(tx.db, { actorAccountId, action: "waiting.allow", subject: accountId, accountId, detail: { for: waitingReason, daily_micro: dailyMicroUsd, reason }, nowMs }));
  return { kind: "allowed" };
};
