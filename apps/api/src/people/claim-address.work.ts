import { announceChange, revokeKeysOfAccount } from "../access/keys/keys.table.ts";
import { eraseSites } from "../attestation/sites/sites.table.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { lockChains } from "../money/ledger/append-entries.ts";
import { cancelOpenPayouts, selectCancellablePayouts } from "../money/payouts/payouts.table.ts";
import { resetSettings, setPasswordHash, setVerified } from "../register/accounts.table.ts";
import { noteAction, type NotedAction } from "../register/audit.table.ts";
import { deletePayeeProfile, deleteUnlinksOf, deleteUnpaidMarks } from "../register/payees.table.ts";
import { withdrawTierRequest } from "../register/tier-requests.table.ts";
import type { LinkKind } from "../store/schema-accounts.ts";
import type { Transaction, TransactionWork } from "../store/store.ts";
import { eraseWebhooks } from "../webhooks/deliveries/erase-webhooks.ts";
import { passwordChangedMail } from "./account-mails.ts";
import { endSessions } from "./end-sessions.ts";
import { deleteLinksOfAccount, selectLink, useLink } from "./links.table.ts";
import { deleteChoices } from "./notices/choices.table.ts";
import { deleteSecondFactor } from "./second-factors.table.ts";
import { selectSignInAccount } from "./sign-ins.table.ts";

/** Somebody has chosen a password with a mailed link, and thereby proves to read the address. */
export type AddressClaim = {
  tokenHash: string;
  /** What the link may have been mailed for. */
  kinds: readonly LinkKind[];
  passwordHash: string;
  resetUrl: string;
  nowMs: number;
};

export type ClaimOutcome =
  | {
      kind: "claimed";
      accountId: string;
      email: string;
      /** Of the account's sign-ins, with the new password. */
      epoch: number;
      /** Whether the address was verified only now. */
      isFirst: boolean;
    }
  | { kind: "link_expired" };

type Owner = { accountId: string; nowMs: number };

const cancelNote = "The account's address was confirmed, and what had been entered before was removed.";

/**
 * The account now belongs to whoever reads the address. What was set up before, by whomever, is gone: second factor,
 * payee and payouts to it, keys, sites, webhook endpoints, requests, choices and links.
 */
async function clearAccount(tx: Transaction, { accountId, nowMs }: Owner): Promise<NotedAction[]> {
  const { db } = tx;
  const payouts = await tx.run(selectCancellablePayouts(db, accountId));
  for (const statement of [
    deleteSecondFactor(db, accountId),
    deletePayeeProfile(db, accountId),
    deleteUnpaidMarks(db, accountId),
    deleteUnlinksOf(db, accountId),
    cancelOpenPayouts(db, { accountId, note: cancelNote, nowMs }),
    withdrawTierRequest(db, { accountId, nowMs }),
    deleteChoices(db, accountId),
    resetSettings(db, accountId),
    deleteLinksOfAccount(db, { accountId, kinds: ["verify"] }),
    eraseSites(db, { accountId, nowMs }),
    revokeKeysOfAccount(db, { accountId, nowMs }),
    ...announceChange(db, { subject: `account:${accountId}`, nowMs }),
  ]) {
    await tx.change(statement);
  }
  // Last, like every lock of an audience's events.
  await eraseWebhooks(tx, accountId);
  const notes = payouts.map(({ id, amount_micro: amountMicro, status: from }) => {
    return { actorAccountId: accountId, accountId, action: "payout.cancelled", subject: id, detail: { amount_micro: amountMicro, from, note: cancelNote }, nowMs };
  });
  return [...notes, { actorAccountId: accountId, action: "account.verify", subject: accountId, detail: {}, nowMs }];
}

async function findLink(tx: Transaction, { tokenHash, kinds, nowMs }: AddressClaim) {
  for (const kind of kinds) {
    const [link] = await tx.run(selectLink(tx.db, { tokenHash, kind, nowMs }));
    if (link?.used_at === null) return { ...link, kind };
  }
  return undefined;
}

/** Of links that are used at once, the first to verify the account decides on its password. */
export const work: TransactionWork<AddressClaim, ClaimOutcome> = async (tx, claim) => {
  const { nowMs, tokenHash, passwordHash, resetUrl } = claim;
  const link = await findLink(tx, claim);
  if (!link) return { kind: "link_expired" };
  const { kind, account_id: accountId, email } = link;
  // Payouts are proposed under this lock. Then the account, and its links last: two claims would otherwise wait for each other.
  await lockChains(tx, [accountId]);
  const isFirst = (await tx.change(setVerified(tx.db, { accountId, email, nowMs }))) === 1;
  // A link of a sign-up is worth nothing once the address is verified.
  if (kind === "verify" && !isFirst) return { kind: "link_expired" };
  // Mailed to an address that the account no longer has.
  const [owner] = await tx.run(selectSignInAccount(tx.db, { column: "id", value: accountId }));
  if (owner?.email !== email) return { kind: "link_expired" };
  const isUsed = (await tx.change(useLink(tx.db, { tokenHash, kind, nowMs }))) === 0;
  if (isUsed && isFirst) throw new Error("a link was used without its address being verified");
  if (isUsed) return { kind: "link_expired" };
  await tx.change(setPasswordHash(tx.db, { accountId, passwordHash }));
  for (const statement of endSessions(tx.db, { accountId, exceptId: undefined })) await tx.change(statement);
  const notes = isFirst ? await clearAccount(tx, { accountId, nowMs }) : [];
  if (kind !== "verify") {
    await tx.change(queueMail(tx.db, passwordChangedMail({ to: email, accountId }, { resetUrl }), nowMs));
    notes.push({ actorAccountId: accountId, action: "account.password", subject: accountId, detail: { by: "mailed link" }, nowMs });
  }
  const { sign_in_epoch: epoch } = (await tx.run(selectSignInAccount(tx.db, { column: "id", value: accountId })))[0]!;
  for (const note of notes) await tx.change(noteAction(tx.db, note));
  return { kind: "claimed", accountId, email, epoch, isFirst };
};
