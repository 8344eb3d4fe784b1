import { announceChange, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { type Mail, queueMail } from "../mail/queue-mail.ts";
import { setPasswordHash, setVerified } from "../register/accounts.table.ts";
import { noteAction } from "../register/audit.table.ts";
import { deleteMarks, deletePayeeProfile } from "../register/payees.table.ts";
import type { LinkKind } from "../store/schema-accounts.ts";
import type { Transaction, TransactionWork } from "../store/store.ts";
import { passwordChangedMail } from "./account-mails.ts";
import { deleteLinksOfAccount, forgetLinkPasswords, selectLink, useLink } from "./links.table.ts";
import { deleteChoices } from "./notices/choices.table.ts";
import { deleteSecondFactor } from "./second-factors.table.ts";
import { deleteChallengesOfAccount, deleteSignIns, selectSignInAccount } from "./sign-ins.table.ts";

/** Somebody follows a mailed link and thereby proves to read the address. */
export type AddressClaim = {
  tokenHash: string;
  nowMs: number;
  by:
    /** The link alone. A session is opened in the browser that signed up; the hash is of its cookie. */
    | { kind: "visit"; browserHash: string | undefined }
    /** A password that the person has chosen now. */
    | { kind: "new_password"; passwordHash: string; resetUrl: string };
};

export type ClaimOutcome =
  | {
      kind: "claimed";
      accountId: string;
      email: string;
      /** Whether the address was verified only now. */
      isFirst: boolean;
      /** Whether this is the browser that signed up. */
      isHere: boolean;
    }
  | { kind: "already_verified" }
  /** The link belongs to no single sign-up: whoever follows it chooses a password. */
  | { kind: "choose_password" }
  | { kind: "link_expired" };

type Link = { account_id: string; email: string; password_hash: string | null };

/**
 * The account now belongs to whoever reads the address. What was set up before, by whomever, is gone: sessions, second
 * factor, payee, choices of notices and keys. The passwords of other sign-ups are forgotten with it.
 */
async function clearAccount(tx: Transaction, accountId: string, nowMs: number): Promise<void> {
  const { db } = tx;
  for (const statement of [
    deleteSignIns(db, { accountId, exceptId: undefined }),
    deleteChallengesOfAccount(db, accountId),
    deleteSecondFactor(db, accountId),
    deletePayeeProfile(db, accountId),
    deleteMarks(db, accountId),
    deleteChoices(db, accountId),
    revokeKeysOfAccount(db, { accountId, nowMs }),
    forgetLinkPasswords(db, accountId),
    ...announceChange(db, { subject: `account:${accountId}`, nowMs }),
  ]) {
    await tx.change(statement);
  }
}

/** Sets the password and ends whatever the former one opened. */
async function setPassword(tx: Transaction, link: Link, { passwordHash, mail, nowMs }: { passwordHash: string; mail?: Mail; nowMs: number }): Promise<void> {
  const { db } = tx;
  const { account_id: accountId } = link;
  await tx.change(setPasswordHash(db, { accountId, passwordHash }));
  await tx.change(deleteSignIns(db, { accountId, exceptId: undefined }));
  await tx.change(deleteChallengesOfAccount(db, accountId));
  await tx.change(deleteLinksOfAccount(db, { accountId, kinds: ["reset", "change_email"] }));
  if (mail) await tx.change(queueMail(db, mail, nowMs));
}

async function findLink(tx: Transaction, { tokenHash, nowMs }: AddressClaim, kinds: readonly LinkKind[]) {
  for (const kind of kinds) {
    const [link] = await tx.run(selectLink(tx.db, { tokenHash, kind, nowMs }));
    if (link) return { ...link, kind };
  }
  return undefined;
}

/** Of two links that are followed at once, the first to verify the account decides on its password. */
async function visit(tx: Transaction, claim: AddressClaim, browserHash: string | undefined): Promise<ClaimOutcome> {
  const { nowMs, tokenHash } = claim;
  const link = await findLink(tx, claim, ["verify"]);
  const [account] = link ? await tx.run(selectSignInAccount(tx.db, { column: "id", value: link.account_id })) : [];
  if (!link || account?.email !== link.email) return { kind: "link_expired" };
  if (account.verified_at !== null) return { kind: "already_verified" };
  const { account_id: accountId, email, password_hash: passwordHash } = link;
  const isHere = browserHash !== undefined && browserHash === link.browser_hash;
  if (passwordHash === null) return { kind: "choose_password" };
  if ((await tx.change(setVerified(tx.db, { accountId, email, nowMs }))) === 0) return { kind: "already_verified" };
  await tx.run(useLink(tx.db, { tokenHash, kind: "verify", nowMs }));
  await clearAccount(tx, accountId, nowMs);
  await setPassword(tx, link, { passwordHash, nowMs });
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "account.verify", subject: accountId, detail: {}, nowMs }));
  return { kind: "claimed", accountId, email, isFirst: true, isHere };
}

async function reset(tx: Transaction, claim: AddressClaim, { passwordHash, resetUrl }: { passwordHash: string; resetUrl: string }): Promise<ClaimOutcome> {
  const { nowMs, tokenHash } = claim;
  const link = await findLink(tx, claim, ["reset", "verify"]);
  if (!link || link.used_at !== null) return { kind: "link_expired" };
  const { kind, account_id: accountId, email } = link;
  // The account before its links, as in `visit`: the two would otherwise wait for each other.
  const isFirst = (await tx.change(setVerified(tx.db, { accountId, email, nowMs }))) === 1;
  // A link of a sign-up is worth nothing once the address is verified.
  if (kind === "verify" && !isFirst) return { kind: "link_expired" };
  const isUsed = (await tx.run(useLink(tx.db, { tokenHash, kind, nowMs }))).length === 0;
  if (isUsed && isFirst) throw new Error("a link was used without its address being verified");
  if (isUsed) return { kind: "link_expired" };
  if (isFirst) await clearAccount(tx, accountId, nowMs);
  await setPassword(tx, link, { passwordHash, mail: passwordChangedMail({ to: email, accountId }, { resetUrl }), nowMs });
  if (isFirst) await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "account.verify", subject: accountId, detail: {}, nowMs }));
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "account.password", subject: accountId, detail: { by: "mailed link" }, nowMs }));
  return { kind: "claimed", accountId, email, isFirst, isHere: false };
}

export const work: TransactionWork<AddressClaim, ClaimOutcome> = (tx, claim) =>
  claim.by.kind === "visit" ? visit(tx, claim, claim.by.browserHash) : reset(tx, claim, claim.by);
