import { landingPaths } from "@assay/contract/dashboard/account.ts";
import { Failure } from "../failure/failure.ts";
import { msPerMinute } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { selectAccountByEmail } from "../register/accounts.table.ts";
import { resetMail } from "./account-mails.ts";
import { claimAddress } from "./claim-address.ts";
import { hashInTurn, hashPassword } from "./hash-password.ts";
import { insertLink, selectLink } from "./links.table.ts";
import { hashToken, linkLifeMs, makeLink } from "./mailed-link.ts";
import type { PeopleContext } from "./people-context.ts";
import { parseEmail, requireGoodPassword } from "./sign-up.ts";
import { lineOf } from "./throttle-rule.ts";

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

export const linkExpired = () => new Failure("link_expired", "This link has expired or was already used. Request a new one.");

type Choice = { token: string; password: string; ip: string };

/** Sets the password that the reader of a mailed link chose, signs every browser out, and verifies the address if it was not verified yet. */
async function choosePassword(context: PeopleContext, { token, password, ip }: Choice, kinds: readonly ("reset" | "verify")[]) {
  const { store } = context;
  const tokenHash = hashToken(token);
  // Checks first: a weak password must not use up the link.
  const find = (kind: "reset" | "verify") => selectLink(store.db, { tokenHash, kind, nowMs: context.nowMs() }).executeTakeFirst();
  const found = await Promise.all(kinds.map(find));
  const known = found.find((link) => link !== undefined);
  if (!known || known.used_at !== null) throw linkExpired();
  requireGoodPassword(password, known.email);
  const passwordHash = await hashInTurn(lineOf(ip), (turn) => hashPassword(turn, password));
  const outcome = await claimAddress(context, { tokenHash, kinds, passwordHash, resetUrl: resetPageUrl(context) });
  if (outcome.kind !== "claimed") throw linkExpired();
  await context.throttle.resetSignIn({ email: outcome.email, ip });
  context.wakeMailer();
  return outcome;
}

/** The link of a sign-up does the same as that of a reset while the address is not verified. */
export async function resetByLink(context: PeopleContext, choice: Choice): Promise<void> {
  await choosePassword(context, choice, ["reset", "verify"]);
}

/** Verifies the address of a sign-up, with the password that is to open the account from then on. */
export const confirmAddress = (context: PeopleContext, choice: Choice) => choosePassword(context, choice, ["verify"]);
