import { queueMail } from "../mail/queue-mail.ts";
import { type DecidingActor, findOwnInterest, lockForDecision } from "../money/four-eyes/find-own-interest.ts";
import { selectSettledPayout } from "../money/payouts/payouts.table.ts";
import { selectOwnAccount } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { deleteUnlink, insertUnlink, selectEarlierSharers, selectUnlinks } from "../register/payees.table.ts";
import type { Transaction, TransactionWork } from "../store/store.ts";
import { type LinkDecision, linkMail } from "./link-mails.ts";

/** `proven`: the account has shown that what both named is its own. `relink` takes either back. */
export type Unlink = DecidingActor & { accountId: string; fromAccountId: string; to: "unlink" | "prove" | "relink"; reason: string; nowMs: number };
export type UnlinkOutcome = "unlinked" | "relinked" | "not_linked" | "not_unlinked" | "was_paid" | "own_account" | "unknown_account";

const actionOf = { unlink: "payee.unlink", prove: "payee.unlink", relink: "payee.relink" } as const;
const unlinksMax = 10_000;

/** Each is told about itself only: who the other one is stays the operator's knowledge. An erased account has no address. */
async function tell(tx: Transaction, told: { accountId: string; reason: string | undefined; nowMs: number }, decision: LinkDecision): Promise<void> {
  const { accountId, reason, nowMs } = told;
  const [account] = await tx.run(selectOwnAccount(tx.db, accountId));
  if (account?.email.includes("@")) await tx.change(queueMail(tx.db, linkMail({ to: account.email, accountId }, { decision, reason }), nowMs));
}

/** Payouts of both are judged under the same locks. */
export const work: TransactionWork<Unlink, UnlinkOutcome> = async (tx, unlink) => {
  const { accountId, fromAccountId, to, reason, actorAccountId, nowMs } = unlink;
  for (const id of [accountId, fromAccountId]) if ((await tx.run(selectOwnAccount(tx.db, id))).length === 0) return "unknown_account";
  const heads = await lockForDecision(tx, unlink, [accountId, fromAccountId]);
  for (const id of [accountId, fromAccountId]) {
    const own = await findOwnInterest(tx, heads, unlink, id);
    if (own !== null) return own;
  }
  const pair = { accountId, fromAccountId };
  const before = (await tx.run(selectUnlinks(tx.db, { accountId, limit: unlinksMax }))).find((each) => each.from_account_id === fromAccountId);
  if (to === "relink") {
    if ((await tx.change(deleteUnlink(tx.db, pair))) === 0) return "not_unlinked";
  } else {
    const linked = await tx.run(selectEarlierSharers(tx.db, [accountId]));
    if (!linked.some((each) => each.earlier_id === fromAccountId)) return "not_linked";
    // Its owner was paid there before: a proof would begin its limits anew. What is unlinked keeps them for a review.
    if (to === "prove" && (await tx.run(selectSettledPayout(tx.db, fromAccountId))).length > 0) return "was_paid";
    await tx.change(insertUnlink(tx.db, { ...pair, proven: to === "prove", nowMs }));
    // A proof replaces what the other one proved before.
    if (to === "prove") await tx.change(deleteUnlink(tx.db, { accountId: fromAccountId, fromAccountId: accountId }));
  }
  const isAboutBoth = to === "prove" || before?.proven === 1;
  await tell(tx, unlink, to === "relink" ? "linked_again" : to === "prove" ? "owner_proven" : "unlinked");
  if (isAboutBoth) await tell(tx, { accountId: fromAccountId, reason: undefined, nowMs }, to === "prove" ? "other_proven" : "proof_withdrawn");
  const detail = { from: fromAccountId, reason, ...(isAboutBoth && { proven: true }) };
  await tx.change(noteAction(tx.db, { actorAccountId, action: actionOf[to], subject: accountId, detail, nowMs }));
  return to === "relink" ? "relinked" : "unlinked";
};
