import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { passwordChangedMail, resetMail } from "./account-mails.ts";
import type { PeopleContext } from "./people-context.ts";
import { selectAccountByEmail, setVerified } from "../register/accounts.table.ts";
import { replacePassword } from "./change-account.ts";
import { hashPassword } from "./hash-password.ts";
import { insertLink, selectLink, useLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
import { parseEmail, requireGoodPassword } from "./sign-up.ts";
import { msPerMinute } from "../formats/time.ts";

export const resetPageOf = (context: PeopleContext): string => context.publicUrl() + landingPaths.resetPassword;

/** Mails a link to whoever has the address; for an unknown one nothing happens. */
export async function requestReset(context: PeopleContext, wish: { email: string }): Promise<void> {
  const { store } = context;
  const nowMs = context.nowMs();
  const email = parseEmail(wish.email);
  const account = await selectAccountByEmail(store.db, email).executeTakeFirst();
  if (!account) return;
  const { token, row } = makeLink({ kind: "reset", accountId: account.id, email, nowMs });
  const about = { url: `${resetPageOf(context)}?token=${token}`, minutes: linkLifeMs.reset / msPerMinute };
  await store.write([insertLink(store.db, row), queueMail(store.db, resetMail({ to: email, accountId: account.id }, about), nowMs)]);
  context.mailQueued();
}

const linkExpired = () => new Failure("link_expired", "This link is too old or was used already. Ask for a new one.");

/** Sets the password that the person with the link chose, and signs every browser out. The link also proves the address. */
export async function resetByLink(context: PeopleContext, wish: { token: string; password: string; ip: string }): Promise<void> {
  const { store } = context;
  const nowMs = context.nowMs();
  const link = { tokenHash: hashToken(wish.token), kind: "reset", nowMs } as const;
  // First everything that may be refused: a password that is too easy must not cost the person the link.
  const known = await selectLink(store.db, link).executeTakeFirst();
  if (!known || known.used_at !== null) throw linkExpired();
  requireGoodPassword(wish.password, known.email);
  const passwordHash = await hashPassword(wish.password);
  const used = await useLink(store.db, link).executeTakeFirst();
  if (!used) throw linkExpired();
  const { account_id: accountId, email } = used;
  await store.write([
    ...replacePassword(store, { accountId, passwordHash, exceptSignInId: undefined }),
    setVerified(store.db, { accountId, email, nowMs }),
    queueMail(store.db, passwordChangedMail({ to: email, accountId }, { resetUrl: resetPageOf(context) }), nowMs),
  ]);
  await context.throttle.forgiveSignIn({ email, ip: wish.ip });
  context.mailQueued();
}
