import { lockActiveOperators } from "../register/accounts.table.ts";
import type { Transaction } from "../store/store.ts";

/**
 * Whether no active operator would be left without this account. Whatever ends an operator's access asks in the same
 * transaction: the lock lets one such transaction decide at a time, so two operators cannot end each other's.
 */
export async function isLastOperator(tx: Transaction, accountId: string): Promise<boolean> {
  const operators = await tx.run(lockActiveOperators(tx.db));
  return operators.length === 1 && operators[0]!.id === accountId;
}

export const lastOperatorText = "This is the last active operator: nobody could run the installation. Make another one first, with account create --operator.";
