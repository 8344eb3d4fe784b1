import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerHour } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail, setEmail } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { addressChangedMail, addressChangeRequestedMail, alreadyRegisteredMail, confirmAddressMail, passwordChangedMail } from "./account-mails.ts";
import { replacePassword } from "./change-account.ts";
import { confirmPassword } from "./confirm-password.ts";
import { endSessions } from "./end-sessions.ts";
import { hashInOwnTurn, hashPassword } from "./hash-password.ts";
import { writeLetIn } from "./hold-sign-in.ts";
import { deleteLinksOfAccount, insertLink, selectLink, useLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageUrl } from "./reset-password.ts";
import { type Caller, writeWithNewToken } from "./sessions.ts";
import { parseEmail, requireGoodPassword } from "./sign-up.ts";
import { confirmStepUp, type StepUp } from "./step-up.ts";

/** Signs out every other browser and mails the account. */
export async function changePassword(context: PeopleContext, caller: Caller, passwords: { current: string; next: string }): Promise<void> {
  const { store } = context;
  const { signedIn } = caller;
  const { accountId, email } = signedIn;
  requireGoodPassword(passwords.next, email);
  await confirmPassword(context, signedIn, passwords.current);
  const passwordHash = await hashInOwnTurn(signedIn, (turn) => hashPassword(turn, passwords.next));
  const mail = passwordChangedMail({ to: email, accountId }, { resetUrl: resetPageUrl(context) });
  await writeWithNewToken(context, caller, [
    ...replacePassword(store, { accountId, passwordHash, exceptSignInId: signedIn.sessionId }),
    queueMail(store.db, mail, context.nowMs()),
    noteAction(store.db, { actorAccountId: accountId, action: "account.password", subject: accountId, detail: {}, nowMs: context.nowMs() }),
  ]);
  context.wakeMailer();
}

/**
 * Mails a link to the new address. If the address has an account, that account is mailed instead; the answer is the same.
 * The present address is told either way: its owner may not be the one who asks.
 */
export async function requestAddressChange(context: PeopleContext, signedIn: SignedIn, change: StepUp & { newEmail: string }): Promise<void> {
  const { store } = context;
  const { accountId } = signedIn;
  const nowMs = context.nowMs();
  const email = parseEmail(change.newEmail);
  if (email === signedIn.email) throw new Failure("invalid_request", "newEmail is already the account's address.");
  await confirmStepUp(context, signedIn, change);
  await context.throttle.take("change_address", accountId);
  await context.throttle.take("resend_address", email);
  const owner = await selectAccountByEmail(store.db, email).executeTakeFirst();
  const notice = queueMail(store.db, addressChangeRequestedMail({ to: signedIn.email, accountId }, { resetUrl: resetPageUrl(context) }), nowMs);
  if (owner) {
    const mail = alreadyRegisteredMail({ to: email, accountId: owner.id }, { signInUrl: context.publicUrl() + landingPaths.signIn });
    await writeLetIn(store, signedIn, [queueMail(store.db, mail, nowMs), notice], { nowMs });
  } else {
    const { token, row } = makeLink({ kind: "change_email", accountId, email, nowMs });
    const url = `${context.publicUrl()}${landingPaths.confirmEmail}?token=${token}`;
    const mail = confirmAddressMail({ to: email, accountId }, { url, hours: linkLifeMs.change_email / msPerHour });
    const links = [deleteLinksOfAccount(store.db, { accountId, kinds: ["change_email"] }), insertLink(store.db, row)];
    await writeLetIn(store, signedIn, [...links, queueMail(store.db, mail, nowMs), notice], { nowMs });
  }
  context.wakeMailer();
}

/**
 * Sets the confirmed address. It requires the account's own session: a link that was mailed to a misspelt address must
 * not give the account to a stranger.
 */
export async function confirmAddressChange(context: PeopleContext, caller: Caller, token: string): Promise<"changed" | "link_expired"> {
  const { store } = context;
  const { signedIn } = caller;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(token), kind: "change_email", nowMs } as const;
  const { accountId, email: from } = signedIn;
  const known = await selectLink(store.db, link).executeTakeFirst();
  if (!known || known.account_id !== accountId || known.used_at !== null) return "link_expired";
  const isTaken = async () => (await selectAccountByEmail(store.db, known.email).executeTakeFirst()) !== undefined;
  if (await isTaken()) return "link_expired";
  try {
    const guards = [
      useLink(store.db, link),
      setEmail(store.db, { accountId, from, to: known.email, nowMs }),
    ];
    const statements = [
      ...endSessions(store.db, { accountId, exceptId: signedIn.sessionId }),
      // Like the others that were mailed to the old address.
      deleteLinksOfAccount(store.db, { accountId, kinds: ["verify"] }),
      queueMail(store.db, addressChangedMail({ to: from, accountId }), nowMs),
      noteAction(store.db, { actorAccountId: accountId, action: "account.email", subject: accountId, detail: {}, nowMs }),
    ];
    const changes = await writeWithNewToken(context, caller, [...guards, ...statements], { guards: guards.length });
    if (changes.slice(0, guards.length).includes(0)) return "link_expired";
  } catch (error) {
    // A concurrent change may have taken the address: the unique index lets one of them have it.
    if (await isTaken()) return "link_expired";
    throw error;
  }
  context.wakeMailer();
  return "changed";
}
