import { Failure } from "../failure/failure.ts";
import { confirmPassword } from "./change-credentials.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { needsCode, useCode } from "./second-factor.ts";

const totpPattern = /^\d{6}$/;

const required = (message: string) => new Failure("step_up_required", message);

/** For `catch`: a wrong password or code is refused like a missing one. Locks and throttles are passed on. */
function refuseWrong(error: unknown): never {
  if (error instanceof Failure && (error.code === "wrong_password" || error.code === "wrong_code")) throw required(error.message);
  throw error;
}

/**
 * Asks for the password again and, where a second factor is enrolled, for a code that was not used yet: a borrowed browser
 * or a stolen cookie is not enough for what money depends on.
 */
export async function confirmStepUp(
  context: PeopleContext,
  signedIn: SignedIn,
  given: { password: string | undefined; code: string | undefined },
): Promise<void> {
  const { accountId } = signedIn;
  const needs = await needsCode(context, accountId);
  const password = given.password ?? "";
  const code = (given.code ?? "").trim();
  if (password === "" || (needs && code === "")) {
    throw required(needs ? "Enter your password and a code from your authenticator app, or a recovery code." : "Enter your password.");
  }
  await confirmPassword(context, signedIn, password).catch(refuseWrong);
  if (needs) await useCode(context, accountId, { kind: totpPattern.test(code) ? "totp" : "recovery", code }).catch(refuseWrong);
}
