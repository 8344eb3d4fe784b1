import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { alreadyRegisteredMail, verifyMail } from "./account-mails.ts";
import type { PeopleContext } from "./people-context.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { judgePassword, passwordAdvice } from "./check-password.ts";
import { createAccount, isEmail, normalizeEmail } from "./create-account.ts";
import { hashPassword } from "./hash-password.ts";
import { insertLink } from "./links.table.ts";
import { linkLifeMs, makeLink } from "./mailed-link.ts";
import { msPerHour } from "../formats/time.ts";

/** Who signs up by himself begins here. */
const firstTier = "Starter";

/** An address as it is kept, or a failure that the caller may read. */
export function parseEmail(given: string): string {
  const email = normalizeEmail(given);
  if (!isEmail(email)) throw new Failure("invalid_request", "email must be an e-mail address.");
  return email;
}

export function requireGoodPassword(password: string, email: string): void {
  const verdict = judgePassword(password, email);
  if (verdict !== "fine") throw new Failure("invalid_request", passwordAdvice[verdict]);
}

type Whom = { accountId: string; email: string };

/** The statements that mail somebody a link to prove the address with. */
function verificationOf(context: PeopleContext, whom: Whom, about: { isRepeat: boolean; browserToken: string | undefined; nowMs: number }) {
  const { nowMs, browserToken, isRepeat } = about;
  const { token, row } = makeLink({ kind: "verify", ...whom, browserToken, nowMs });
  const url = `${context.publicUrl()}/dashboard/api/auth/verify-email?token=${token}`;
  const mail = verifyMail({ to: whom.email, accountId: whom.accountId }, { url, hours: linkLifeMs.verify / msPerHour, isRepeat });
  return [insertLink(context.store.db, row), queueMail(context.store.db, mail, nowMs)];
}

/**
 * Opens an account, or mails the one that the address belongs to: the caller cannot tell which. What exists already is
 * never changed by a sign-up: not even an unverified account's password, which somebody else may have chosen.
 */
export async function signUp(context: PeopleContext, wish: { email: string; password: string; browserToken: string }): Promise<void> {
  const { store } = context;
  const nowMs = context.nowMs();
  const email = parseEmail(wish.email);
  requireGoodPassword(wish.password, email);
  const { browserToken } = wish;
  const account = { email, tier: firstTier, verified: false, operator: false, password: wish.password };
  const outcome = await createAccount(store, account, nowMs, ({ id: accountId }) =>
    verificationOf(context, { accountId, email }, { isRepeat: false, browserToken, nowMs }),
  );
  if (outcome.kind === "email_taken") {
    // As much work as a new account takes.
    await hashPassword(wish.password);
    await mailOwner(context, email, nowMs);
  } else if (outcome.kind !== "created") {
    throw new Error(`an account could not be opened: ${outcome.kind}`);
  }
  context.mailQueued();
}

async function mailOwner(context: PeopleContext, email: string, nowMs: number): Promise<void> {
  const owner = await selectAccountByEmail(context.store.db, email).executeTakeFirst();
  if (!owner) return;
  const whom = { accountId: owner.id, email };
  if (owner.verified_at === null) {
    await context.store.write(verificationOf(context, whom, { isRepeat: true, browserToken: undefined, nowMs }));
  } else {
    const mail = alreadyRegisteredMail({ to: email, accountId: owner.id }, { signInUrl: context.publicUrl() + landingPaths.signIn });
    await context.store.write([queueMail(context.store.db, mail, nowMs)]);
  }
}

/** Mails the link once more to an address that waits for its verification; for any other nothing happens. */
export async function sendVerification(context: PeopleContext, wish: { email: string }): Promise<void> {
  const nowMs = context.nowMs();
  const email = parseEmail(wish.email);
  const account = await selectAccountByEmail(context.store.db, email).executeTakeFirst();
  if (!account || account.verified_at !== null) return;
  const about = { isRepeat: false, browserToken: undefined, nowMs };
  await context.store.write(verificationOf(context, { accountId: account.id, email }, about));
  context.mailQueued();
}
