import { Failure } from "../failure/failure.ts";
import { hashInOwnTurn, isPassword } from "./hash-password.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { selectSignInAccount } from "./sign-ins.table.ts";

/** Asks for the password again before a change that a borrowed browser must not make. Guesses are throttled. */
export const confirmPassword = (context: PeopleContext, signedIn: SignedIn, password: string): Promise<void> =>
  hashInOwnTurn(signedIn, async (turn) => {
    const { accountId } = signedIn;
    await context.throttle.take("confirm_often", accountId);
    await context.throttle.take("confirm_account", accountId);
    const account = await selectSignInAccount(context.store.db, { column: "id", value: accountId }).executeTakeFirst();
    const stored = account?.password_hash ?? undefined;
    if (stored === undefined || !(await isPassword(turn, password, stored))) throw new Failure("wrong_password", "The password is wrong.");
    await context.throttle.reset("confirm_account", accountId);
  });
