import { Failure } from "../../failure/failure.ts";
import { toCsv } from "../../formats/csv.ts";
import { usdOf, usdText } from "../../formats/money.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { selectPayees } from "../../register/payees.table.ts";
import type { Store } from "../../store/store.ts";
import { demoMoney, type Pool, realMoney } from "../ledger/pools.ts";
import { type MoveRefusal, movePayouts } from "./move-payouts.ts";
import type { PayoutMove } from "./move-payouts.work.ts";
import { type PayeeSnapshot, payeeSnapshot, readSnapshot } from "./payee-snapshot.ts";
import { selectLastExport, selectPayoutIds, selectPayoutsOfExport, setPayee } from "./payouts.table.ts";

const exportedAtOnceMax = 10_000;
const firstHeader = ["payout_id", "account_id", "month", "amount_usd", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code"];
const csvHeader = [...firstHeader, "bank_country"];

/** `isDemo`: all its payouts are of demo accounts. A file has never both kinds. */
export type PayoutFile = { exportId: string | null; csv: string; payoutIds: string[]; isDemo: boolean };

/** No bank takes a transfer to this. */
const demoPayeeOf = (payee: PayeeSnapshot | undefined): Partial<Record<keyof PayeeSnapshot, string | null>> => ({
  legal_name: `DEMO ${payee?.legal_name ?? ""}`.trimEnd(),
  address: "DEMO",
  method: "DEMO",
  account: "DEMO",
  bank_code: "DEMO",
  bank_country: "DEMO",
});

/** The payee of a payout that an earlier version exported without keeping it: the current one, from now on. */
async function keepPayee(store: Store, payout: { id: string; account_id: string }): Promise<string | null> {
  const [payee] = await selectPayees(store.db, [payout.account_id]).execute();
  if (!payee) return null;
  const text = payeeSnapshot(payee);
  await setPayee(store.db, { payoutId: payout.id, payee: text }).execute();
  return text;
}

/** Made of stored rows only: the same run gives the same bytes, whatever became of its payouts and payees. */
async function writeFile(store: Store, exportId: string): Promise<PayoutFile> {
  const payouts = await selectPayoutsOfExport(store.db, { exportId, limit: exportedAtOnceMax }).execute();
  const isDemo = payouts.some(({ demo }) => demo === 1);
  const rows: (string | null)[][] = [];
  // Files of earlier versions are without it, and stay as they were.
  let hasBankCountry = false;
  for (const payout of payouts) {
    const text = payout.payee ?? (await keepPayee(store, payout));
    const stored = text === null ? undefined : readSnapshot(text);
    hasBankCountry ||= stored?.bank_country !== undefined;
    const payee = isDemo ? demoPayeeOf(stored) : stored;
    const { legal_name = null, address = null, country = null, tax_id = null, method = null, account = null, bank_code = null, bank_country = null } = payee ?? {};
    rows.push([payout.id, payout.account_id, payout.month, usdText(usdOf(payout.amount_micro)), legal_name, address, country, tax_id, method, account, bank_code, bank_country]);
  }
  const header = hasBankCountry || rows.length === 0 ? csvHeader : firstHeader;
  const csv = toCsv(header, rows.map((row) => row.slice(0, header.length)));
  return { exportId, csv, payoutIds: payouts.map(({ id }) => id), isDemo };
}

/** The approved payouts of the first pool that has any. */
async function selectApproved(store: Store, pools: readonly Pool[]): Promise<{ payoutIds: string[]; isDemo: boolean }> {
  for (const pool of pools) {
    const approved = await selectPayoutIds(store.db, { ...pool, status: "approved", limit: exportedAtOnceMax }).execute();
    if (approved.length > 0) return { payoutIds: approved.map(({ id }) => id), isDemo: pool.demo };
  }
  return { payoutIds: [], isDemo: false };
}

/**
 * Marks the approved payouts exported and writes them as CSV for the bank: those of real accounts or, if none is
 * approved, those of demo accounts. Those that are refused stay approved, each with its reason.
 */
export async function exportPayouts(
  store: Store,
  settings: Pick<PayoutMove, "nowMs" | "actorAccountId" | "fourEyes" | "unreviewedMonthlyMicroUsd"> & { pools?: readonly Pool[] },
): Promise<PayoutFile & { refused: { payoutId: string; outcome: MoveRefusal }[] }> {
  const { pools = [realMoney, demoMoney], ...options } = settings;
  const { payoutIds, isDemo } = await selectApproved(store, pools);
  const exportId = timeOrderedId(isDemo ? "demo_export" : "export", options.nowMs);
  const outcomes = await movePayouts(store, { ...options, payoutIds, to: "exported", note: null, exportId });
  const refused = outcomes.flatMap((outcome, index) => (outcome.kind === "moved" ? [] : [{ payoutId: payoutIds[index]!, outcome }]));
  // A concurrent export has those in its file.
  const isReported = ({ outcome }: { outcome: MoveRefusal }) => outcome.kind !== "wrong_state";
  return { ...(await writeFile(store, exportId)), refused: refused.filter(isReported) };
}

/** The file of a run again; of the last run if none is named. */
export async function exportAgain(store: Store, exportId: string | undefined): Promise<PayoutFile> {
  const id = exportId ?? (await selectLastExport(store.db).executeTakeFirst())?.export_id;
  if (id === undefined || id === null) return { exportId: null, csv: toCsv(csvHeader, []), payoutIds: [], isDemo: false };
  const file = await writeFile(store, id);
  if (file.payoutIds.length === 0) throw new Failure("not_found", "No export has this id.");
  return file;
}
