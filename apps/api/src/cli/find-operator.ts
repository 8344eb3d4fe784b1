import { selectActiveOperators } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { findAccount } from "./find-account.ts";
import { Refusal } from "./refusal.ts";

export type Operator = { accountId: string; email: string };

/** As findOperator; null on an installation without any active operator, where nobody could be named. */
export async function findOperatorIfAny(store: Store, email: string | undefined): Promise<string | null> {
  const isNobody = email === undefined && (await selectActiveOperators(store.db, { limit: 1 }).execute()).length === 0;
  return isNobody ? null : (await findOperator(store, email)).accountId;
}

/** In whose name a command acts: the operator with this address or, without one, the only operator. */
export async function findOperator(store: Store, email: string | undefined): Promise<Operator> {
  if (email !== undefined) {
    const account = await findAccount(store, email);
    if (account.operator !== 1) throw new Refusal(`${account.email} is not an operator`);
    if (account.status !== "active") throw new Refusal(`the operator ${account.email} is ${account.status} and cannot act`);
    return { accountId: account.id, email: account.email };
  }
  const [only, ...others] = await selectActiveOperators(store.db, { limit: 2 }).execute();
  if (!only) throw new Refusal("no active operator can act: make one with account create --operator");
  if (others.length > 0) throw new Refusal("there is more than one operator: name the one who acts with --operator");
  return { accountId: only.id, email: only.email };
}
