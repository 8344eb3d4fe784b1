import { Failure } from "../failure/failure.ts";
import { confirmPassword } from "./confirm-password.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { needsCode, useCode } from "./second-factor.ts";

export type StepUp = { password: string | undefined; code: string | undefined };

const totpPattern = /^\d{6}$/;

const refuse = (message: string): never => {
  throw new Failure("step_up_required", message);
};

/** For `catch`: a wrong password or code is refused like a missing one. Throttles and locks are passed on. */
function refuseWrong(error: unknown): never {
  if (error instanceof Failure && (error.code === "wrong_password" || error.code === "wrong_code")) refuse(error.message);
  throw error;
}

/**
 * Asks for the password again and, where a second factor is enrolled, for a code, before a change that neither a borrowed
 * browser nor a stolen password must make. Both kinds of guesses are throttled, each with a count of its own: a right
 * password must not buy further guesses at the code.
 */
export async function confirmStepUp(context: PeopleContext, signedIn: SignedIn, given: StepUp): Promise<void> {
  if (!signedIn.verified) throw new Failure("forbidden", "Verify your e-mail address first: open the link in the verification mail.");
  await proveIdentity(context, signedIn, given);
}

/** The same for a whole session, whose address need not be verified: an operator's account may have been made with a command. */
export async function proveIdentity(context: PeopleContext, signedIn: SignedIn, given: StepUp): Promise<void> {
  const { accountId } = signedIn;
  if (given.password === undefined) return refuse("Enter your password to make this change.");
  await confirmPassword(context, signedIn, given.password).catch(refuseWrong);
  if (!(await needsCode(context, accountId))) return;
  if (given.code === undefined) return refuse("This change also needs a code from your authenticator app, or a recovery code.");
  const code = given.code.trim();
  await context.throttle.take("confirm_code", accountId);
  await useCode(context, accountId, { kind: totpPattern.test(code) ? "totp" : "recovery", code }).catch(refuseWrong);
  await context.throttle.reset("confirm_code", accountId);
}
