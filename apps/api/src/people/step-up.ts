import { Failure } from "../failure/failure.ts";
import { confirmPassword } from "./confirm-password.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { replaceRecoveryCodes, selectVerifiedFactor, spendStep } from "./sign-ins.table.ts";
import { stepOfCode } from "./totp.ts";

export type StepUp = { password: string | undefined; code: string | undefined };

type Factor = NonNullable<Awaited<ReturnType<ReturnType<typeof selectVerifiedFactor>["executeTakeFirst"]>>>;

const refuse = (message: string): never => {
  throw new Failure("step_up_required", message);
};

/** Of several requests with the same code, on any node, one is told that it is right. */
async function isRightCode(context: PeopleContext, factor: Factor, code: string): Promise<boolean> {
  const { store } = context;
  const { auth } = await context.auth();
  const { secretConfig: key } = await auth.$context;
  const { symmetricDecrypt, symmetricEncrypt } = await import("better-auth/crypto");
  const secret = await symmetricDecrypt({ key, data: factor.secret });
  // The machine's clock, as for sign-ins.
  const step = stepOfCode(Buffer.from(secret), code, Date.now());
  if (step !== undefined) {
    const [spent] = await store.write([spendStep(store.db, { factorId: factor.id, step })]);
    return spent === 1;
  }
  const codes = JSON.parse(await symmetricDecrypt({ key, data: factor.recovery_codes })) as string[];
  if (!codes.includes(code)) return false;
  const left = await symmetricEncrypt({ key, data: JSON.stringify(codes.filter((each) => each !== code)) });
  const [used] = await store.write([replaceRecoveryCodes(store.db, { factorId: factor.id, from: factor.recovery_codes, to: left })]);
  return used === 1;
}

/**
 * Asks for the password again and, where a second factor is enrolled, for a code, before a change that neither a borrowed
 * browser nor a stolen password must make. Both kinds of guesses are throttled, each with a count of its own: a right
 * password must not buy further guesses at the code.
 */
export async function confirmStepUp(context: PeopleContext, signedIn: SignedIn, { password, code }: StepUp): Promise<void> {
  const { accountId } = signedIn;
  if (password === undefined) return refuse("Enter your password to make this change.");
  await confirmPassword(context, signedIn, password).catch((error: unknown) => {
    if (error instanceof Failure && error.code === "wrong_password") refuse(error.message);
    throw error;
  });
  const factor = await selectVerifiedFactor(context.store.db, accountId).executeTakeFirst();
  if (!factor) return;
  if (code === undefined) return refuse("This change also needs a code from your authenticator app, or a recovery code.");
  await context.throttle.take("confirm_code", accountId);
  if (!(await isRightCode(context, factor, code.trim()))) return refuse("The code is wrong or was already used.");
  await context.throttle.reset("confirm_code", accountId);
}
