import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { isoTimeOrNull } from "../formats/time.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { lockChains } from "../money/ledger/append-entries.ts";
import { payoutEvent } from "../money/payouts/payout-event.ts";
import { cancelOpenPayouts, selectCancellablePayouts } from "../money/payouts/payouts.table.ts";
import { selectUnsettled } from "../money/payouts/unsettled.table.ts";
import { noteActions } from "../register/audit.table.ts";
import { bankCountryOf } from "../register/bank-account.ts";
import { deleteMarksExcept, deleteUnlinksOf, selectPayee, upsertPayee } from "../register/payees.table.ts";
import type { AccountStatus } from "../store/schema.ts";
import type { Transaction, TransactionWork } from "../store/store.ts";
import { writeEvents } from "../webhooks/events/write-events.ts";
import { payeeChangedMail } from "./account-mails.ts";
import { enterMarks } from "./enter-marks.ts";
import { isStillLetIn, type LetIn } from "./hold-sign-in.ts";
import type { PayeeMark } from "./payee-marks.ts";

export type PayeeChange = { accountId: string; /** Undefined: nobody who is signed in asks for it. */ letIn?: LetIn; profile: PayeeProfile; marks: PayeeMark[]; restMs: number; resetUrl: string; nowMs: number };

export type PayeeChangeOutcome =
  | { kind: "changed"; restsUntilMs: number; cancelled: string[] }
  | { kind: "unchanged" }
  /** The account was suspended or closed meanwhile. */
  | { kind: "not_active"; status: AccountStatus }
  /** A credential was changed, or the session ended, while the request waited. */
  | { kind: "overtaken" };

const fields = ["legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country"] as const;
/** What decides where the money goes and to whom. A change of it rests, so that the account's owner has time to object. */
const restingFields = new Set<string>(["tax_id", "method", "account", "bank_code", "bank_country"]);

const cancelNote = "The payee was changed before the payout was exported.";

async function cancelPayouts(tx: Transaction, { accountId, nowMs }: PayeeChange) {
  const open = await tx.run(selectCancellablePayouts(tx.db, accountId));
  if (open.length > 0) await tx.change(cancelOpenPayouts(tx.db, { accountId, note: cancelNote, nowMs }));
  return open;
}

/**
 * An account that is held, or that was ever paid, keeps the marks that it leaves: others who share them stay linked to
 * it, and it to those before it. Any other account was nobody's way to be paid, so it takes its marks with it.
 */
async function replaceMarks(tx: Transaction, { accountId, marks, nowMs }: PayeeChange): Promise<void> {
  const unsettled = (await tx.run(selectUnsettled(tx.db, accountId)))[0]!;
  const isKept = [unsettled.open_holds, unsettled.open_findings, unsettled.payouts_made].some((count) => (count ?? 0) > 0);
  if (!isKept) await tx.change(deleteMarksExcept(tx.db, { accountId, kept: marks.map(({ mark }) => mark) }));
  await enterMarks(tx, { accountId, marks, atMs: nowMs });
}

/** The profile, its rest, its marks, the payouts that it cancels, the audit record and the mail change together. */
export const work: TransactionWork<PayeeChange, PayeeChangeOutcome> = async (tx, change) => {
  const { accountId, nowMs } = change;
  const profile = { ...change.profile, bank_country: change.profile.bank_country ?? null };
  // A payout is proposed under the same lock: it is made out to the new payee, or it is cancelled here.
  await lockChains(tx, [accountId]);
  if (change.letIn && !(await isStillLetIn(tx, change.letIn, nowMs))) return { kind: "overtaken" };
  const { email, status } = (await tx.run(selectUnsettled(tx.db, accountId)))[0]!;
  if (status !== "active") return { kind: "not_active", status };
  const [present] = await tx.run(selectPayee(tx.db, accountId));
  // What an earlier version left open is as the account said it already.
  const before = present && { ...present, bank_country: bankCountryOf(present) };
  const changed = fields.filter((field) => before?.[field] !== profile[field]);
  if (present && changed.length === 0) return { kind: "unchanged" };
  const isResting = present !== undefined && changed.some((field) => restingFields.has(field));
  const restsUntilMs = isResting ? nowMs + change.restMs : (present?.usable_from ?? 0);
  await tx.change(upsertPayee(tx.db, { account_id: accountId, ...profile, updated_at: nowMs, usable_from: restsUntilMs, marked_at: nowMs }));
  const cancelled = isResting ? await cancelPayouts(tx, change) : [];
  if (isResting) await tx.change(deleteUnlinksOf(tx.db, accountId));
  await replaceMarks(tx, change);
  const about = { isFirst: present === undefined, restsUntilMs: isResting ? restsUntilMs : undefined, isPayoutCancelled: cancelled.length > 0, resetUrl: change.resetUrl };
  await tx.change(queueMail(tx.db, payeeChangedMail({ to: email, accountId }, about), nowMs));
  const cancelledIds = cancelled.map(({ id }) => id);
  const data = { account_id: accountId, fields: changed, rests_until: isoTimeOrNull(isResting ? restsUntilMs : null), cancelled_payouts: cancelledIds };
  const payouts = cancelled.map((payout) => payoutEvent("cancelled", payout));
  await writeEvents(tx, [{ audience: accountId, type: "payee.changed", data }, ...payouts], nowMs);
  const own = { actorAccountId: accountId, accountId, nowMs };
  const notes = cancelled.map(({ id, amount_micro: amountMicro, status: from }) => {
    return { ...own, action: "payout.cancelled", subject: id, detail: { amount_micro: amountMicro, from, note: cancelNote } };
  });
  const detail = { fields: changed, is_first: present === undefined, rests_until: restsUntilMs, cancelled: cancelledIds };
  await tx.change(noteActions(tx.db, [...notes, { ...own, action: "payee.change", subject: accountId, detail }]));
  return { kind: "changed", restsUntilMs, cancelled: cancelledIds };
};
