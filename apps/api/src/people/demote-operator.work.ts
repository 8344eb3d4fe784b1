import { clearOperator, selectOwnAccount } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import type { TransactionWork } from "../store/store.ts";
import { isLastOperator } from "./last-operator.ts";

export type Demotion = {
  accountId: string;
  /** Null for the command line without a named operator. */
  actorAccountId: string | null;
  nowMs: number;
};

export type DemotionOutcome = "demoted" | "not_an_operator" | "last_operator";

/** The role and the audit record change together. Sessions and keys stay: every request reads the role anew. */
export const work: TransactionWork<Demotion, DemotionOutcome> = async (tx, { accountId, actorAccountId, nowMs }) => {
  if (await isLastOperator(tx, accountId)) return "last_operator";
  if ((await tx.change(clearOperator(tx.db, accountId))) === 0) return "not_an_operator";
  const { status } = (await tx.run(selectOwnAccount(tx.db, accountId)))[0]!;
  await tx.change(noteAction(tx.db, { actorAccountId, action: "account.demote", subject: accountId, detail: { status }, nowMs }));
  return "demoted";
};
