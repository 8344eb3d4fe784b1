import type { PayeeProfileRow } from "../../src/store/schema-dashboard.ts";
import { msPerDay, startOfDay } from "../../src/formats/time.ts";
import type { DaySettlement, DaySettlementOutcome } from "../../src/money/days/settle-days.work.ts";
import type { Store } from "../../src/store/store.ts";
import { makeAccount } from "../make-account.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";

/** What a call earns on Starter. */
export const perCallMicroUsd = 34_000;

const payee = { legal_name: "Ada Lovelace", address: "12 St James's Square, London", country: "GB", tax_id: null, bank_code: null };

/** Each account has its own: a job links those that share one. */
export const bankAccountOf = (accountId: string): string => `GB00${accountId.slice(-10)}`;

export const namePayee = (store: Store, accountId: string, more: Partial<PayeeProfileRow> = {}) =>
  store.db
    .insertInto("payee_profiles")
    .values({ account_id: accountId, ...payee, method: "bank_transfer", account: bankAccountOf(accountId), updated_at: 0, ...more })
    .execute();

const settleDays = new URL("../../src/money/days/settle-days.work.ts", import.meta.url);

/** Settles the account's calls up to the end of a day, as the job does once the day has been over for long enough. */
export const settleDayOf = (store: Store, accountId: string, atMs: number) => {
  const toMs = startOfDay(atMs) + msPerDay;
  return store.transact<DaySettlement, DaySettlementOutcome>(settleDays, { accountId, toMs, nowMs: toMs + 14 * msPerDay });
};

/** An account that made calls at one moment, which are confirmed, with a payee if it is to have one. */
export async function makeEarner(store: Store, options: { atMs: number; calls: number; payee?: boolean }) {
  const { atMs, calls } = options;
  const account = await makeAccount(store, { nowMs: atMs });
  const { accountId } = account;
  const charge = async (chargedMs: number, count: number) => {
    const charger = makeCharger(store, { nowMs: chargedMs });
    await Promise.all(Array.from({ length: count }, () => charger.charge(makeCharge({ accountId, atMs: chargedMs }))));
    await settleDayOf(store, accountId, chargedMs);
  };
  await charge(atMs, calls);
  if (options.payee !== false) await namePayee(store, accountId);
  return { ...account, charge };
}
