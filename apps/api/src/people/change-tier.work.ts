import { announceChange } from "../access/keys/keys.table.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../money/four-eyes/find-own-interest.ts";
import { selectOwnAccount, setAccountTier } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { decideTierRequest } from "../register/tier-requests.table.ts";
import type { TransactionWork } from "../store/store.ts";

export type TierChange = DecidingActor & {
  accountId: string;
  tier: string;
  /** The request that this decides. */
  requestId?: string | undefined;
  /** The tier stays as it is. */
  isRefusal?: boolean | undefined;
  nowMs: number;
};
export type TierOutcome = "changed" | "refused" | "not_pending" | "own_account";

/** A tier sets the share that an account is paid: a decision about its money. */
export const work: TransactionWork<TierChange, TierOutcome> = async (tx, change) => {
  const { accountId, tier, requestId, isRefusal = false, actorAccountId, nowMs } = change;
  const heads = await lockForDecision(tx, change, [accountId]);
  const own = await findOwnInterest(tx, heads, change, accountId);
  if (own !== null) return own;
  if (requestId !== undefined) {
    const decided = await tx.change(decideTierRequest(tx.db, { requestId, state: isRefusal ? "refused" : "applied", nowMs }));
    if (decided === 0) return "not_pending";
  }
  if (isRefusal) {
    await tx.change(noteAction(tx.db, { actorAccountId, action: "account.refuse_tier", subject: accountId, detail: { tier }, nowMs }));
    return "refused";
  }
  const [before] = await tx.run(selectOwnAccount(tx.db, accountId));
  if (before?.tier === tier && requestId === undefined) return "changed";
  await tx.change(setAccountTier(tx.db, { accountId, tier }));
  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);
  await tx.change(noteAction(tx.db, { actorAccountId, action: "account.tier", subject: accountId, detail: { from: before?.tier, to: tier }, nowMs }));
  return "changed";
};
