import { selectActiveOperators } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { findAccount } from "./find-account.ts";
import { Refusal } from "./refusal.ts";

export type Operator = { accountId: string; email: string };

const operatorsMax = 1_000;

/**
 * Who does what commands also do without a name: the operator with this address or, without one, the only operator. Where
 * there are several it may be any of them, so that it must be nobody's own matter; where there is none, it is nobody.
 */
export async function findWhoActs(store: Store, email: string | undefined): Promise<{ actorAccountId: string | null; mayBe: string[] }> {
  if (email !== undefined) return { actorAccountId: (await findOperator(store, email)).accountId, mayBe: [] };
  const ids = (await selectActiveOperators(store.db, { limit: operatorsMax }).execute()).map(({ id }) => id);
  return ids.length === 1 ? { actorAccountId: ids[0]!, mayBe: [] } : { actorAccountId: null, mayBe: ids };
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
