import { settleCalls } from "../../../api/src/money/days/settle-calls.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { makeAccount } from "../../../api/test/make-account.ts";
import { makeCharge, makeCharger } from "../../../api/test/make-charge.ts";

const threeMonthsAgoMs = Date.now() - 90 * 24 * 3_600_000;

/**
 * Writes to a store, of a running service or before it starts: one account with payable earnings from three months ago,
 * and one with an open finding.
 */
export async function seedAccounts(store: Store): Promise<{ earner: string; suspect: string }> {
  const earner = await makeAccount(store, { nowMs: threeMonthsAgoMs });
  const suspect = await makeAccount(store, { nowMs: threeMonthsAgoMs });
  const charger = makeCharger(store, { nowMs: threeMonthsAgoMs });
  await Promise.all(Array.from({ length: 20 }, () => charger.charge(makeCharge({ accountId: earner.accountId, atMs: threeMonthsAgoMs }))));
  await settleCalls(store, { nowMs: Date.now(), holdDays: 14, isOver: () => false });
  const payee = { legal_name: "Ada Lovelace", address: "London", country: "GB", tax_id: null, method: "bank_transfer" as const, account: "GB00", bank_code: null };
  await store.db.insertInto("payee_profiles").values({ account_id: earner.accountId, ...payee, updated_at: threeMonthsAgoMs }).execute();
  const finding = { id: "find_e2e", account_id: suspect.accountId, code: "click_rate", detail: "Of 40 impressions 31 were clicked.", opened_at: Date.now() };
  await store.db.insertInto("findings").values({ ...finding, closed_at: null, resolution: null }).execute();
  return { earner: earner.email, suspect: suspect.email };
}
