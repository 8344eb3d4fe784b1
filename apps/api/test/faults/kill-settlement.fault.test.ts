import assert from "node:assert/strict";
import { it } from "node:test";
import { currentPeople } from "@assay/scoring/current-model.ts";
import { msPerDay, startOfDay } from "../../src/formats/time.ts";
import { dayText } from "../../src/money/days/day-refs.ts";
import { settlesBeforeMs } from "../../src/money/days/settle-calls.ts";
import { verifyLedger } from "../../src/money/ledger/verify-ledger.ts";
import { watchSessions } from "../../src/scoring/traffic/watch-sessions.ts";
import { describeBothStores } from "../both-stores.ts";
import { makeAccount } from "../make-account.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { perCallMicroUsd } from "../money/make-earner.ts";
import { makeSignInAccount, signIn } from "../people/browser.ts";
import { readLedger } from "../read-ledger.ts";
import { waitUntil } from "../send.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";

const accountCount = 12;
const roundCount = 2;
const callsPerDay = 2;
/** Days before today: two that are settled, and one that is pending and reversed. */
const daysBack = { settled: [41, 40], reversed: 3 };
const waitMsMax = 60_000;

describeBothStores("a node that is killed during settlement and reversals", (open, dialect) => {
  it(`settles every day once and reverses every day once, in ${roundCount} rounds of kill -9`, async (t) => {
    const random = createSeededRandom();
    t.diagnostic(`${dialect}: ASSAY_TEST_SEED=${random.seed}`);
    const database = await open();
    const { store } = database;
    const today = startOfDay(Date.now());
    const dayOf = (back: number) => today - back * msPerDay;
    const operator = await makeSignInAccount(store, { operator: true });
    const accounts: { accountId: string; email: string }[] = [];
    for (let each = 0; each < accountCount; each += 1) {
      const account = await makeAccount(store, { nowMs: dayOf(42) });
      const charger = makeCharger(store, { nowMs: dayOf(42) });
      for (const back of [...daysBack.settled, daysBack.reversed]) {
        await Promise.all(Array.from({ length: callsPerDay }, () => charger.charge(makeCharge({ accountId: account.accountId, atMs: dayOf(back) }))));
      }
      accounts.push(account);
    }
    // Nothing is settled of a day that a check has yet to see.
    await watchSessions(store, { nowMs: Date.now(), people: currentPeople, random: random.next, isOver: () => false });
    const settledCount = async () => (await store.db.selectFrom("call_settlements").select("account_id").execute()).length;
    const reversedCount = async () => (await store.db.selectFrom("call_reversals").select("account_id").execute()).length;

    /** Starts a node whose first job is the settlement, and reverses meanwhile; resolves once the requests are answered or cut. */
    async function startNode() {
      await store.db.updateTable("jobs").set({ next_run_at: 0, lease: null, leased_until: 0 }).where("name", "=", "settle_calls").execute();
      const service = await database.serve();
      const browser = await signIn(service, operator);
      const day = dayText(dayOf(daysBack.reversed));
      const order = accounts.toSorted(() => random.next() - 0.5);
      const statuses: number[] = [];
      const reverseAll = async () => {
        for (const { accountId } of order) {
          const answer = await browser.post(`/dashboard/api/operator/accounts/${accountId}/reverse-calls`, { day, reason: "a test" });
          statuses.push(answer.status);
        }
      };
      return { service, statuses, reversing: reverseAll() };
    }

    for (let round = 1; round <= roundCount; round += 1) {
      const { service, reversing } = await startNode();
      const cut = reversing.catch(() => "cut");
      const before = await reversedCount();
      const some = random.between(1, accountCount / roundCount);
      await waitUntil(async () => (await reversedCount()) >= Math.min(accountCount, before + some), `${some} more days are reversed`, waitMsMax);
      await service.kill9();
      await cut;
    }
    const { service, statuses, reversing } = await startNode();
    await reversing;
    await waitUntil(async () => (await settledCount()) === accountCount, "every account is settled", waitMsMax);
    await service.stop();

    assert.deepEqual(statuses.filter((status) => status !== 200 && status !== 400), [], "reversed now, or refused because it is reversed");
    const watermarks = await store.db.selectFrom("call_settlements").select("confirmed_to").distinct().execute();
    assert.deepEqual(watermarks.map((row) => row.confirmed_to), [settlesBeforeMs(Date.now(), 14)]);
    const mails = await store.db.selectFrom("mails").select("recipient").where("kind", "=", "calls_reversed").execute();
    const notes = await store.db.selectFrom("audit_log").select("account_id").where("action", "=", "calls.reverse").execute();
    assert.deepEqual([mails.length, notes.length], [accountCount, accountCount], "one mail and one note per reversal");
    const dayMicroUsd = callsPerDay * perCallMicroUsd;
    for (const { accountId } of accounts) {
      const rows = await store.db.selectFrom("call_days").select(["day", "state", "developer_micro", "reversed_developer_micro"]).where("account_id", "=", accountId).orderBy("day").execute();
      assert.deepEqual(rows.map((row) => ({ ...row })), [
        ...daysBack.settled.map((back) => ({ day: dayOf(back), state: "confirmed", developer_micro: dayMicroUsd, reversed_developer_micro: 0 })),
        { day: dayOf(daysBack.reversed), state: "pending", developer_micro: dayMicroUsd, reversed_developer_micro: dayMicroUsd },
      ]);
      const entries = await readLedger(store, accountId);
      assert.deepEqual(entries.filter(({ kind }) => kind === "reversal").map((entry) => entry.developer_micro), [0 - dayMicroUsd]);
    }
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });
});
