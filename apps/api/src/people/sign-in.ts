import { selectSignInAccount } from "./sign-ins.table.ts";
import { normalizeEmail } from "./create-account.ts";
import { hashInTurn, isPassword, nobodysHash } from "./hash-password.ts";
import type { PeopleContext } from "./people-context.ts";
import { lineOf } from "./throttle-rule.ts";

export type SignInOutcome = { kind: "right_password"; accountId: string; epoch: number } | { kind: "refused" };

/**
 * Refuses unknown addresses, wrong passwords and unverified addresses alike. Were an unverified account let in, signing
 * up and in again would reveal which addresses are registered.
 */
export function checkSignIn(context: PeopleContext, given: { email: string; password: string; ip: string }): Promise<SignInOutcome> {
  const email = normalizeEmail(given.email);
  return hashInTurn(lineOf(given.ip), async (turn) => {
    await context.throttle.takeSignIn({ email, ip: given.ip });
    const account = await selectSignInAccount(context.store.db, { column: "email", value: email }).executeTakeFirst();
    const isRight = await isPassword(turn, given.password, account?.password_hash ?? nobodysHash);
    if (!account || account.password_hash === null || !isRight || account.verified_at === null) return { kind: "refused" };
    await context.throttle.signInSucceeded({ email, ip: given.ip });
    return { kind: "right_password", accountId: account.id, epoch: account.sign_in_epoch };
  });
}
