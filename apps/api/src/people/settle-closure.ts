import { eraseKeyNames } from "../access/keys/keys.table.ts";
import { eraseSites } from "../attestation/sites/sites.table.ts";
import { deleteMailsOfAccount, selectMailIdsOfAccount } from "../mail/mails.table.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { eraseAnswers } from "../money/findings/findings.table.ts";
import type { LockedHeads } from "../money/ledger/append-entries.ts";
import { erasePayeesOfPayouts } from "../money/payouts/payouts.table.ts";
import { pendingOf } from "../money/payouts/pending.ts";
import { eraseStatements } from "../money/waiting/waiting.table.ts";
import { selectUnsettled } from "../money/payouts/unsettled.table.ts";
import { eraseAccountRow } from "../register/accounts.table.ts";
import type { NotedAction } from "../register/audit.table.ts";
import { deletePayeeProfile, deleteUnlinksOf, deleteUnmarkedUnlinksFrom, deleteUnpaidMarks } from "../register/payees.table.ts";
import type { Transaction } from "../store/store.ts";
import { eraseWebhooks } from "../webhooks/deliveries/erase-webhooks.ts";
import { closedMail } from "./account-mails.ts";
import { markErased, selectClosure } from "./closures.table.ts";
import { giveUpBalance } from "./give-up-balance.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import { deleteChoices } from "./notices/choices.table.ts";
import { deleteSecondFactor } from "./second-factors.table.ts";
import { deleteChallengesOfAccount, deleteSignIns } from "./sign-ins.table.ts";

export type EraseAccount = { accountId: string; nowMs: number };
export type EraseOutcome =
  /** The mails are gone from the store; their files are not. */
  | { kind: "erased"; mailIds: string[] }
  /** What arrived since can be paid to nobody: it is given up too. */
  | { kind: "already_erased" }
  | { kind: "waits" };

/** `notes` are to be written last. */
type Settlement = { outcome: EraseOutcome; notes: NotedAction[] };

/** All personal data, but for the keyed marks of an account that was paid, which clean-up-accounts.ts deletes later. The ledger stays, under an account id that no longer identifies a person. */
async function erase(tx: Transaction, { accountId, email, nowMs }: EraseAccount & { email: string }): Promise<void> {
  const { db } = tx;
  const statements = [
    deleteSignIns(db, { accountId, exceptId: undefined }),
    deleteChallengesOfAccount(db, accountId),
    deleteSecondFactor(db, accountId),
    deleteLinksOfAccount(db, { accountId, kinds: ["verify", "reset", "change_email"] }),
    deleteMailsOfAccount(db, accountId),
    deleteChoices(db, accountId),
    eraseKeyNames(db, accountId),
    eraseSites(db, { accountId, nowMs }),
    deletePayeeProfile(db, accountId),
    deleteUnpaidMarks(db, accountId),
    deleteUnlinksOf(db, accountId),
    deleteUnmarkedUnlinksFrom(db, accountId),
    erasePayeesOfPayouts(db, accountId),
    eraseAnswers(db, accountId),
    eraseStatements(db, accountId),
    eraseAccountRow(db, accountId),
    markErased(db, { accountId, nowMs }),
    // The last mail belongs to no account, and its content is deleted once it is sent.
    queueMail(db, closedMail({ to: email, accountId: undefined }, { erased: true }), nowMs),
  ];
  for (const statement of statements) await tx.change(statement);
  // Last, like every lock of an audience's events.
  await eraseWebhooks(tx, accountId);
}

/**
 * Erases a closed account once nothing is open: no hold, no finding, no payout on its way, no call or click that may
 * still be reversed, and a balance of 0 or one that was given up. A debt stays until an operator settles it. The caller has locked
 * the account's chain, under which payouts are proposed and holds are opened.
 */
export async function settleClosure(tx: Transaction, heads: LockedHeads, { accountId, nowMs }: EraseAccount): Promise<Settlement> {
  const waits: Settlement = { outcome: { kind: "waits" }, notes: [] };
  const [closure] = await tx.run(selectClosure(tx.db, accountId));
  const unsettled = (await tx.run(selectUnsettled(tx.db, accountId)))[0]!;
  const pending = pendingOf(unsettled);
  const isOpen = [unsettled.open_holds, unsettled.open_findings, unsettled.open_payouts, pending.calls, pending.clicks].some((count) => (count ?? 0) > 0);
  const balanceMicroUsd = heads.get(accountId)!.balance_micro;
  if (!closure || isOpen || balanceMicroUsd < 0) return waits;
  const isErased = closure.erased_at !== null;
  if (balanceMicroUsd > 0 && closure.forfeited === 0 && !isErased) return waits;
  const notes = balanceMicroUsd > 0 ? await giveUpBalance(tx, heads, { accountId, nowMs }) : [];
  if (isErased) return { outcome: { kind: "already_erased" }, notes };
  const mailIds = (await tx.run(selectMailIdsOfAccount(tx.db, accountId))).map(({ id }) => id);
  await erase(tx, { accountId, email: unsettled.email, nowMs });
  return { outcome: { kind: "erased", mailIds }, notes: [...notes, { actorAccountId: accountId, action: "account.erase", subject: accountId, detail: {}, nowMs }] };
}
