import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { currentModel, currentPeople } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "./both-stores.ts";
import { idAt } from "./id-at.ts";
import { makeAccount } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { goodPassword, makeSignInAccount, signIn } from "./people/browser.ts";
import { readMails } from "./people/read-mails.ts";
import { goodSignals } from "./send.ts";
import { setNetworkDays } from "../src/attestation/networks/networks.table.ts";
import { msPerDay, msPerMinute, startOfDay } from "../src/formats/time.ts";
import { verifyLedger } from "../src/money/ledger/verify-ledger.ts";
import { type JobSettings, listJobs } from "../src/operations/list-jobs.ts";
import { resetPassword } from "../src/people/change-account.ts";
import type { Store } from "../src/store/store.ts";
import { decideFinding } from "../src/scoring/traffic/close-finding.ts";
import { readDaySample, sampledMax } from "../src/scoring/traffic/read-day.ts";
import { watchSessions } from "../src/scoring/traffic/watch-sessions.ts";

const today = startOfDay(Date.now());
const dayBefore = (days: number) => today - days * msPerDay;
const dayText = (day: number) => new Date(day).toISOString().slice(0, "YYYY-MM-DD".length);

/** Sessions of people: finely measured, and no two alike. */
function personSignals(seed: number) {
  const spread = (factor: number) => ((seed * factor) % 9_973) / 9_973;
  return {
    user_engagement: Math.round(1_000_000 * (0.05 + 0.9 * spread(7_919))) / 1_000_000,
    session_duration: Math.round(1_000 * (12 + 600 * spread(6_133))) / 1_000,
    scroll_depth: Math.round(1_000_000 * (0.05 + 0.9 * spread(4_409))) / 1_000_000,
    interaction_count: 2 + Math.floor(40 * spread(3_301)),
    page_views: 2 + Math.floor(9 * spread(2_203)),
    return_visitor: seed % 2 === 0,
  };
}

/** Calls of one account on one day, a minute apart, with these signals. */
async function callOn(store: Store, accountId: string, day: number, signals: readonly (typeof goodSignals)[]): Promise<string[]> {
  const clock = { nowMs: day };
  const charger = makeCharger(store, clock);
  const refs: string[] = [];
  for (const [index, each] of signals.entries()) {
    const atMs = day + (index + 1) * msPerMinute;
    const ref = idAt(atMs);
    refs.push(ref);
    clock.nowMs = atMs;
    const verdict = { signals: each, score: currentModel.score(each), processingTimeMs: 0.5, modelVersion: currentModel.version, calibration: null };
    // In parts: a commit takes all that wait.
    const charged = charger.charge(makeCharge({ accountId, atMs, ref, verdict }));
    if (index % 50 === 49 || index === signals.length - 1) await charged;
  }
  await charger.drain();
  return refs;
}

const constant = (count: number) => Array.from({ length: count }, () => goodSignals);
const people = (count: number, from = 1) => Array.from({ length: count }, (_, index) => personSignals(from + index));
const watch = (store: Store, nowMs = Date.now(), isOver = () => false) => watchSessions(store, { nowMs, people: currentPeople, random: Math.random, isOver });
const readEvidence = (store: Store, accountId: string) =>
  store.db.selectFrom("integrity_evidence").select(["check_name", "day", "tested", "hits", "log_factor", "ordinal", "log_evidence"]).where("account_id", "=", accountId).orderBy("check_name").orderBy("day").execute();
const readFindings = (store: Store, accountId: string) => store.db.selectFrom("findings").selectAll().where("account_id", "=", accountId).orderBy("opened_at").execute();

/** Calls a day at which one body becomes a finding on the third day. */
const callsPerDay = 90;

