import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { addressChangedMail, alreadyRegisteredMail, confirmAddressMail, passwordChangedMail } from "./account-mails.ts";
import type { PeopleContext } from "./people-context.ts";
import { selectAccountByEmail, setEmail } from "../register/accounts.table.ts";
import { selectSignInAccount } from "./auth.table.ts";
import { replacePassword } from "./change-account.ts";
import { hashPassword, isPassword } from "./hash-password.ts";
import { deleteLinksOfAccount, insertLink, selectLink, useLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageOf } from "./reset-password.ts";
import { parseEmail, requireGoodPassword } from "./sign-up.ts";
import { msPerHour } from "../formats/time.ts";

/** Asks for the password once more before something that a borrowed browser must not do. Guesses are counted. */
export async function confirmPassword(context: PeopleContext, who: SignedIn, password: string): Promise<void> {
  await context.throttle.take("confirm_account", who.accountId);
  const account = await selectSignInAccount(context.store.db, { column: "id", value: who.accountId }).executeTakeFirst();
  const stored = account?.password_hash ?? undefined;
  if (stored === undefined || !(await isPassword(password, stored))) throw new Failure("wrong_password", "The password is wrong.");
  await context.throttle.forgive("confirm_account", who.accountId);
}

/** Every other browser is signed out, and the owner is told. */
export async function changePassword(context: PeopleContext, who: SignedIn, wish: { current: string; next: string }): Promise<void> {
  const { store } = context;
  const { accountId, email } = who;
  requireGoodPassword(wish.next, email);
  await confirmPassword(context, who, wish.current);
  const passwordHash = await hashPassword(wish.next);
  const mail = passwordChangedMail({ to: email, accountId }, { resetUrl: resetPageOf(context) });
  await store.write([
    ...replacePassword(store, { accountId, passwordHash, exceptSignInId: who.sessionId }),
    queueMail(store.db, mail, context.nowMs()),
  ]);
  context.mailQueued();
}

/** Mails a link to the new address. If that has an account already, its owner is told instead, and the caller is not. */
export async function requestAddressChange(context: PeopleContext, who: SignedIn, wish: { newEmail: string; password: string }): Promise<void> {
  const { store } = context;
  const { accountId } = who;
  const nowMs = context.nowMs();
  const email = parseEmail(wish.newEmail);
  if (email === who.email) throw new Failure("invalid_request", "newEmail is the address that the account has already.");
  await confirmPassword(context, who, wish.password);
  await context.throttle.take("resend_address", email);
  const owner = await selectAccountByEmail(store.db, email).executeTakeFirst();
  if (owner) {
    const mail = alreadyRegisteredMail({ to: email, accountId: owner.id }, { signInUrl: context.publicUrl() + landingPaths.signIn });
    await store.write([queueMail(store.db, mail, nowMs)]);
  } else {
    const { token, row } = makeLink({ kind: "change_email", accountId, email, nowMs });
    const url = `${context.publicUrl()}/dashboard/api/auth/confirm-email?token=${token}`;
    const mail = confirmAddressMail({ to: email, accountId }, { url, hours: linkLifeMs.change_email / msPerHour });
    await store.write([
      deleteLinksOfAccount(store.db, { accountId, kinds: ["change_email"] }),
      insertLink(store.db, row),
      queueMail(store.db, mail, nowMs),
    ]);
  }
  context.mailQueued();
}

/**
 * Makes the confirmed address the account's. The account's own session is asked for: a link that was mailed to a
 * misspelt address must not hand the account to a stranger.
 */
export async function confirmAddressChange(context: PeopleContext, who: SignedIn, token: string): Promise<"changed" | "link_expired"> {
  const { store } = context;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(token), kind: "change_email", nowMs } as const;
  const known = await selectLink(store.db, link).executeTakeFirst();
  if (!known || known.account_id !== who.accountId || known.used_at !== null) return "link_expired";
  const isTaken = async () => (await selectAccountByEmail(store.db, known.email).executeTakeFirst()) !== undefined;
  if ((await isTaken()) || !(await useLink(store.db, link).executeTakeFirst())) return "link_expired";
  const { accountId, email: from } = who;
  try {
    await store.write([
      setEmail(store.db, { accountId, from, to: known.email, nowMs }),
      // Links that were mailed to the old address open nothing any more.
      deleteLinksOfAccount(store.db, { accountId, kinds: ["verify", "reset"] }),
      queueMail(store.db, addressChangedMail({ to: from, accountId }), nowMs),
    ]);
  } catch (error) {
    // Somebody may have taken the address at this very moment: the database lets one of them have it.
    if (await isTaken()) return "link_expired";
    throw error;
  }
  context.mailQueued();
  return "changed";
}
