import { toCsv } from "../../formats/csv.ts";
import { usdOf, usdText } from "../../formats/money.ts";
import type { Store } from "../../store/store.ts";
import type { PayoutMove, PayoutMoveOutcome } from "./move-payout.work.ts";
import { selectPayoutsWithPayees } from "./payouts.table.ts";

const workModule = new URL("./move-payout.work.ts", import.meta.url);
const exportedAtOnceMax = 10_000;

export const movePayoutTo = (store: Store, move: PayoutMove): Promise<PayoutMoveOutcome> =>
  store.transact<PayoutMove, PayoutMoveOutcome>(workModule, move);

export function explainMove(outcome: Exclude<PayoutMoveOutcome, { kind: "moved" }>): string {
  switch (outcome.kind) {
    case "unknown":
      return "No payout has this id.";
    case "wrong_state":
      return `The payout is ${outcome.status}.`;
    case "balance_too_low":
      return "The account's balance no longer covers the payout: clicks were reversed since it was proposed. Return it and propose again.";
  }
}

const csvHeader = ["payout_id", "account_id", "month", "amount_usd", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code"];

/**
 * Writes the approved payouts with their payees as CSV for the bank, and marks them exported. A payout without a payee
 * profile stays approved. `again` repeats exported ones, in case the file was lost.
 */
export async function exportPayouts(
  store: Store,
  options: { nowMs: number; again: boolean; actorAccountId: string | null },
): Promise<{ csv: string; payoutIds: string[] }> {
  const { nowMs, again, actorAccountId } = options;
  const page = { status: again ? ("exported" as const) : ("approved" as const), limit: exportedAtOnceMax };
  const found = await selectPayoutsWithPayees(store.db, page).execute();
  const rows: (string | null)[][] = [];
  const payoutIds: string[] = [];
  for (const row of found.filter((each) => each.legal_name !== null)) {
    if (!again) {
      const outcome = await movePayoutTo(store, { payoutId: row.id, to: "exported", note: null, actorAccountId, nowMs });
      // A concurrent export has it in its file.
      if (outcome.kind !== "moved") continue;
    }
    const amount = usdText(usdOf(row.amount_micro));
    payoutIds.push(row.id);
    rows.push([row.id, row.account_id, row.month, amount, row.legal_name, row.address, row.country, row.tax_id, row.method, row.account, row.bank_code]);
  }
  return { csv: toCsv(csvHeader, rows), payoutIds };
}
