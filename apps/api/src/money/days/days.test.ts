import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { describeBothStores } from "../../../test/both-stores.ts";
import { growthLimits } from "../../../test/money/growth-limits.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { perCallMicroUsd } from "../../../test/money/make-earner.ts";
import { readMails } from "../../../test/people/read-mails.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { openStore } from "../../store/open-store.ts";
import { readerOf, type Store } from "../../store/store.ts";
import { findSession } from "../../scoring/sessions/find-session.ts";
import { changeHold } from "../holds/change-hold.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { readPlatformMoney } from "../payouts/platform-money.ts";
import { readMoneyOf } from "../payouts/read-account-money.ts";
import { dayText } from "./day-refs.ts";
import { listCallDays } from "./list-days.ts";
import { type CallsToReverse, reverseCalls } from "./reverse-calls.ts";
import { settleCalls } from "./settle-calls.ts";

const firstDay = Date.UTC(2026, 0, 5);
const holdDays = 14;
const dayMs = (index: number) => firstDay + index * msPerDay;
const ref = (index: number) => `day:${dayText(dayMs(index))}`;

describeBothStores("days of calls", (open, dialect) => {
  /** An account with one call per entry of `days`, at noon of that day, or later at will; returns the sessions' ids. */
  async function makeCaller(store: Store, days: readonly number[], shareBps = 6_800) {
    const account = await makeAccount(store, { nowMs: firstDay });
    const call = (atMs: number, share = shareBps, payer: "platform" | "developer" = "platform") => {
      const charge = makeCharge({ accountId: account.accountId, atMs, shareBps: share, ref: idAt(atMs) });
      return makeCharger(store, { nowMs: atMs }, { payer }).charge(charge).then(() => charge.ref);
    };
    const sessions: string[] = [];
    for (const [index, day] of days.entries()) sessions.push(await call(dayMs(day) + 12 * msPerHour + index));
    return { ...account, call, sessions };
  }
  const settle = (store: Store, nowMs: number) => settleCalls(store, { nowMs, holdDays, isOver: () => false });
  const reverse = (store: Store, accountId: string, calls: CallsToReverse, nowMs: number) => reverseCalls(store, { accountId, calls, reason: "Made by a script.", actorAccountId: null, nowMs });
  const statesOf = async (store: Store, accountId: string) => (await listCallDays(store, { accountId, holdDays })).days.map(({ day, state }) => `${day} ${state}`).toReversed();
  const moneyOf = async (store: Store, accountId: string, nowMs: number) => (await readMoneyOf(readerOf(store), { ...growthLimits, accountIds: [accountId], nowMs, minimumMicroUsd: 0 }))[0]!.sums;
  const reversalsOf = async (store: Store, accountId: string) =>
    (await readLedger(store, accountId)).filter(({ kind }) => kind === "reversal").map((entry) => [entry.ref, entry.share_bps, entry.gross_micro, entry.developer_micro]);

  it("are confirmed in order, once each has been over for the hold days, whatever number of nodes does it at once", async () => {
    const database = await open();
    const { store } = database;
    const other = dialect === "postgres" ? (await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} })).store : store;
    const { accountId } = await makeCaller(store, [0, 0, 2, 3]);
    assert.deepEqual(await settle(store, dayMs(1 + holdDays) - 1), { settledDays: 0, isMore: false }, "a millisecond too early");
    const nodes = await Promise.all([store, other, store, other].map((node) => settle(node, dayMs(3 + holdDays))));
    assert.equal(nodes.reduce((total, { settledDays }) => total + settledDays, 0), 2);
    assert.deepEqual(await statesOf(store, accountId), [`${dayText(dayMs(0))} confirmed`, `${dayText(dayMs(2))} confirmed`, `${dayText(dayMs(3))} pending`]);
    const rows = await store.db.selectFrom("call_days").select(["day", "calls", "developer_micro", "settled_at"]).where("account_id", "=", accountId).orderBy("day").execute();
    assert.deepEqual(rows.map((row) => ({ ...row })), [
      { day: dayMs(0), calls: 2, developer_micro: 2 * perCallMicroUsd, settled_at: dayMs(3 + holdDays) },
      { day: dayMs(2), calls: 1, developer_micro: perCallMicroUsd, settled_at: dayMs(3 + holdDays) },
    ]);
    const { confirms_at: confirmsAt } = (await listCallDays(store, { accountId, holdDays })).days[0]!;
    assert.equal((await settle(store, Date.parse(confirmsAt!))).settledDays, 1, "the time that is announced is the time");
    if (other !== store) await other.close();
  });

  it("stay pending while a hold or a finding is open on the account, or on one that it is linked to [threat: hold-outwaited]", async () => {
    const { store } = await open();
    const nowMs = dayMs(30);
    const [held, found, linked, free] = [await makeCaller(store, [0]), await makeCaller(store, [0]), await makeCaller(store, [0]), await makeCaller(store, [0])];
    const operator = { reason: "a test", actorAccountId: null, nowMs };
    await changeHold(store, { accountId: held.accountId, to: "open", ...operator });
    const finding = { id: "find_1", account_id: found.accountId, code: "operator", detail: "", opened_at: nowMs, closed_at: null, resolution: null };
    await store.db.insertInto("findings").values(finding).execute();
    const mark = { kind: "bank" as const, mark: "the same bank account" };
    await store.db.insertInto("payee_marks").values([{ ...mark, account_id: held.accountId, entered_at: 1 }, { ...mark, account_id: linked.accountId, entered_at: 2 }]).execute();
    assert.equal((await settle(store, nowMs)).settledDays, 1);
    assert.deepEqual(await statesOf(store, free.accountId), [`${dayText(dayMs(0))} confirmed`]);
    assert.equal((await moneyOf(store, linked.accountId, nowMs)).pendingMicroUsd, perCallMicroUsd);
    assert.equal((await reverse(store, held.accountId, { day: dayText(dayMs(0)) }, nowMs)).calls, 1, "it can still be reversed");
    await changeHold(store, { accountId: held.accountId, to: "lift", ...operator });
    await store.db.updateTable("findings").set({ closed_at: nowMs, resolution: "cleared" }).where("id", "=", "find_1").execute();
    assert.equal((await settle(store, nowMs)).settledDays, 3);
    assert.deepEqual(await statesOf(store, held.accountId), [`${dayText(dayMs(0))} reversed`]);
  });

  it("are pending and not payable until they are confirmed; calls that the developer pays are confirmed at once", async () => {
    const { store } = await open();
    const { accountId, call } = await makeCaller(store, [0, 1]);
    await call(dayMs(31) + msPerHour);
    await call(dayMs(31) + 2 * msPerHour, 6_800, "developer");
    const nowMs = dayMs(45);
    const pendingOf = async () => (await readPlatformMoney(store)).pendingMicroUsd;
    assert.deepEqual([(await moneyOf(store, accountId, nowMs)).pendingMicroUsd, (await moneyOf(store, accountId, nowMs)).dueMicroUsd, await pendingOf()], [3 * perCallMicroUsd, 34_000 - 50_000, 3 * perCallMicroUsd]);
    await settle(store, nowMs);
    const { pendingMicroUsd, dueMicroUsd } = await moneyOf(store, accountId, nowMs);
    assert.deepEqual([pendingMicroUsd, dueMicroUsd, await pendingOf()], [perCallMicroUsd, 2 * perCallMicroUsd + 34_000 - 50_000, perCallMicroUsd], "the third is of February");
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("are reversed once, by one entry per share, with the reason for the account and the operator's note", async () => {
    const { store } = await open();
    const { accountId, email, call, sessions } = await makeCaller(store, [0, 0, 1]);
    const later = await call(dayMs(1) + 13 * msPerHour, 7_000);
    const nowMs = dayMs(2);
    const day = { day: dayText(dayMs(1)) };
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => reverse(store, accountId, day, nowMs)));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(await reversalsOf(store, accountId), [[ref(1), 6_800, -50_000, -34_000], [ref(1), 7_000, -50_000, -35_000]]);
    assert.deepEqual([(await moneyOf(store, accountId, nowMs)).pendingMicroUsd, (await moneyOf(store, accountId, nowMs)).balanceMicroUsd], [2 * perCallMicroUsd, 2 * perCallMicroUsd]);
    const settlementOf = async (sessionId: string) => (await findSession(store, { accountId, sessionId, nowMs, retentionDays: 90 })).settlement;
    assert.deepEqual([await settlementOf(later), await settlementOf(sessions[0]!)], ["reversed", "pending"]);
    const mail = (await readMails(store, email)).find(({ kind }) => kind === "calls_reversed");
    assert.match(mail!.text, /2 calls that you made on 2026-01-06 will not be paid: 0\.069000 USD/);
    assert.match(mail!.text, /Reason: Made by a script\./);
    const notes = await store.db.selectFrom("audit_log").select(["subject", "detail"]).where("action", "=", "calls.reverse").execute();
    assert.deepEqual(notes.map((note) => [note.subject, JSON.parse(note.detail)]), [[accountId, { refs: [ref(1)], calls: 2, developer_micro: 69_000, reason: "Made by a script." }]]);
    await settle(store, dayMs(2 + holdDays));
    assert.deepEqual(await statesOf(store, accountId), [`${dayText(dayMs(0))} confirmed`, `${dayText(dayMs(1))} reversed`]);
    const stored = await store.db.selectFrom("call_days").select("state").where("account_id", "=", accountId).orderBy("day").execute();
    assert.deepEqual(stored.map(({ state }) => state), ["confirmed", "reversed"]);
    assert.deepEqual([await settlementOf(later), await settlementOf(sessions[0]!)], ["reversed", "confirmed"]);
    assert.equal((await verifyLedger(store)).ok, true);
  });

  it("cannot be reversed while they are running, or once they are confirmed, or without a reason", async () => {
    const { store } = await open();
    const { accountId, sessions } = await makeCaller(store, [0, 1]);
    const day = { day: dayText(dayMs(1)) };
    await assert.rejects(reverse(store, accountId, day, dayMs(2) - 1), /not over yet/);
    await assert.rejects(reverse(store, accountId, { from_session: sessions[1]!, to_session: sessions[1]! }, dayMs(2) - 1), /None of these calls/);
    await settle(store, dayMs(1 + holdDays));
    await assert.rejects(reverse(store, accountId, { day: dayText(dayMs(0)) }, dayMs(2)), /are confirmed/);
    const both = await reverse(store, accountId, { from_session: sessions[0]!, to_session: sessions[1]! }, dayMs(2));
    assert.deepEqual([both.refs, both.calls, both.skippedCalls], [[`${ref(1)}#1`], 1, 1], "what is confirmed is passed over");
    await assert.rejects(reverse(store, accountId, day, dayMs(2)), /None of these calls/);
    await assert.rejects(reverseCalls(store, { accountId, calls: day, reason: " ", actorAccountId: null, nowMs: dayMs(2) }), /reason/);
    for (const text of ["2026-02-30", "yesterday"]) await assert.rejects(reverse(store, accountId, { day: text }, dayMs(2)), /day must be/);
    assert.equal((await reversalsOf(store, accountId)).length, 1);
  });

  it("are reversed in part by sessions, each call once, one entry per day; a whole day then takes what is left", async () => {
    const { store } = await open();
    const { accountId, sessions } = await makeCaller(store, [0, 0, 1, 1, 1]);
    const nowMs = dayMs(3);
    const range = (from: number, to: number) => ({ from_session: sessions[from]!, to_session: sessions[to]! });
    const races = await Promise.allSettled([reverse(store, accountId, range(1, 2), nowMs), reverse(store, accountId, range(1, 3), nowMs)]);
    assert.deepEqual(races.map(({ status }) => status).includes("fulfilled"), true);
    const done = await reversalsOf(store, accountId);
    assert.equal(done.reduce((total, [, , gross]) => total + Number(gross), 0), -3 * 50_000, "sessions 1, 2 and 3, whoever came first");
    await assert.rejects(reverse(store, accountId, range(1, 3), nowMs), /None of these calls/);
    const before = (await store.db.selectFrom("reversed_calls").select("session_id").where("account_id", "=", accountId).orderBy("session_id").execute()).map((row) => row.session_id);
    assert.deepEqual(before, sessions.slice(1, 4));
    const rest = await reverse(store, accountId, { day: dayText(dayMs(1)) }, nowMs);
    assert.deepEqual([rest.refs, rest.calls, rest.developerMicroUsd], [[ref(1)], 1, perCallMicroUsd]);
    await assert.rejects(reverse(store, accountId, range(2, 4), nowMs), /None of these calls/);
    assert.equal((await moneyOf(store, accountId, nowMs)).pendingMicroUsd, perCallMicroUsd);
    const rows = await store.db.selectFrom("call_days").select(["day", "reversed_calls", "reversed_developer_micro"]).where("account_id", "=", accountId).orderBy("day").execute();
    assert.deepEqual(rows.map((row) => ({ ...row })), [{ day: dayMs(0), reversed_calls: 1, reversed_developer_micro: 34_000 }, { day: dayMs(1), reversed_calls: 3, reversed_developer_micro: 102_000 }]);
    await settle(store, nowMs + holdDays * msPerDay);
    assert.deepEqual(await statesOf(store, accountId), [`${dayText(dayMs(0))} confirmed`, `${dayText(dayMs(1))} reversed`]);
  });

  it("of a month that is not due take nothing from what is due when they are reversed", async () => {
    const { store } = await open();
    const { accountId, call } = await makeCaller(store, [0]);
    await call(dayMs(40));
    const nowMs = dayMs(45);
    await settle(store, nowMs);
    assert.equal((await moneyOf(store, accountId, nowMs)).dueMicroUsd, perCallMicroUsd);
    await reverse(store, accountId, { day: dayText(dayMs(40)) }, nowMs);
    const { dueMicroUsd, pendingMicroUsd, balanceMicroUsd } = await moneyOf(store, accountId, nowMs);
    assert.deepEqual([dueMicroUsd, pendingMicroUsd, balanceMicroUsd], [perCallMicroUsd, 0, perCallMicroUsd]);
  });

  it("of a range with more calls than are reversed at once are left alone, and the refusal says what to do", async () => {
    const { store } = await open();
    const { accountId, sessions } = await makeCaller(store, [0, 0]);
    const many = 20_001;
    // Copies of the first call: what a chain verifies is no matter here.
    await sql`insert into ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash)
      with recursive n (seq) as (select 3 union all select seq + 1 from n where seq < ${many})
      select e.account_id, n.seq, ${dayMs(0) + 13 * msPerHour}, e.kind, e.ref, e.endpoint, e.payer, e.share_bps, e.gross_micro, e.developer_micro, e.platform_micro, '', ''
      from n, ledger_entries e where e.account_id = ${accountId} and e.seq = 1`.execute(store.db);
    await store.db.updateTable("ledger_heads").set({ seq: many }).where("account_id", "=", accountId).execute();
    await assert.rejects(reverse(store, accountId, { from_session: sessions[0]!, to_session: sessions[1]! }, dayMs(2)), /more than 20,000 calls.*whole days/);
  });
});
