import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerHour } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { alreadyRegisteredMail, verifyMail } from "./account-mails.ts";
import { judgePassword, passwordAdvice } from "./check-password.ts";
import { claimAddress } from "./claim-address.ts";
import type { ClaimOutcome } from "./claim-address.work.ts";
import { createAccount, isEmail, normalizeEmail } from "./create-account.ts";
import { hashPassword } from "./hash-password.ts";
import { insertLink, selectSignUps } from "./links.table.ts";
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

type Verification = {
  accountId: string;
  email: string;
  isRepeat?: boolean;
  browserToken?: string | undefined;
  /** Null: whoever follows the link chooses a password. */
  passwordHash: string | null;
  nowMs: number;
};

/** The statements that mail a verification link. */
function queueVerification({ store, publicUrl }: PeopleContext, { accountId, email, isRepeat = false, browserToken, passwordHash, nowMs }: Verification) {
  const { token, row } = makeLink({ kind: "verify", accountId, email, browserToken, passwordHash, nowMs });
  const url = `${publicUrl()}/dashboard/api/auth/verify-email?token=${token}`;
  const mail = verifyMail({ to: email, accountId }, { url, hours: linkLifeMs.verify / msPerHour, isRepeat });
  return [insertLink(store.db, row), queueMail(store.db, mail, nowMs)];
}

/**
 * Opens an account, or mails the account that has the address; the answer does not reveal which. The password stays with
 * the mailed link: an account has none before its address is verified, so nobody can choose one for somebody else.
 */
export async function signUp(context: PeopleContext, given: { email: string; password: string; browserToken: string }): Promise<void> {
  const nowMs = context.nowMs();
  const email = parseEmail(given.email);
  const { password, browserToken } = given;
  requireGoodPassword(password, email);
  // Before anything is known about the address, against timing.
  const passwordHash = await hashPassword(password);
  const account = { email, tier: firstTier, verified: false, operator: false, password: undefined, isSignUp: true as const };
  const outcome = await createAccount(context.store, account, nowMs, ({ id: accountId }) =>
    queueVerification(context, { accountId, email, browserToken, passwordHash, nowMs }),
  );
  if (outcome.kind === "email_taken") await mailOwner(context, { email, browserToken, passwordHash, nowMs });
  else if (outcome.kind !== "created") throw new Error(`an account could not be opened: ${outcome.kind}`);
  context.wakeMailer();
}

async function mailOwner(context: PeopleContext, signUpAgain: { email: string; browserToken: string; passwordHash: string; nowMs: number }): Promise<void> {
  const { email, nowMs } = signUpAgain;
  const owner = await selectAccountByEmail(context.store.db, email).executeTakeFirst();
  if (!owner) return;
  if (owner.verified_at === null) {
    await context.store.write(queueVerification(context, { accountId: owner.id, isRepeat: true, ...signUpAgain }));
  } else {
    const mail = alreadyRegisteredMail({ to: email, accountId: owner.id }, { signInUrl: context.publicUrl() + landingPaths.signIn });
    await context.store.write([queueMail(context.store.db, mail, nowMs)]);
  }
}

/** The password behind a link that is mailed again: of this browser's sign-up, or of the only one there is. */
async function findSignUpPassword({ store }: PeopleContext, accountId: string, browserToken: string | undefined): Promise<string | null> {
  const signUps = await selectSignUps(store.db, accountId).execute();
  const own = browserToken === undefined ? undefined : signUps.find((each) => each.browser_hash === hashToken(browserToken));
  if (own) return own.password_hash;
  const passwords = new Set(signUps.map((each) => each.password_hash));
  return passwords.size === 1 ? signUps[0]!.password_hash : null;
}

/** Mails a new link to an unverified address; does nothing for any other. */
export async function sendVerification(context: PeopleContext, given: { email: string; browserToken: string | undefined }): Promise<void> {
  const { store } = context;
  const email = parseEmail(given.email);
  const { browserToken } = given;
  const account = await selectAccountByEmail(store.db, email).executeTakeFirst();
  if (!account || account.verified_at !== null) return;
  const accountId = account.id;
  const passwordHash = await findSignUpPassword(context, accountId, browserToken);
  await store.write(queueVerification(context, { accountId, email, browserToken, passwordHash, nowMs: context.nowMs() }));
  context.wakeMailer();
}

/** Verifies an address with the password of the sign-up whose link it is. A session is opened in the browser that signed up only. */
export const verifyEmail = (context: PeopleContext, visit: { token: string; browserToken: string | undefined }): Promise<ClaimOutcome> =>
  claimAddress(context, {
    tokenHash: hashToken(visit.token),
    by: { kind: "visit", browserHash: visit.browserToken === undefined ? undefined : hashToken(visit.browserToken) },
  });