describeBothStores("watching the sessions of all accounts", (open) => {
  it("comes before settlement: no day is confirmed that was not checked [threat: unchecked-days]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(22) });
    await callOn(store, accountId, dayBefore(20), people(5));
    const nowMs = Date.now();
    const isOver = () => false;
    const settings = { callHoldDays: 14 } as JobSettings;
    const settle = listJobs(store, settings).find(({ name }) => name === "settle_calls")!;
    assert.equal((await settle.run({ nowMs, isOver })).result, "0 days of calls settled");
    await watch(store, nowMs);
    assert.equal((await settle.run({ nowMs, isOver })).result, "1 days of calls settled");
    assert.equal((await store.db.selectFrom("call_days").select("state").where("account_id", "=", accountId).executeTakeFirstOrThrow()).state, "confirmed");
  });

  it("sees every record of a day before retention deletes one, whatever the order of the jobs [threat: short-retention]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(9) });
    await store.db.updateTable("accounts").set({ session_retention_days: 1 }).where("id", "=", accountId).execute();
    const isOver = () => false;
    const job = (name: string) => listJobs(store, { callHoldDays: 1, retentionDays: 90 } as JobSettings).find((each) => each.name === name)!;
    for (const days of [6, 5, 4]) await callOn(store, accountId, dayBefore(days), constant(callsPerDay));
    // The service was down while the days ended: every job is due at the same time.
    for (const nowMs of [dayBefore(2) + msPerDay / 2, dayBefore(1) + msPerDay / 2]) {
      for (const name of ["delete_expired", "settle_calls"]) await job(name).run({ nowMs, isOver });
    }
    assert.deepEqual(await store.db.selectFrom("call_days").selectAll().where("account_id", "=", accountId).execute(), [], "nothing is settled");
    await watch(store);
    const exact = (await readEvidence(store, accountId)).filter((row) => row.check_name === "exact_duplicates");
    assert.deepEqual(exact.map(({ tested }) => tested > 0), [true, true, true]);
    assert.equal((await readFindings(store, accountId)).length, 1);
    // What backs unsettled money of an account with a finding is copied first.
    await job("delete_expired").run({ nowMs: Date.now(), isOver });
    assert.deepEqual(await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).execute(), []);
  });

  it("passes over no day, however long the service was away [threat: unchecked-days]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(80) });
    for (const days of [75, 74, 73]) await callOn(store, accountId, dayBefore(days), constant(callsPerDay));
    const settle = listJobs(store, { callHoldDays: 14 } as JobSettings).find(({ name }) => name === "settle_calls")!;
    assert.equal((await settle.run({ nowMs: Date.now(), isOver: () => false })).result, "0 days of calls settled");
    assert.equal((await watch(store)).opened, 1);
    assert.equal((await settle.run({ nowMs: Date.now(), isOver: () => false })).result, "0 days of calls settled", "they are held by the finding");
  });

  it("finds a constant body after three days: nothing is payable, the developer sees it and accepts it once, and all its sessions are reversed [threat: accept-cheaply] [threat: answer-markup]", async () => {
    const database = await open();
    const { store } = database;
    const account = { ...(await makeAccount(store, { nowMs: dayBefore(10) })), password: goodPassword };
    await resetPassword(store, { accountId: account.accountId, password: goodPassword, nowMs: Date.now() });
    const honest = await makeAccount(store, { nowMs: dayBefore(10) });
    const { accountId, email } = account;
    const refs: string[] = [];
    for (const days of [4, 3, 2]) {
      refs.push(...(await callOn(store, accountId, dayBefore(days), constant(callsPerDay))));
      await callOn(store, honest.accountId, dayBefore(days), people(callsPerDay, days * 1_000));
    }
    const nowMs = Date.now();
    assert.equal((await watch(store, dayBefore(1) + msPerMinute)).opened, 0, "the last day is not complete before every record is stored");
    assert.deepEqual(await watch(store, nowMs), { days: 4, opened: 1, isMore: false });
    assert.deepEqual(await watch(store, nowMs), { days: 0, opened: 0, isMore: false }, "each day is checked once");
    const [finding] = await readFindings(store, accountId);
    assert.deepEqual([finding!.code, finding!.threshold, finding!.opened_by], ["exact_duplicates", 1_000, null]);
    assert(finding!.statistic! >= 1_000);
    assert.deepEqual(JSON.parse(finding!.days), [4, 3, 2].map((days) => dayText(dayBefore(days))));
    const named = JSON.parse(finding!.sessions) as string[];
    assert(named.length === 20 && named.every((id) => refs.includes(id)), "examples are sessions of the account");
    assert.deepEqual(await readFindings(store, honest.accountId), []);
    assert.deepEqual((await readMails(store, email)).map(({ kind }) => kind), ["finding_opened"]);

    const service = await database.serve();
    const browser = await signIn(service, account);
    const path = "/dashboard/api/findings";
    type Own = { findings: { id: string; title: string; accept: { calls: number; developer_usd: number } | null; accept_refused: string | null; decision: string | null; answer: { text: string } | null }[] };
    const [own] = ((await browser.get(path)).json() as Own).findings;
    assert.deepEqual([own!.id, own!.accept], [finding!.id, { calls: refs.length, developer_usd: Math.round(refs.length * 34) / 1_000 }]);
    const markup = "<img src=x onerror=alert(1)> & a monitor of ours";
    const answered = ((await browser.post(`${path}/${own!.id}/answer`, { text: markup })).json() as Own).findings[0]!;
    assert.equal(answered.answer?.text, markup);
    assert.equal((await browser.post(`${path}/${own!.id}/accept`, {})).status, 200);
    const reversed = await store.db.selectFrom("reversed_calls").select("session_id").where("account_id", "=", accountId).execute();
    assert.deepEqual(reversed.map((row) => row.session_id).toSorted(), refs.toSorted(), "all of them, not the examples");
    const { balance_micro: balance } = await store.db.selectFrom("ledger_heads").select("balance_micro").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    assert.equal(balance, 0);
    assert.equal((await verifyLedger(store)).ok, true);
    assert.equal((await readFindings(store, accountId))[0]!.decision, "accepted");

    await store.db.insertInto("findings").values({ ...finding!, id: "find_second", code: "near_duplicates", closed_at: null, decision: null, accepted_at: null }).execute();
    const again = await browser.post(`${path}/find_second/accept`, {});
    assert.deepEqual([again.status, /12 months/.test(again.text)], [400, true]);
    const listed = ((await browser.get(path)).json() as Own).findings.find(({ id }) => id === "find_second")!;
    assert.deepEqual([listed.accept, /12 months/.test(listed.accept_refused!)], [null, true]);
  });

  it("counts anew after a dismissal, and finds the same body again [threat: dismissal-immunity]", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(12) });
    for (const days of [8, 7, 6, 5, 4, 3, 2]) await callOn(store, accountId, dayBefore(days), constant(callsPerDay));
    assert.equal((await watch(store, dayBefore(5) + msPerDay / 2)).opened, 1);
    const [first] = await readFindings(store, accountId);
    const decided = { findingId: first!.id, decision: "dismissed" as const, reason: "a test", reverse: undefined, actorAccountId: null, fourEyes: true, nowMs: dayBefore(5) + 13 * 3_600_000 };
    assert.deepEqual(await decideFinding(store, decided), { calls: 0, developerMicroUsd: 0 });
    await watch(store, dayBefore(4) + msPerDay / 2);
    const exact = (await readEvidence(store, accountId)).filter((row) => row.check_name === "exact_duplicates");
    assert.deepEqual(exact.map((row) => row.ordinal), [1, 2, 3, 1], "the day after the decision is the first of a new count");
    assert.equal((await readFindings(store, accountId)).length, 1, "what was dismissed does not accuse again");
    assert.equal((await watch(store)).opened, 1);
    const findings = await readFindings(store, accountId);
    assert.deepEqual(findings.map(({ decision }) => decision), ["dismissed", null]);
    assert.equal((JSON.parse(findings[1]!.days) as string[]).includes(dayText(dayBefore(7))), false, "days before the decision are not named again");
    assert.deepEqual(JSON.parse(findings[1]!.days), [5, 4, 3, 2].map((days) => dayText(dayBefore(days))), "days found while it is open are named too");
  });

  it("records each day once when two nodes run at the same time, and goes on after an interruption at any point", async () => {
    const run = async (watchAll: (store: Store) => Promise<void>) => {
      const { store } = await open();
      const accounts = [];
      for (let index = 0; index < 2; index += 1) accounts.push(await makeAccount(store, { nowMs: dayBefore(6) }));
      for (const days of [4, 3, 2]) {
        for (const [index, { accountId }] of accounts.entries()) await callOn(store, accountId, dayBefore(days), index === 0 ? constant(callsPerDay) : people(30, index * 500 + days * 50));
      }
      await watchAll(store);
      const evidence = [];
      for (const { accountId } of accounts) evidence.push((await readEvidence(store, accountId)).map((row) => ({ ...row })));
      return { evidence, findings: (await readFindings(store, accounts[0]!.accountId)).length };
    };
    const whole = await run(async (store) => void (await watch(store)));
    assert.deepEqual([whole.findings, whole.evidence.map((rows) => rows.length)], [1, [9, 9]]);
    const together = await run(async (store) => void (await Promise.all([watch(store), watch(store)])));
    assert.deepEqual(together, whole);
    const interrupted = await run(async (store) => {
      let [tries, steps] = [0, 0];
      // What waits and the evidence are a transaction each: two in a row must succeed now and then.
      const transact: Store["transact"] = (...work) => ((tries += 1) % 3 === 1 ? Promise.reject(new Error("killed")) : store.transact(...work));
      const breaking = { ...store, transact };
      const isOver = () => (steps += 1) % 3 === 0;
      for (let isMore = true; isMore; ) isMore = await watch(breaking, Date.now(), isOver).then((watched) => watched.isMore, () => true);
    });
    assert.deepEqual(interrupted, whole, "what was written before the evidence is written again");
  });

  it("counts sessions that another account sent before against the later account only", async () => {
    const { store } = await open();
    const [first, second] = [await makeAccount(store, { nowMs: dayBefore(6) }), await makeAccount(store, { nowMs: dayBefore(6) })];
    const visits = people(600);
    await callOn(store, first.accountId, dayBefore(3), visits);
    await callOn(store, second.accountId, dayBefore(2), visits);
    await watch(store);
    const sharedOf = async (accountId: string) => (await readEvidence(store, accountId)).filter((row) => row.check_name === "shared_sessions").map(({ tested, hits }) => ({ tested, hits }));
    const [{ tested, hits }] = (await sharedOf(second.accountId)) as [{ tested: number; hits: number }];
    assert(tested > 30 && hits === tested, `${hits} of ${tested}`);
    assert.deepEqual(await sharedOf(first.accountId), [{ tested, hits: 0 }]);
  });

  it("notices on the day itself that most attested calls came from one network, holds nothing for it, and shows the operator how many there were", async () => {
    const database = await open();
    const { store } = database;
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(60) });
    for (const days of [5, 4, 3]) await callOn(store, accountId, dayBefore(days), people(5, days * 10));
    const count = (days: number, part: string, figures: { calls: number; networks: number; top_calls: number }) => ({ account_id: accountId, day: dayBefore(days), part, ...figures });
    const rows = [
      count(40, "a", { calls: 9_000, networks: 900, top_calls: 9_000 }),
      count(5, "a", { calls: 150, networks: 40, top_calls: 80 }),
      count(4, "a", { calls: 150, networks: 30, top_calls: 120 }),
      count(4, "b", { calls: 100, networks: 20, top_calls: 60 }),
      count(3, "a", { calls: 600, networks: 500, top_calls: 20 }),
    ];
    await setNetworkDays(store.db, rows).execute();
    await watch(store);
    const noticed = await store.db.selectFrom("integrity_notices").select(["day", "statistic"]).where("account_id", "=", accountId).where("code", "=", "few_networks").execute();
    assert.deepEqual(noticed, [{ day: dayBefore(4), statistic: 0.72 }]);
    assert.deepEqual(await readFindings(store, accountId), []);
    const service = await database.serve();
    const browser = await signIn(service, await makeSignInAccount(store, { operator: true }));
    const read = async (id: string) => (await browser.get(`/dashboard/api/operator/accounts/${id}/integrity`)).json() as IntegrityReply;
    const { networks, notices } = await read(accountId);
    assert.deepEqual(networks, { calls: 1_000, networks: 500, top_share: 0.28 }, "of the last 30 days");
    assert.deepEqual(notices.filter(({ code }) => code === "few_networks").map(({ day }) => day), [dayText(dayBefore(4))]);
    assert.equal((await read((await makeAccount(store)).accountId)).networks, null);
  });

  it("leaves alone what the developer pays for", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(6) });
    const atMs = dayBefore(2);
    const charger = makeCharger(store, { nowMs: atMs }, { payer: "developer" });
    await charger.charge(makeCharge({ accountId, atMs, ref: idAt(atMs) }));
    assert.deepEqual(await watch(store), { days: 0, opened: 0, isMore: false });
  });

  it("checks a sample of a day with very many sessions: of every hour its share", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store, { nowMs: dayBefore(6) });
    const day = dayBefore(2);
    const hours = Array.from({ length: 24 }, (_, hour) => ({ hour: day + hour * 60 * msPerMinute, calls: hour === 3 ? 5_000 : 100 }));
    const money = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };
    await store.db.insertInto("usage_rollups").values(hours.map(({ hour, calls }) => ({ account_id: accountId, hour, endpoint: "predict", payer: "platform" as const, share_bps: 6_800, calls, ...money }))).execute();
    const session = { account_id: accountId, mode: "live" as const, endpoint: "predict", ...personSignals(1), return_visitor: 1, service_score: 50, confidence: 0.5, recommendation: "allow", model_version: "m", processing_time_ms: 1 };
    let seq = 0;
    for (const { hour, calls } of hours) {
      for (let from = 0; from < calls; from += 500) {
        const rows = Array.from({ length: Math.min(500, calls - from) }, (_, index) => ({ ...session, id: idAt(hour + (from + index) * 100), at: hour + (from + index) * 100, ledger_seq: (seq += 1) }));
        await store.db.insertInto("session_records").values(rows).execute();
      }
    }
    const { rows, calls } = await readDaySample(store, { accountId, day }, () => 0.5);
    assert.equal(calls, 7_300);
    assert(rows.length <= sampledMax + 24 && rows.length >= 0.98 * sampledMax, `${rows.length}`);
    const inThird = rows.filter(({ at }) => at >= hours[3]!.hour && at < hours[4]!.hour).length;
    assert(Math.abs(inThird / rows.length - 5_000 / 7_300) < 0.01);
    assert.deepEqual(rows.map(({ id }) => id), rows.map(({ id }) => id).toSorted());
  });
});
