import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { describeBothStores } from "../../../test/both-stores.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { settlement } from "../../store/migrations/0014-settlement.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { changeHold } from "../holds/change-hold.ts";
import { readMoneyOf } from "../payouts/read-account-money.ts";
import { makeStatement, monthOf } from "../statements/make-statement.ts";
import { statementCsv } from "../statements/statement-csv.ts";
import { listCallDays } from "./list-days.ts";
import { reverseCalls } from "./reverse-calls.ts";
import { dayText } from "./day-refs.ts";

const nowMs = Date.now();
const callMs = nowMs - 70 * msPerDay;
const recentMs = nowMs - 2 * msPerDay;

describeBothStores("an installation from before days were settled", (open, dialect) => {
  async function makeCaller(store: Store): Promise<string> {
    const { accountId } = await makeAccount(store, { nowMs: callMs });
    for (const atMs of [callMs, recentMs]) await makeCharger(store, { nowMs: atMs }).charge(makeCharge({ accountId, atMs }));
    return accountId;
  }

  /** What the migration writes about the accounts that it finds. */
  async function upgrade(store: Store): Promise<void> {
    const statements = settlement(dialect).filter((statement) => /^INSERT INTO (call_settlements|installation_dates)/.test(statement));
    assert.equal(statements.length, 2);
    for (const statement of statements) await sql.raw(statement).execute(store.db);
  }
  const pendingOf = async (store: Store, accountId: string) => (await readMoneyOf(readerOf(store), { ...growthLimits, accountIds: [accountId], nowMs, minimumMicroUsd: 0 }))[0]!.sums.pendingMicroUsd;

  it("has its calls confirmed as they were; those of a held account wait, but for what was paid", async () => {
    const { store } = await open();
    const [free, held, paid, found] = [await makeCaller(store), await makeCaller(store), await makeCaller(store), await makeCaller(store)];
    for (const accountId of [held, paid]) await changeHold(store, { accountId, to: "open", reason: "a test", actorAccountId: null, nowMs });
    await store.db.insertInto("findings").values({ id: "find_1", account_id: found, code: "test", detail: "", opened_at: nowMs, closed_at: null, resolution: null }).execute();
    const payout = { id: "po_1", account_id: paid, month: monthOf(callMs), amount_micro: perCallMicroUsd, status: "paid" as const, proposed_at: 1, approved_at: 1, exported_at: 1, paid_at: 1 };
    await store.db.insertInto("payouts").values({ ...payout, returned_at: null, note: null, payout_seq: 3, returned_seq: null }).execute();
    await upgrade(store);
    assert.deepEqual(await Promise.all([free, held, paid, found].map((id) => pendingOf(store, id))), [0, 2 * perCallMicroUsd, perCallMicroUsd, 2 * perCallMicroUsd]);
    const days = (await listCallDays(store, { accountId: free, holdDays: 14 })).days;
    assert.deepEqual(days.map(({ state, settled_at: settledAt }) => [state, settledAt]), [["confirmed", null], ["confirmed", null]]);
    const reverse = (accountId: string) => reverseCalls(store, { accountId, calls: { day: dayText(startOfDay(callMs)) }, reason: "a test", actorAccountId: null, nowMs });
    assert.equal((await reverse(held)).calls, 1);
    for (const accountId of [free, paid]) await assert.rejects(reverse(accountId), /are confirmed/);
  });

  it("has the statements of its closed months to the byte", async () => {
    const { store } = await open();
    const accountId = await makeCaller(store);
    const month = monthOf(callMs);
    const read = async () => (await makeStatement(store, { accountId, month, nowMs }))!;
    const { calls_settlement: _settlement, call_reversals: _reversals, held: _held, ...before } = await read();
    await upgrade(store);
    const after = await read();
    assert.equal(JSON.stringify(after), JSON.stringify(before));
    assert.equal(statementCsv(after).trim().split("\n").length, 4, "a header, a line of calls and the two balances");
    assert.ok((await makeStatement(store, { accountId, month: monthOf(nowMs), nowMs }))!.calls_settlement, "the current month has them");
  });
});
