import { selectSharedMark } from "../../register/payees.table.ts";
import type { Transaction } from "../../store/store.ts";
import { type LockedHeads, lockChains } from "../ledger/append-entries.ts";

/** Who decides, as the order of a transaction names it. */
export type DecidingActor = {
  /** Null: nobody in particular, as for jobs, and for commands on an installation without an operator. */
  actorAccountId: string | null;
  /** A command that names nobody may be anybody's of these. */
  mayBe?: readonly string[] | undefined;
  /** Whether nobody may decide about its own money or standing. False with PAYOUT_FOUR_EYES=off only; it holds unless said. */
  fourEyes?: boolean | undefined;
};

/** Chains that are locked together with those of who decides. */
export type DecisionHeads = LockedHeads & { readonly isForDecision: unique symbol };

/** The accounts that are the person's own. */
const ownAccountsOf = ({ actorAccountId, mayBe = [] }: DecidingActor): readonly string[] => (actorAccountId === null ? mayBe : [actorAccountId]);

const isBound = (actor: DecidingActor): boolean => actor.fourEyes !== false && ownAccountsOf(actor).length > 0;

/**
 * Locks the chains of the accounts that a decision is about, and of the deciding person's own. A payee changes under the
 * lock of its account's chain, so that no link can appear between `findOwnInterest` and the end of the transaction.
 */
export async function lockForDecision(tx: Transaction, actor: DecidingActor, accountIds: readonly string[]): Promise<DecisionHeads> {
  const own = isBound(actor) && accountIds.length > 0 ? ownAccountsOf(actor) : [];
  return (await lockChains(tx, accountIds, own)) as DecisionHeads;
}

/**
 * Four eyes: why this person may not decide about the account's money or standing. It is its own, or one that named the
 * same bank account or tax number, whoever came first and whatever an operator unlinked. Every decision of an operator
 * asks this inside its own transaction, and changes nothing where it is refused.
 */
export async function findOwnInterest(tx: Transaction, heads: DecisionHeads, actor: DecidingActor, accountId: string): Promise<"own_account" | null> {
  if (!heads.has(accountId)) throw new Error(`account ${accountId} is not locked for the decision about it`);
  if (!isBound(actor)) return null;
  for (const otherId of ownAccountsOf(actor)) {
    if (otherId === accountId) return "own_account";
    if ((await tx.run(selectSharedMark(tx.db, { accountId, otherId }))).length > 0) return "own_account";
  }
  return null;
}
