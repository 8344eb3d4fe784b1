import type { FastifyRequest } from "fastify";
import { queueMail } from "../mail/queue-mail.ts";
import { noteAction } from "../register/audit.table.ts";
import { secondFactorMail } from "./account-mails.ts";
import { selectSignInAccount } from "./auth.table.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageUrl } from "./reset-password.ts";
import { spendStep } from "./sign-ins.table.ts";
import { stepOfCode } from "./totp.ts";

/** better-auth rejects this as a wrong code, whatever the secret is. */
const wrongCode = "";

/**
 * Marks an authenticator code as used before anything is done for it. Of all requests with the same code, on any node,
 * the first gets the code back and the others get a wrong one. A replayed code, or one of an earlier step than the last
 * one used, is therefore counted and answered like any other wrong code.
 */
export async function spendCode(context: PeopleContext, request: FastifyRequest, code: string): Promise<string> {
  const { auth, headersOf } = await context.auth();
  const factor = await auth.api.readSecondFactor({ headers: headersOf(request) });
  // better-auth answers a request without a second factor.
  if (!factor) return code;
  // The machine's clock, not the store's: better-auth checks the code against it next.
  const step = stepOfCode(Buffer.from(factor.secret), code, Date.now());
  if (step === undefined) return wrongCode;
  const [spent] = await context.store.write([spendStep(context.store.db, { factorId: factor.id, step })]);
  return spent === 1 ? code : wrongCode;
}

/** The session that a right code would switch two-factor on for: signed in, and without a verified second factor. */
export async function findEnrollingSession(context: PeopleContext, session: SignedIn | undefined): Promise<SignedIn | undefined> {
  if (!session) return undefined;
  const account = await selectSignInAccount(context.store.db, { column: "id", value: session.accountId }).executeTakeFirst();
  return Number(account?.second_factors) === 0 ? session : undefined;
}

/** Notes, and notifies the account's address, that two-factor was switched on or off. */
export async function mailTwoFactorChange(context: PeopleContext, { email: to, accountId }: SignedIn, change: { enabled: boolean }): Promise<void> {
  const mail = secondFactorMail({ to, accountId }, { ...change, resetUrl: resetPageUrl(context) });
  const nowMs = context.nowMs();
  const note = { actorAccountId: accountId, action: "account.two_factor", subject: accountId, detail: change, nowMs };
  await context.store.write([queueMail(context.store.db, mail, nowMs), noteAction(context.store.db, note)]);
  context.wakeMailer();
}
