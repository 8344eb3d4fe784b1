import { selectSharedMark } from "../../register/payees.table.ts";
import type { Transaction } from "../../store/store.ts";

/** Whether four eyes forbid an operator to decide about this account: it is its own, or names the same payee. */
export async function isOwnAccount(tx: Transaction, act: { accountId: string; actorAccountId: string | null; fourEyes: boolean }): Promise<boolean> {
  const { accountId, actorAccountId, fourEyes } = act;
  if (!fourEyes || actorAccountId === null) return false;
  if (accountId === actorAccountId) return true;
  return (await tx.run(selectSharedMark(tx.db, { accountId, otherId: actorAccountId }))).length > 0;
}
