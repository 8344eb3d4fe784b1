import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerHour } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { alreadyRegisteredMail, verifyMail } from "./account-mails.ts";
import { judgePassword, passwordAdvice } from "./check-password.ts";
import { createAccount, isEmail, normalizeEmail } from "./create-account.ts";
import { insertLink } from "./links.table.ts";
import { linkLifeMs, makeLink } from "./mailed-link.ts";
import type { PeopleContext } from "./people-context.ts";

const firstTier = "Starter";

/** The normalized address. */
export function parseEmail(given: string): string {
  const email = normalizeEmail(given);
  if (!isEmail(email)) throw new Failure("invalid_request", "email must be an e-mail address.");
  return email;
}

export function requireGoodPassword(password: string, email: string): void {
  const verdict = judgePassword(password, email);
  if (verdict !== "fine") throw new Failure("invalid_request", passwordAdvice[verdict]);
}

type Verification = { accountId: string; email: string; isRepeat?: boolean; nowMs: number };

/** The statements that mail a verification link. */
function queueVerification({ store, publicUrl }: PeopleContext, { accountId, email, isRepeat = false, nowMs }: Verification) {
  const { token, row } = makeLink({ kind: "verify", accountId, email, nowMs });
  const url = `${publicUrl()}${landingPaths.verifyEmail}?token=${token}`;
  const mail = verifyMail({ to: email, accountId }, { url, hours: linkLifeMs.verify / msPerHour, isRepeat });
  return [insertLink(store.db, row), queueMail(store.db, mail, nowMs)];
}

/**
 * Opens an account, or mails the account that has the address; the answer does not reveal which. The account has no
 * password until the reader of the mail chooses one: a password that comes with the sign-up, as clients of earlier
 * versions send it, is only checked. Whoever signs up may not be who reads the mail.
 */
export async function signUp(context: PeopleContext, given: { email: string; password?: string }): Promise<void> {
  const nowMs = context.nowMs();
  const email = parseEmail(given.email);
  if (given.password !== undefined) requireGoodPassword(given.password, email);
  const account = { email, tier: firstTier, verified: false, operator: false, password: undefined, isSignUp: true as const };
  const outcome = await createAccount(context.store, account, nowMs, ({ id: accountId }) => queueVerification(context, { accountId, email, nowMs }));
  if (outcome.kind === "email_taken") await mailOwner(context, { email, nowMs });
  else if (outcome.kind !== "created") throw new Error(`an account could not be opened: ${outcome.kind}`);
  context.wakeMailer();
}

async function mailOwner(context: PeopleContext, { email, nowMs }: { email: string; nowMs: number }): Promise<void> {
  const owner = await selectAccountByEmail(context.store.db, email).executeTakeFirst();
  if (!owner) return;
  if (owner.verified_at === null) {
    await context.store.write(queueVerification(context, { accountId: owner.id, email, isRepeat: true, nowMs }));
  } else {
    const mail = alreadyRegisteredMail({ to: email, accountId: owner.id }, { signInUrl: context.publicUrl() + landingPaths.signIn });
    await context.store.write([queueMail(context.store.db, mail, nowMs)]);
  }
}

/** Mails a new link to an unverified address; does nothing for any other. */
export async function sendVerification(context: PeopleContext, given: { email: string }): Promise<void> {
  const { store } = context;
  const email = parseEmail(given.email);
  const account = await selectAccountByEmail(store.db, email).executeTakeFirst();
  if (!account || account.verified_at !== null) return;
  await store.write(queueVerification(context, { accountId: account.id, email, nowMs: context.nowMs() }));
  context.wakeMailer();
}
