import { usdOf } from "../../formats/money.ts";
import type { Store } from "../../store/store.ts";
import { waitReasonTexts } from "./money-states.ts";
import type { PaidDespite, PayoutMove, PayoutMoveOutcome } from "./move-payouts.work.ts";
import { requireMarks } from "./require-marks.ts";

const workModule = new URL("./move-payouts.work.ts", import.meta.url);
/** Calls of these accounts wait while their payouts are moved together. */
const payoutsAtOnce = 50;

/** Moves the payouts, in transactions of a few; one outcome per id, in their order. */
export async function movePayouts(store: Store, move: PayoutMove): Promise<PayoutMoveOutcome[]> {
  if (move.to === "approved" || move.to === "exported") await requireMarks(store);
  const payoutIds = [...new Set(move.payoutIds)];
  const outcomes = new Map<string, PayoutMoveOutcome>();
  for (let from = 0; from < payoutIds.length; from += payoutsAtOnce) {
    const some = payoutIds.slice(from, from + payoutsAtOnce);
    const found = await store.transact<PayoutMove, PayoutMoveOutcome[]>(workModule, { ...move, payoutIds: some });
    for (const [index, id] of some.entries()) outcomes.set(id, found[index]!);
  }
  return move.payoutIds.map((id) => outcomes.get(id)!);
}

export async function movePayoutTo(store: Store, move: Omit<PayoutMove, "payoutIds"> & { payoutId: string }): Promise<PayoutMoveOutcome> {
  const { payoutId, ...rest } = move;
  return (await movePayouts(store, { ...rest, payoutIds: [payoutId] }))[0]!;
}

export type MoveRefusal = Exclude<PayoutMoveOutcome, { kind: "moved" }>;

/** The reason in one word: for money that waits, the contract's. */
const nameRefusal = (outcome: MoveRefusal): string => (outcome.kind === "waits" ? outcome.reason : outcome.kind);

const remedies: Partial<Record<string, string>> = {
  held: "Lift the hold, or cancel the payout.",
  finding_open: "Decide the finding, or cancel the payout.",
  linked_account: "Lift that hold or decide that finding, or cancel the payout.",
  growth_review: "Review the account, or cancel the payout and propose again.",
  payee_missing: "Cancel the payout and propose again once there is a payee.",
  payee_changed: "Cancel the payout and propose again when the payee may be paid to.",
  not_funded: "Book more funding, or cancel payouts.",
};

/** One of many: `outcome` is the new status, or the reason of the refusal. */
export const describeOutcome = (id: string, outcome: PayoutMoveOutcome): { id: string; outcome: string; message: string | null } =>
  outcome.kind === "moved" ? { id, outcome: outcome.payout.status, message: null } : { id, outcome: nameRefusal(outcome), message: explainMove(outcome) };

/** For the operator who records that the bank paid; null where nothing speaks against it. */
export function explainDespite(despite: PaidDespite | null): string | null {
  if (despite === null) return null;
  if (despite.kind === "own_account") return "The bank had it already. You may take no other step of it: it is your own account's payout, or of an account that named the same bank account or tax number.";
  const why = despite.kind === "waits" ? `${despite.reason}: ${waitReasonTexts[despite.reason]}` : `the account can be paid ${usdOf(despite.payableMicroUsd)} USD by now. The rest is owed, and set off against later earnings.`;
  return `The bank had it already. It would not be exported now: ${why}`;
}

export function explainMove(outcome: MoveRefusal): string {
  switch (outcome.kind) {
    case "unknown":
      return "No payout has this id.";
    case "wrong_state":
      return `The payout is ${outcome.status}.`;
    case "balance_too_low":
      return `The account can be paid ${usdOf(outcome.payableMicroUsd)} USD at most: clicks were reversed or corrections booked since the payout was proposed. Cancel or return it and propose again.`;
    case "own_payout":
      return "Nobody acts on a payout of its own account, or of an account that named the same bank account or tax number. Another operator has to do it (`account create --operator` adds one); PAYOUT_FOUR_EYES=off permits it.";
    case "same_operator":
      return "Who proposed a payout cannot approve it. Another operator has to approve it (`account create --operator` adds one); PAYOUT_FOUR_EYES=off permits it.";
    case "waits":
      return `${outcome.reason}: ${waitReasonTexts[outcome.reason]} ${remedies[outcome.reason] ?? ""}`.trimEnd();
  }
}
