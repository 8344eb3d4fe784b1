import { usdOf } from "../../formats/money.ts";
import { queueMail } from "../../mail/queue-mail.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { insertReview } from "./growth.table.ts";
import { reviewMail } from "./review-mail.ts";

export type SetReview = {
  accountId: string;
  monthlyMicroUsd: number;
  reason: string;
  actorAccountId: string;
  /** Whether nobody may review its own account. */
  fourEyes: boolean;
  nowMs: number;
};
export type SetReviewOutcome = { kind: "reviewed"; email: string } | { kind: "unknown_account" | "own_account" };

/** A payout is proposed under the same lock: it is decided by the old sum or by the new one. */
export const work: TransactionWork<SetReview, SetReviewOutcome> = async (tx, review) => {
  const { accountId, monthlyMicroUsd, reason, actorAccountId, nowMs } = review;
  const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
  if (!account) return { kind: "unknown_account" };
  const heads = await lockForDecision(tx, review, [accountId]);
  const own = await findOwnInterest(tx, heads, review, accountId);
  if (own !== null) return { kind: own };
  await tx.change(insertReview(tx.db, { accountId, monthlyMicroUsd, reason, reviewedBy: actorAccountId, nowMs }));
  await tx.change(queueMail(tx.db, reviewMail({ to: account.email, accountId }, { monthlyMicroUsd, reason }), nowMs));
  await writeEvents(tx, [{ audience: accountId, type: "review.done", data: { account_id: accountId, monthly_usd: usdOf(monthlyMicroUsd) } }], nowMs);
  await tx.change(noteAction(tx.db, { actorAccountId, action: "review.set", subject: accountId, detail: { monthly_micro: monthlyMicroUsd, reason }, nowMs }));
  return { kind: "reviewed", email: account.email };
};
