import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerMinute } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail, setVerified } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { passwordChangedMail, resetMail } from "./account-mails.ts";
import { replacePassword } from "./change-account.ts";
import { hashPassword } from "./hash-password.ts";
import { insertLink, selectLink, useLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
import type { PeopleContext } from "./people-context.ts";
import { parseEmail, requireGoodPassword } from "./sign-up.ts";

export const resetPageUrl = (context: Pick<PeopleContext, "publicUrl">): string => context.publicUrl() + landingPaths.resetPassword;

/** Mails a link to a registered address; does nothing for any other. */
export async function requestReset(context: PeopleContext, given: { email: string }): Promise<void> {
  const { store } = context;
  const nowMs = context.nowMs();
  const email = parseEmail(given.email);
  const account = await selectAccountByEmail(store.db, email).executeTakeFirst();
  if (!account) return;
  const { token, row } = makeLink({ kind: "reset", accountId: account.id, email, nowMs });
  const about = { url: `${resetPageUrl(context)}?token=${token}`, minutes: linkLifeMs.reset / msPerMinute };
  await store.write([insertLink(store.db, row), queueMail(store.db, resetMail({ to: email, accountId: account.id }, about), nowMs)]);
  context.wakeMailer();
}

const linkExpired = () => new Failure("link_expired", "This link has expired or was already used. Request a new one.");

/** Sets the password and signs every browser out. The link also verifies the address. */
export async function resetByLink(context: PeopleContext, reset: { token: string; password: string; ip: string }): Promise<void> {
  const { store } = context;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(reset.token), kind: "reset", nowMs } as const;
  // Checks first: a weak password must not use up the link.
  const known = await selectLink(store.db, link).executeTakeFirst();
  if (!known || known.used_at !== null) throw linkExpired();
  requireGoodPassword(reset.password, known.email);
  const passwordHash = await hashPassword(reset.password);
  const used = await useLink(store.db, link).executeTakeFirst();
  if (!used) throw linkExpired();
  const { account_id: accountId, email } = used;
  await store.write([
    ...replacePassword(store, { accountId, passwordHash, exceptSignInId: undefined }),
    setVerified(store.db, { accountId, email, nowMs }),
    queueMail(store.db, passwordChangedMail({ to: email, accountId }, { resetUrl: resetPageUrl(context) }), nowMs),
    noteAction(store.db, { actorAccountId: accountId, action: "account.password", subject: accountId, detail: { by: "mailed link" }, nowMs }),
  ]);
  await context.throttle.resetSignIn({ email, ip: reset.ip });
  context.wakeMailer();
}
