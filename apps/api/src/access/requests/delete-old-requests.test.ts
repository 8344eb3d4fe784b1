import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { msPerDay, startOfHour } from "../../formats/time.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { setSessionRetention } from "../../register/accounts.table.ts";
import { deleteByShorterRetention } from "../../scoring/sessions/delete-old-sessions.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import { deleteOldRequests } from "./delete-old-requests.ts";
import { addToRequestHours, insertLogs } from "./requests.table.ts";

describeBothStores("the retention of what the console shows", (open) => {
  it("deletes sessions and outcomes by the account's own shorter retention, and no other account's", async () => {
    const { store } = await open();
    const nowMs = Date.now();
    const oldMs = nowMs - 10 * msPerDay;
    const [brief, usual] = [await makeAccount(store, { nowMs: oldMs }), await makeAccount(store, { nowMs: oldMs })];
    const charger = makeCharger(store, { nowMs });
    for (const { accountId } of [brief, usual]) {
      for (const atMs of [oldMs, nowMs]) {
        const charge = makeCharge({ accountId, atMs, ref: idAt(atMs) });
        await charger.charge(charge);
        await recordOutcome(store, { accountId, sessionId: charge.ref, nowMs, retentionDays: 90, outcome: "genuine" });
      }
    }
    await setSessionRetention(store.db, { accountId: brief.accountId, days: 7 }).execute();
    await deleteByShorterRetention(store, { nowMs, checkedToMs: nowMs, isOver: () => false });
    const left = async (accountId: string) => {
      const sessions = await store.db.selectFrom("session_records").select("at").where("account_id", "=", accountId).orderBy("at").execute();
      const outcomes = await store.db.selectFrom("session_outcomes").select("session_id").where("account_id", "=", accountId).execute();
      const entries = await store.db.selectFrom("ledger_entries").select("seq").where("account_id", "=", accountId).execute();
      return { sessions: sessions.map(({ at }) => at), outcomes: outcomes.length, entries: entries.length };
    };
    assert.deepEqual(await left(brief.accountId), { sessions: [nowMs], outcomes: 1, entries: 2 });
    assert.deepEqual(await left(usual.accountId), { sessions: [oldMs, nowMs], outcomes: 2, entries: 2 });
  });

  it("keeps log lines for seven days and hourly counts for longer", async () => {
    const { store } = await open();
    const nowMs = Date.now();
    const { accountId, liveKeyId } = await makeAccount(store);
    const times = [nowMs - 8 * msPerDay, nowMs - 6 * msPerDay];
    for (const at of times) {
      const row = { account_id: accountId, id: timeOrderedId("log", at), at, request_id: "req", method: "POST", endpoint: "/", key_id: liveKeyId, status: 200, error: null, message: null, duration_ms: 1, requests: 1 };
      await insertLogs(store.db, [row]).execute();
      // Two writes of the same hour add up.
      const hour = { account_id: accountId, hour: startOfHour(at), endpoint: "predict", key_id: liveKeyId, status: 200, requests: 2 };
      for (const some of [[hour], [hour]]) await addToRequestHours(store.db, some).execute();
    }
    await deleteOldRequests(store, { nowMs, isOver: () => false });
    const lines = await store.db.selectFrom("request_logs").select("at").where("account_id", "=", accountId).execute();
    assert.deepEqual(lines.map(({ at }) => at), [times[1]]);
    const hours = await store.db.selectFrom("request_hours").select("requests").where("account_id", "=", accountId).execute();
    assert.deepEqual(hours.map(({ requests }) => requests), [4, 4]);
  });
});
