import { toCsv } from "../../formats/csv.ts";
import { usdOf, usdText } from "../../formats/money.ts";
import type { Store } from "../../store/store.ts";
import type { PayoutMove, PayoutMoveOutcome } from "./move-payout.work.ts";
import { selectPayoutsWithPayees } from "./payouts.table.ts";

const workModule = new URL("./move-payout.work.ts", import.meta.url);
const exportedAtOnceMax = 10_000;

export const movePayoutTo = (store: Store, move: PayoutMove): Promise<PayoutMoveOutcome> =>
  store.transact<PayoutMove, PayoutMoveOutcome>(workModule, move);

/** Says in words why a move did not happen. */
export function explainMove(outcome: Exclude<PayoutMoveOutcome, { kind: "moved" }>): string {
  switch (outcome.kind) {
    case "unknown":
      return "No payout has this id.";
    case "wrong_state":
      return `The payout is ${outcome.status}.`;
    case "balance_too_low":
      return "The account's balance no longer covers the payout: clicks were reversed since it was proposed. Return it, and propose anew.";
  }
}

const csvHeader = ["payout_id", "account_id", "month", "amount_usd", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code"];

/**
 * The approved payouts as a file for the bank, each with its payee, and marks them exported. One whose payee has
 * gone meanwhile stays approved. Exported ones can be had again with `again`: a lost file loses nothing.
 */
export async function exportPayouts(
  store: Store,
  order: { nowMs: number; again: boolean; actorAccountId: string | null },
): Promise<{ csv: string; payoutIds: string[] }> {
  const { nowMs, again, actorAccountId } = order;
  const page = { status: again ? ("exported" as const) : ("approved" as const), limit: exportedAtOnceMax };
  const found = await selectPayoutsWithPayees(store.db, page).execute();
  const rows: (string | null)[][] = [];
  const payoutIds: string[] = [];
  for (const row of found.filter((each) => each.legal_name !== null)) {
    if (!again) {
      const outcome = await movePayoutTo(store, { payoutId: row.id, to: "exported", note: null, actorAccountId, nowMs });
      // Somebody else exports at the same moment: it is in that file.
      if (outcome.kind !== "moved") continue;
    }
    const amount = usdText(usdOf(row.amount_micro));
    payoutIds.push(row.id);
    rows.push([row.id, row.account_id, row.month, amount, row.legal_name, row.address, row.country, row.tax_id, row.method, row.account, row.bank_code]);
  }
  return { csv: toCsv(csvHeader, rows), payoutIds };
}
