import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "./both-stores.ts";
import { checkDays } from "./check-days.ts";
import { idAt } from "./id-at.ts";
import { makeAccount } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { plantFinding } from "./money/plant-finding.ts";
import { makeSignInAccount, signIn } from "./people/browser.ts";
import { readMails } from "./people/read-mails.ts";
import { msPerDay } from "../src/formats/time.ts";
import { deleteExpired } from "../src/operations/delete-expired.ts";
import { dropPartitions } from "../src/operations/make-partitions.ts";
import { acceptFinding, decideFinding } from "../src/scoring/traffic/close-finding.ts";
import type { Store } from "../src/store/store.ts";
import { settleCalls } from "../src/money/days/settle-calls.ts";
import { alertOverdue, countOverdue } from "../src/money/findings/alert-overdue.ts";
import { answerOwnFinding, openOperatorFinding, reopenFinding } from "../src/money/findings/change-finding.ts";

const nowMs = Date.now();
const isOver = () => false;
const byNobody = { actorAccountId: null, fourEyes: true, nowMs };
const readFinding = (store: Store, findingId: string) => store.db.selectFrom("findings").selectAll().where("id", "=", findingId).executeTakeFirstOrThrow();
const reversedCalls = async (store: Store, accountId: string) => (await store.db.selectFrom("call_reversals").select("calls").where("account_id", "=", accountId).execute()).reduce((sum, { calls }) => sum + calls, 0);
const makeCaller = (store: Store) => makeAccount(store, { nowMs: nowMs - 5 * msPerDay });

