import { type NotedAction, noteActions } from "../../register/audit.table.ts";
import type { PayoutRecord, PayoutStatus } from "../../store/schema-payouts.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import { type NewEvent, writeEvents } from "../../webhooks/events/write-events.ts";
import { type DecisionHeads, findOwnInterest, lockForDecision } from "../four-eyes/find-own-interest.ts";
import { appendEntries, type LockedHeads, type NewEntry } from "../ledger/append-entries.ts";
import { demoMoney, type Pool, realMoney } from "../ledger/pools.ts";
import { findDemoAccounts } from "./find-demo-accounts.ts";
import { payableUpToMicroUsd, type WaitReason } from "./money-states.ts";
import { hasPayeeChanged, payeeSnapshot, readSnapshot } from "./payee-snapshot.ts";
import { lockPayout, movePayout, selectPayoutById, setPayee } from "./payouts.table.ts";
import { readPlatformMoneyIn } from "./platform-money.ts";
import { payoutEvent } from "./payout-event.ts";
import { type AccountMoney, readMoneyOf } from "./read-account-money.ts";

export type PayoutMove = {
  payoutIds: string[];
  to: Exclude<PayoutStatus, "proposed">;
  note: string | null;
  /** The operator. Null: nobody in particular, as in tests and earlier versions' commands. */
  actorAccountId: string | null;
  /** Whether an approval needs somebody other than the proposer, and nobody may act on a payout of its own. */
  fourEyes: boolean;
  /** The run of an export. */
  exportId?: string;
  unreviewedMonthlyMicroUsd: number;
  nowMs: number;
};

/** What speaks against a step, from the account's money as it is now. */
export type PayoutObjection =
  /** What the account can be paid no longer covers it: clicks were reversed or corrections booked since the proposal. */
  { kind: "balance_too_low"; payableMicroUsd: number } | { kind: "waits"; reason: WaitReason };

/**
 * What would have kept an exported payout from leaving, had it been known before, or this operator from every other step.
 * That it was paid is a fact.
 */
export type PaidDespite = PayoutObjection | { kind: "own_account" };

export type PayoutMoveOutcome =
  | { kind: "moved"; payout: PayoutRecord; receipt: string | undefined; despite: PaidDespite | null }
  | { kind: "unknown" }
  | { kind: "wrong_state"; status: PayoutStatus }
  | PayoutObjection
  | { kind: "own_payout" }
  | { kind: "same_operator" };

type LockedPayout = PayoutRecord & { payee: string | null };

/** Allowed transitions. A payout that is returned before it was paid moved no money. */
const statesBefore: Record<PayoutMove["to"], readonly PayoutStatus[]> = {
  approved: ["proposed"],
  exported: ["approved"],
  paid: ["exported"],
  returned: ["proposed", "approved", "exported", "paid"],
  cancelled: ["proposed", "approved"],
};

const movesForward: ReadonlySet<PayoutMove["to"]> = new Set(["approved", "exported", "paid"]);

function entryOf(payout: PayoutRecord, move: PayoutMove): NewEntry | undefined {
  const isPaid = move.to === "paid";
  if (!isPaid && !(move.to === "returned" && payout.status === "paid")) return undefined;
  const amountMicroUsd = isPaid ? -payout.amount_micro : payout.amount_micro;
  return {
    accountId: payout.account_id,
    atMs: move.nowMs,
    kind: isPaid ? "payout" : "payout_returned",
    ref: payout.id,
    endpoint: "payout",
    payer: "platform",
    shareBps: 10_000,
    grossMicroUsd: amountMicroUsd,
    developerMicroUsd: amountMicroUsd,
  };
}

/** Who may not do this. Without four eyes one person may do everything. */
async function findPersonalRefusal(tx: Transaction, heads: DecisionHeads, payout: PayoutRecord, move: PayoutMove): Promise<PayoutMoveOutcome | undefined> {
  const { actorAccountId, fourEyes, to } = move;
  if (!fourEyes || actorAccountId === null) return undefined;
  if ((await findOwnInterest(tx, heads, move, payout.account_id)) !== null) return { kind: "own_payout" };
  return to === "approved" && payout.proposed_by === actorAccountId ? { kind: "same_operator" } : undefined;
}

/** After an export the bank has the file: a payee that is changed then is the next payout's matter. */
function findPayeeReason(payout: LockedPayout, { payee }: AccountMoney, nowMs: number): WaitReason | undefined {
  if (!payee) return "payee_missing";
  if (payee.usable_from > nowMs) return "payee_changed";
  return payout.payee !== null && hasPayeeChanged(readSnapshot(payout.payee), payee) ? "payee_changed" : undefined;
}

/** What the step checks again, with facts that were read after the account's chain was locked. */
function findObjection(payout: LockedPayout, move: PayoutMove, context: { money: AccountMoney; availableMicroUsd: number }): PayoutObjection | undefined {
  const { money, availableMicroUsd } = context;
  if (money.facts.hasHold) return { kind: "waits", reason: "held" };
  if (money.facts.hasFinding) return { kind: "waits", reason: "finding_open" };
  if (money.facts.isLinkedToHeld) return { kind: "waits", reason: "linked_account" };
  const payeeReason = move.to === "paid" ? undefined : findPayeeReason(payout, money, move.nowMs);
  if (payeeReason !== undefined) return { kind: "waits", reason: payeeReason };
  const payableMicroUsd = payableUpToMicroUsd(money.sums);
  // An account has one open payout, this one. Were there two, neither would leave.
  const openMicroUsd = move.to === "paid" ? payout.amount_micro : Math.max(payout.amount_micro, money.sums.inPayoutMicroUsd);
  if (payableMicroUsd < openMicroUsd) return { kind: "balance_too_low", payableMicroUsd };
  if (payableMicroUsd - money.growth.waitingMicroUsd < payout.amount_micro) return { kind: "waits", reason: "growth_review" };
  // Open payouts, this one among them, are not part of what is available.
  return availableMicroUsd < 0 ? { kind: "waits", reason: "not_funded" } : undefined;
}

