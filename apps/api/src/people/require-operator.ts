import type { onRequestAsyncHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";
import type { Store } from "../store/store.ts";
import { type SignedIn, whyNotActive } from "./require-sign-in.ts";
import { selectSignInAccount } from "./sign-ins.table.ts";

export type OperatorRule = {
  store: Store;
  /** Whether operators need a second factor for the console. */
  operatorSecondFactor: boolean;
};

const secondFactorText =
  "Operators need a second factor: set one up under Settings → Security. If yours is lost, assay account reset-second-factor removes it; OPERATOR_SECOND_FACTOR=off waives the rule.";

/** What pages call an operator: a suspended one is none. */
export const isActiveOperator = ({ operator, status }: SignedIn): boolean => operator && status === "active";

/** Whether an operator must set up a second factor before the console opens. Reads the store each time: switching it off closes the console. */
export async function needsSecondFactor({ store, operatorSecondFactor }: OperatorRule, signedIn: SignedIn): Promise<boolean> {
  if (!operatorSecondFactor || !isActiveOperator(signedIn)) return false;
  const account = await selectSignInAccount(store.db, { column: "id", value: signedIn.accountId }).executeTakeFirst();
  return (account?.second_factors ?? 0) === 0;
}

/**
 * For the operator's routes, after `requireSignIn`. Other accounts get the 404 of an unknown address. An operator who is
 * suspended must not read the others' data either.
 */
export function operatorGuard(rule: OperatorRule): onRequestAsyncHookHandler {
  return async ({ signedIn }) => {
    if (!signedIn.operator) throw new Failure("not_found", "There is nothing at this address. See /docs.");
    if (signedIn.status !== "active") throw new Failure("forbidden", `${whyNotActive(signedIn)}: it has no access to the operator's console.`);
    if (await needsSecondFactor(rule, signedIn)) throw new Failure("forbidden", secondFactorText);
  };
}
