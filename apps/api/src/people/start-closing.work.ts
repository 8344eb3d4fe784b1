import { announceChange, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { closeAccountStatus } from "../register/accounts.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { upsertClosure } from "./closures.table.ts";
import { isLastOperator } from "./last-operator.ts";

export type Closing = { accountId: string; forfeited: boolean; nowMs: number };

/** The status, the operator's role, the keys and the announcement to all nodes change together. */
export const work: TransactionWork<Closing, "closing" | "last_operator"> = async (tx, closing) => {
  const { accountId, nowMs } = closing;
  if (await isLastOperator(tx, accountId)) return "last_operator";
  await tx.change(closeAccountStatus(tx.db, accountId));
  await tx.change(revokeKeysOfAccount(tx.db, { accountId, nowMs }));
  await tx.change(upsertClosure(tx.db, closing));
  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);
  return "closing";
};