type Moved = Extract<PayoutMoveOutcome, { kind: "moved" }>;

/** The status, and the ledger entry if money moves. */
async function carryOut(tx: Transaction, heads: LockedHeads, payout: LockedPayout, move: PayoutMove, money: AccountMoney): Promise<Omit<Moved, "despite">> {
  const { to, note, actorAccountId, nowMs } = move;
  const newEntry = entryOf(payout, move);
  const [entry] = newEntry ? await appendEntries(tx, heads, [newEntry]) : [];
  const set: Partial<PayoutRecord> = { [`${to}_at`]: nowMs, note: note ?? payout.note };
  if (entry) Object.assign(set, to === "paid" ? { payout_seq: entry.seq } : { returned_seq: entry.seq });
  if (to === "approved") set.approved_by = actorAccountId;
  if (to === "exported") set.export_id = move.exportId ?? null;
  const isWithoutPayee = payout.payee === null && (to === "approved" || to === "exported");
  if (isWithoutPayee) await tx.change(setPayee(tx.db, { payoutId: payout.id, payee: payeeSnapshot(money.payee!) }));
  await tx.change(movePayout(tx.db, { payoutId: payout.id, from: payout.status, to, set }));
  const { payee: _payee, ...record } = payout;
  return { kind: "moved", payout: { ...record, ...set, status: to }, receipt: entry && `${entry.seq}.${entry.hash}` };
}

const nameOf = (despite: PaidDespite): string => (despite.kind === "waits" ? despite.reason : despite.kind);

function noteOf(payout: PayoutRecord, { to, note, actorAccountId, nowMs }: PayoutMove, despite: PaidDespite | null): NotedAction {
  const detail = { amount_micro: payout.amount_micro, from: payout.status, note, ...(despite && { despite: nameOf(despite) }) };
  return { actorAccountId, action: `payout.${to}`, subject: payout.id, accountId: payout.account_id, detail, nowMs };
}

/** Lock order: chains in id order, then payouts, the ends of events, and the end of the audit log. The sums over all accounts are read before anything is locked. */
export const work: TransactionWork<PayoutMove, PayoutMoveOutcome[]> = async (tx, move) => {
  // A payout's account never changes, so it may be read before the chain is locked.
  const found = new Map<string, PayoutRecord>();
  for (const payoutId of move.payoutIds) {
    const [payout] = await tx.run(selectPayoutById(tx.db, payoutId));
    if (payout) found.set(payoutId, payout);
  }
  const accountIds = [...found.values()].map((payout) => payout.account_id);
  const isForward = movesForward.has(move.to);
  const demoIds = await findDemoAccounts(tx, accountIds);
  const readAvailable = async (pool: Pool, accounts: number) => (isForward && accounts > 0 ? (await readPlatformMoneyIn(tx, pool)).availableMicroUsd : 0);
  const realMicroUsd = await readAvailable(realMoney, accountIds.filter((id) => !demoIds.has(id)).length);
  const demoMicroUsd = await readAvailable(demoMoney, demoIds.size);
  const heads = await lockForDecision(tx, move, accountIds);
  const read = accountIds.length === 0 ? [] : await readMoneyOf(tx, { ...move, accountIds, minimumMicroUsd: 0 });
  const moneyOf = new Map(read.map((money) => [money.accountId, money]));
  const outcomes: PayoutMoveOutcome[] = [];
  const notes: NotedAction[] = [];
  const events: NewEvent[] = [];
  for (const payoutId of move.payoutIds) {
    const accountId = found.get(payoutId)?.account_id;
    if (accountId === undefined) {
      outcomes.push({ kind: "unknown" });
      continue;
    }
    const payout = (await tx.run(lockPayout(tx.db, payoutId)))[0]!;
    const money = moneyOf.get(accountId)!;
    if (!statesBefore[move.to].includes(payout.status)) {
      outcomes.push({ kind: "wrong_state", status: payout.status });
      continue;
    }
    const availableMicroUsd = demoIds.has(accountId) ? demoMicroUsd : realMicroUsd;
    const objection = isForward ? findObjection(payout, move, { money, availableMicroUsd }) : undefined;
    const personal = await findPersonalRefusal(tx, heads, payout, move);
    // The bank has the file: whatever is held by now, and whose bank account the developer names by now, that it paid is
    // recorded. It only takes from the account, and its payee and sum were fixed before the export.
    const isFact = move.to === "paid";
    const refusal = isFact ? undefined : (personal ?? objection);
    if (refusal) {
      outcomes.push(refusal);
      continue;
    }
    const despite = personal ? { kind: "own_account" as const } : (objection ?? null);
    outcomes.push({ ...(await carryOut(tx, heads, payout, move, money)), despite });
    notes.push(noteOf(payout, move, despite));
    events.push(payoutEvent(move.to, payout));
  }
  await writeEvents(tx, events, move.nowMs);
  if (notes.length > 0) await tx.change(noteActions(tx.db, notes));
  return outcomes;
};
