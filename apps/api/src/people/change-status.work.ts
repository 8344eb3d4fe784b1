import { announceChange } from "../access/keys/keys.table.ts";
import { liftHoldsIn, openHoldIn } from "../money/holds/change-hold.work.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../money/four-eyes/find-own-interest.ts";
import { moveAccountStatus, selectOwnAccount } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { isLastOperator } from "./last-operator.ts";

export type StatusChange = DecidingActor & { accountId: string; to: "active" | "suspended"; reason: string; nowMs: number };

export type StatusOutcome = "changed" | "unchanged" | "last_operator" | "own_account";

/** The status, the hold on the account's money, the announcement to all nodes and the audit record change together. */
export const work: TransactionWork<StatusChange, StatusOutcome> = async (tx, change) => {
  const { accountId, to, reason, actorAccountId, nowMs } = change;
  const heads = await lockForDecision(tx, change, [accountId]);
  const own = await findOwnInterest(tx, heads, change, accountId);
  if (own !== null) return own;
  if (to === "suspended" && (await isLastOperator(tx, accountId))) return "last_operator";
  const from = to === "suspended" ? "active" : "suspended";
  if ((await tx.change(moveAccountStatus(tx.db, { accountId, from, to }))) === 0) return "unchanged";
  const { email } = (await tx.run(selectOwnAccount(tx.db, accountId)))[0]!;
  if (to === "suspended") await openHoldIn(tx, { ...change, kind: "suspension", email });
  else await liftHoldsIn(tx, { ...change, kinds: ["suspension"], email });
  const action = to === "suspended" ? "account.suspend" : "account.resume";
  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);
  await tx.change(noteAction(tx.db, { actorAccountId, action, subject: accountId, detail: { reason }, nowMs }));
  return "changed";
};
