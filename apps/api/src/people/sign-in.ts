import type { PeopleContext } from "./people-context.ts";
import { selectSignInAccount } from "./auth.table.ts";
import { normalizeEmail } from "./create-account.ts";
import { hashPassword, isPassword } from "./hash-password.ts";

/** A hash that no password has: verified against when there is no account, so that the answer takes as long. */
let nobody: Promise<string> | undefined;
const hashOfNobody = () => (nobody ??= hashPassword(crypto.randomUUID()));

export type SignInOutcome = { kind: "right_password"; accountId: string } | { kind: "refused" };

/**
 * Checks an address and its password. Unknown addresses, wrong passwords and unverified addresses are one and the same
 * refusal: were an unverified account let in, signing up and in again would tell whose address is registered.
 */
export async function checkSignIn(context: PeopleContext, tried: { email: string; password: string; ip: string }): Promise<SignInOutcome> {
  const email = normalizeEmail(tried.email);
  await context.throttle.takeSignIn({ email, ip: tried.ip });
  const account = await selectSignInAccount(context.store.db, { column: "email", value: email }).executeTakeFirst();
  const isRight = await isPassword(tried.password, account?.password_hash ?? (await hashOfNobody()));
  if (!account || account.password_hash === null || !isRight || account.verified_at === null) return { kind: "refused" };
  await context.throttle.signInSucceeded({ email, ip: tried.ip });
  return { kind: "right_password", accountId: account.id };
}
