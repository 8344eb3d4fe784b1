import { noteAction } from "../../register/audit.table.ts";
import type { PayoutRow, PayoutStatus } from "../../store/schema-payouts.ts";
import type { TransactionWork } from "../../store/store.ts";
import { appendEntries, lockChains, type NewEntry } from "../ledger/append-entries.ts";
import { sumPrepaid } from "../ledger/prepaid.table.ts";
import { lockPayout, movePayout, selectPayoutById } from "./payouts.table.ts";

export type PayoutMove = {
  payoutId: string;
  to: Exclude<PayoutStatus, "proposed">;
  note: string | null;
  /** Null for the command line. */
  actorAccountId: string | null;
  nowMs: number;
};

export type PayoutMoveOutcome =
  | { kind: "moved"; payout: PayoutRow; receipt: string | undefined }
  | { kind: "unknown" }
  | { kind: "wrong_state"; status: PayoutStatus }
  /** Clicks were reversed since the proposal. */
  | { kind: "balance_too_low"; balanceMicroUsd: number };

/** Allowed transitions. A payout that is returned before it was paid moved no money. */
const statesBefore: Record<PayoutMove["to"], readonly PayoutStatus[]> = {
  approved: ["proposed"],
  exported: ["approved"],
  paid: ["exported"],
  returned: ["proposed", "approved", "exported", "paid"],
  cancelled: ["proposed", "approved"],
};

function entryOf(payout: PayoutRow, move: PayoutMove): NewEntry | undefined {
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

/** The status, the ledger entry if money moves, and the audit record change together. */
export const work: TransactionWork<PayoutMove, PayoutMoveOutcome> = async (tx, move) => {
  const { payoutId, to, nowMs, note, actorAccountId } = move;
  // A payout's account never changes, so it may be read before the chain, which is always locked first.
  const [found] = await tx.run(selectPayoutById(tx.db, payoutId));
  if (!found) return { kind: "unknown" };
  const heads = await lockChains(tx, [found.account_id]);
  const payout = (await tx.run(lockPayout(tx.db, payoutId)))[0]!;
  if (!statesBefore[to].includes(payout.status)) return { kind: "wrong_state", status: payout.status };
  const [prepaid] = await tx.run(sumPrepaid(tx.db, { accountId: payout.account_id, beforeMs: Number.MAX_SAFE_INTEGER }));
  // Prepaid money is not paid out.
  const balanceMicroUsd = heads.get(payout.account_id)!.balance_micro - Math.max(0, (prepaid!.calls_micro ?? 0) + (prepaid!.movements_micro ?? 0));
  if (to === "paid" && balanceMicroUsd < payout.amount_micro) return { kind: "balance_too_low", balanceMicroUsd };

  const newEntry = entryOf(payout, move);
  const [entry] = newEntry ? await appendEntries(tx, heads, [newEntry]) : [];
  const set: Partial<PayoutRow> = { [`${to}_at`]: nowMs, note: note ?? payout.note };
  if (entry) Object.assign(set, to === "paid" ? { payout_seq: entry.seq } : { returned_seq: entry.seq });
  await tx.change(movePayout(tx.db, { payoutId, from: payout.status, to, set }));
  const detail = { amount_micro: payout.amount_micro, from: payout.status, note };
  await tx.change(noteAction(tx.db, { actorAccountId, action: `payout.${to}`, subject: payoutId, detail, nowMs }));
  return { kind: "moved", payout: { ...payout, ...set, status: to }, receipt: entry && `${entry.seq}.${entry.hash}` };
};