describeBothStores("a finding", (open) => {
  it("that is upheld reverses its sessions, its whole days or nothing, as the operator says, and is decided once", async () => {
    const { store } = await open();
    for (const [reverse, calls] of [[undefined, 3], ["sessions", 3], ["days", 4], ["nothing", 0]] as const) {
      const { accountId, email } = await makeCaller(store);
      const { findingId, day } = await plantFinding(store, { accountId, nowMs, calls: 3 });
      const other = { user_engagement: 0.31, session_duration: 77, scroll_depth: 0.4, interaction_count: 4, page_views: 3, return_visitor: false };
      const atMs = day + msPerDay - 1_000;
      const unlike = makeCharge({ accountId, atMs, ref: idAt(atMs) });
      await makeCharger(store, { nowMs: atMs }).charge({ ...unlike, verdict: { ...unlike.verdict!, signals: other } });
      const decision = { findingId, decision: "upheld" as const, reason: "made by a script", reverse, ...byNobody };
      assert.equal((await decideFinding(store, decision)).calls, calls);
      assert.equal(await reversedCalls(store, accountId), calls);
      await assert.rejects(decideFinding(store, decision), /closed/);
      const decided = (await readMails(store, email)).find(({ kind }) => kind === "finding_decided");
      assert.match(decided!.text, /made by a script/);
    }
  });

  it("about clicks, or of an operator, reverses no calls by itself and cannot be accepted", async () => {
    const { store } = await open();
    const { accountId } = await makeCaller(store);
    const { findingId } = await plantFinding(store, { accountId, nowMs, calls: 2 });
    await store.db.updateTable("findings").set({ code: "click_rate" }).where("id", "=", findingId).execute();
    await assert.rejects(acceptFinding(store, { findingId, accountId, nowMs }), /cannot be accepted/);
    await assert.rejects(decideFinding(store, { findingId, decision: "upheld", reason: "r", reverse: "days", ...byNobody }), /not about calls/);
    const { findingId: opened } = await openOperatorFinding(store, { accountId, reason: "bought visits", days: [], ...byNobody });
    await assert.rejects(acceptFinding(store, { findingId: opened, accountId, nowMs }), /cannot be accepted/);
    await assert.rejects(openOperatorFinding(store, { accountId, reason: "again", days: [], ...byNobody }), /already open/);
    await assert.rejects(openOperatorFinding(store, { accountId, reason: "r", days: ["2026-02-31"], ...byNobody }), /not a day/);
    assert.equal(await reversedCalls(store, accountId), 0);
  });

  it("is not accepted by somebody else, nor once its first sessions are deleted, nor again after it was opened again [threat: accept-cheaply] [threat: others-finding]", async () => {
    const { store } = await open();
    const { accountId } = await makeCaller(store);
    const stranger = await makeCaller(store);
    const { findingId, sessionIds } = await plantFinding(store, { accountId, nowMs, calls: 3 });
    await assert.rejects(acceptFinding(store, { findingId, accountId: stranger.accountId, nowMs }), /No finding/);
    await assert.rejects(answerOwnFinding(store, { findingId, accountId: stranger.accountId, text: "mine", nowMs }), /No finding/);
    const gone = await store.db.selectFrom("session_records").selectAll().where("id", "=", sessionIds[0]!).executeTakeFirstOrThrow();
    await store.db.deleteFrom("session_records").where("id", "=", gone.id).execute();
    await assert.rejects(acceptFinding(store, { findingId, accountId, nowMs }), /Not all sessions/);
    await store.db.insertInto("session_records").values(gone).execute();
    assert.equal((await acceptFinding(store, { findingId, accountId, nowMs })).calls, 3);
    await reopenFinding(store, { findingId, reason: "new evidence", ...byNobody });
    await assert.rejects(acceptFinding(store, { findingId, accountId, nowMs: nowMs + 300 * msPerDay }), /12 months/);
    assert.equal((await readFinding(store, findingId)).decision, null);
  });

  it("about an operator's own account is for somebody else, under four eyes", async () => {
    const database = await open();
    const { store } = database;
    const operator = await makeSignInAccount(store, { operator: true });
    const { accountId } = operator;
    const own = { actorAccountId: accountId, nowMs };
    await assert.rejects(openOperatorFinding(store, { accountId, reason: "r", days: [], ...own, fourEyes: true }), /own account/);
    const { findingId } = await openOperatorFinding(store, { accountId, reason: "r", days: [], ...own, fourEyes: false });
    const decision = { findingId, decision: "dismissed" as const, reason: "r", reverse: undefined, ...own };
    await assert.rejects(decideFinding(store, { ...decision, fourEyes: true }), /own account/);
    await decideFinding(store, { ...decision, fourEyes: false });
    await assert.rejects(reopenFinding(store, { findingId, reason: "r", ...own, fourEyes: true }), /own account/);
  });

  it("that nobody decides for 14 days is overdue: every operator is mailed once, the status says so, and it stays open", async () => {
    const database = await open();
    const { store } = database;
    const operators = [await makeSignInAccount(store, { operator: true }), await makeSignInAccount(store, { operator: true })];
    const { accountId } = await makeCaller(store);
    const openedMs = nowMs - 20 * msPerDay;
    const { findingId } = await openOperatorFinding(store, { accountId, reason: "r", days: [], ...byNobody, nowMs: openedMs });
    assert.deepEqual(await alertOverdue(store, openedMs + 14 * msPerDay), { alerted: 0, isMore: false });
    assert.deepEqual(await countOverdue(store, openedMs + 14 * msPerDay), { overdue: 0, oldestDays: 0 });
    await Promise.all([alertOverdue(store, nowMs), alertOverdue(store, nowMs)]);
    await alertOverdue(store, nowMs);
    for (const { email } of operators) assert.deepEqual((await readMails(store, email)).map(({ kind }) => kind), ["findings_overdue"]);
    const service = await database.serve();
    const status = (await (await fetch(`${service.url}/api/status`)).json()) as { findings: unknown };
    assert.deepEqual(status.findings, { overdue: 1, oldest_days: 20 });
    const browser = await signIn(service, operators[0]!);
    const { findings } = (await browser.get("/dashboard/api/operator/findings")).json() as { findings: { id: string; overdue: boolean }[] };
    assert.deepEqual(findings.map(({ id, overdue }) => [id, overdue]), [[findingId, true]]);
    assert.equal((await readFinding(store, findingId)).closed_at, null);
  });

  it("keeps the sessions of unsettled days beyond retention, until they are settled", async () => {
    const { store } = await open();
    const { accountId } = await makeCaller(store);
    const { findingId, sessionIds } = await plantFinding(store, { accountId, nowMs, calls: 3 });
    await store.db.updateTable("session_records").set({ attested: 21 }).where("id", "=", sessionIds[1]!).execute();
    const free = await makeCaller(store);
    const atMs = nowMs - 2 * msPerDay;
    await makeCharger(store, { nowMs: atMs }).charge(makeCharge({ accountId: free.accountId, atMs, ref: idAt(atMs) }));
    const later = { nowMs: nowMs + 40 * msPerDay, retentionDays: 30 };
    await checkDays(store, later.nowMs);
    const kept = async () => (await store.db.selectFrom("evidence_sessions").select("id").orderBy("id").execute()).map(({ id }) => id);
    const left = async () => (await store.db.selectFrom("session_records").select("id").execute()).length;
    assert.deepEqual(await deleteExpired(store, { ...later, isOver: () => true }), { deleted: 0, isMore: true });
    if (store.dialect === "postgres") await dropPartitions(store, { ...later, isOver });
    await deleteExpired(store, { ...later, isOver });
    assert.deepEqual([await left(), await kept()], [0, sessionIds], "those of the other account are gone");
    const attested = await store.db.selectFrom("evidence_sessions").select("attested").orderBy("id").execute();
    assert.deepEqual(attested.map((row) => row.attested), [null, 21, null]);
    assert.equal((await decideFinding(store, { findingId, decision: "upheld", reason: "r", reverse: "sessions", ...byNobody })).calls, 3, "they are found and reversed");
    await settleCalls(store, { nowMs: later.nowMs, holdDays: 14, isOver });
    await deleteExpired(store, { ...later, isOver });
    assert.deepEqual(await kept(), []);
  });
});
