import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerHour } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail, setVerified } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { alreadyRegisteredMail, verifyMail } from "./account-mails.ts";
import { judgePassword, passwordAdvice } from "./check-password.ts";
import { createAccount, isEmail, normalizeEmail } from "./create-account.ts";
import { hashPassword } from "./hash-password.ts";
import { insertLink, selectLink, useLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
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

type Verification = { accountId: string; email: string; isRepeat?: boolean; browserToken?: string; nowMs: number };

/** The statements that mail a verification link. */
function queueVerification({ store, publicUrl }: PeopleContext, { accountId, email, isRepeat = false, browserToken, nowMs }: Verification) {
  const { token, row } = makeLink({ kind: "verify", accountId, email, browserToken, nowMs });
  const url = `${publicUrl()}/dashboard/api/auth/verify-email?token=${token}`;
  const mail = verifyMail({ to: email, accountId }, { url, hours: linkLifeMs.verify / msPerHour, isRepeat });
  return [insertLink(store.db, row), queueMail(store.db, mail, nowMs)];
}

/**
 * Opens an account, or mails the account that has the address; the answer does not reveal which. A sign-up never changes
 * an existing account, not even an unverified one's password, which somebody else may have chosen.
 */
export async function signUp(context: PeopleContext, given: { email: string; password: string; browserToken: string }): Promise<void> {
  const nowMs = context.nowMs();
  const email = parseEmail(given.email);
  const { password, browserToken } = given;
  requireGoodPassword(password, email);
  const account = { email, tier: firstTier, verified: false, operator: false, password, isSignUp: true as const };
  const outcome = await createAccount(context.store, account, nowMs, ({ id: accountId }) =>
    queueVerification(context, { accountId, email, browserToken, nowMs }),
  );
  if (outcome.kind === "email_taken") {
    // The same work as for a new account, against timing.
    await hashPassword(password);
    await mailOwner(context, email, nowMs);
  } else if (outcome.kind !== "created") {
    throw new Error(`an account could not be opened: ${outcome.kind}`);
  }
  context.wakeMailer();
}

async function mailOwner(context: PeopleContext, email: string, nowMs: number): Promise<void> {
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
  const email = parseEmail(given.email);
  const account = await selectAccountByEmail(context.store.db, email).executeTakeFirst();
  if (!account || account.verified_at !== null) return;
  await context.store.write(queueVerification(context, { accountId: account.id, email, nowMs: context.nowMs() }));
  context.wakeMailer();
}

export type VerifyOutcome =
  /** The link was opened in the browser that signed up, which may get a session. */
  | { kind: "verified_here"; accountId: string }
  | { kind: "verified" }
  | { kind: "link_expired" };

/**
 * Verifies an address from any browser. Only the browser that signed up gets a session, because another person may have
 * chosen the password behind the link. Mail scanners open links first, so opening one again is not a failure.
 */
export async function verifyEmail(context: PeopleContext, visit: { token: string; browserToken: string | undefined }): Promise<VerifyOutcome> {
  const { store } = context;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(visit.token), kind: "verify", nowMs } as const;
  const found = await selectLink(store.db, link).executeTakeFirst();
  if (!found) return { kind: "link_expired" };
  const { account_id: accountId, email } = found;
  const note = { actorAccountId: accountId, action: "account.verify", subject: accountId, detail: {}, nowMs };
  await store.write([setVerified(store.db, { accountId, email, nowMs }), noteAction(store.db, note)], { firstIsGuard: true });
  await useLink(store.db, link).execute();
  const isHere = found.used_at === null && visit.browserToken !== undefined && hashToken(visit.browserToken) === found.browser_hash;
  return isHere ? { kind: "verified_here", accountId } : { kind: "verified" };
}
