import { queueMail } from "../mail/queue-mail.ts";
import { secondFactorMail } from "./account-mails.ts";
import type { PeopleContext } from "./people-context.ts";
import { selectSignInAccount } from "./auth.table.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageOf } from "./reset-password.ts";

/** Who is about to switch two-factor on: signed in, and without it so far. */
export async function findWhoSetsUp(context: PeopleContext, who: SignedIn | undefined): Promise<SignedIn | undefined> {
  if (!who) return undefined;
  const account = await selectSignInAccount(context.store.db, { column: "id", value: who.accountId }).executeTakeFirst();
  return Number(account?.second_factors) === 0 ? who : undefined;
}

/** Whoever owns the address learns that the way in has changed. */
export async function tellTwoFactor(context: PeopleContext, { email: to, accountId }: SignedIn, about: { enabled: boolean }): Promise<void> {
  const mail = secondFactorMail({ to, accountId }, { ...about, resetUrl: resetPageOf(context) });
  await context.store.write([queueMail(context.store.db, mail, context.nowMs())]);
  context.mailQueued();
}
