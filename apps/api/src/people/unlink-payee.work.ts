import { lockChains } from "../money/ledger/append-entries.ts";
import { noteAction } from "../register/audit.table.ts";
import { insertUnlink, selectEarlierSharers } from "../register/payees.table.ts";
import type { TransactionWork } from "../store/store.ts";

export type Unlink = { accountId: string; fromAccountId: string; reason: string; actorAccountId: string; nowMs: number };

/** A payout of the account is judged under the same lock. */
export const work: TransactionWork<Unlink, "unlinked" | "not_linked"> = async (tx, unlink) => {
  const { accountId, fromAccountId, reason, actorAccountId, nowMs } = unlink;
  await lockChains(tx, [accountId]);
  const linked = await tx.run(selectEarlierSharers(tx.db, [accountId]));
  if (!linked.some((each) => each.earlier_id === fromAccountId)) return "not_linked";
  await tx.change(insertUnlink(tx.db, { accountId, fromAccountId, nowMs }));
  await tx.change(noteAction(tx.db, { actorAccountId, action: "payee.unlink", subject: accountId, detail: { from: fromAccountId, reason }, nowMs }));
  return "unlinked";
};
