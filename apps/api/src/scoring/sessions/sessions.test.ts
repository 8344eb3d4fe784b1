import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount, type TestAccount, vastTier } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { goodSignals, predict, send } from "../../../test/send.ts";
import type { TestService } from "../../../test/start-service.ts";
import { runSql } from "../../../test/store/run-sql.ts";
import { msPerDay } from "../../formats/time.ts";
import { deleteExpired } from "../../operations/delete-expired.ts";

const retentionDays = 90;

describeBothStores("a scored session", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;
  let other: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    other = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve();
  });

  const look = (sessionId: string, key = account.liveKey) =>
    send(service, `/api/sessions/${sessionId}`, { headers: { "x-api-key": key } });
  const report = (sessionId: string, body: unknown, key = account.liveKey) =>
    predict(service, key, { path: `/api/sessions/${sessionId}/outcome`, body });
  const judge = async (path = "/api/ml/predict", key = account.liveKey) => (await predict(service, key, { path })).json();

  /** A session as if it had been scored then. */
  async function judgeAt(atMs: number): Promise<string> {
    const ref = idAt(atMs);
    await makeCharger(database.store, { nowMs: atMs }).charge(makeCharge({ accountId: account.accountId, atMs, ref }));
    return ref;
  }

  async function outcomesOf(sessionId: string) {
    const rows = await database.store.db
      .selectFrom("session_outcomes")
      .select(["seq", "outcome", "mode", "service_score"])
      .where("session_id", "=", sessionId)
      .orderBy("seq")
      .execute();
    return rows.map((row) => ({ ...row }));
  }

  it("is returned as predict answered, with its signals, endpoint, mode and outcome", async () => {
    const prediction = await judge();
    const answer = await look(prediction.session_id as string);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { ...prediction, signals: goodSignals, endpoint: "predict", outcome: null, mode: "live", settlement: "pending" });
    assert.deepEqual(Object.keys(answer.json()).slice(0, Object.keys(prediction).length), Object.keys(prediction));
    assert.equal(answer.headers["assay-receipt"], undefined);
  });

  it("has only the signals that were sent", async () => {
    const body = { session_data: { user_engagement: 0, session_duration: 0, return_visitor: false } };
    const { session_id: sessionId } = (await predict(service, account.liveKey, { body })).json();
    assert.deepEqual((await look(sessionId as string)).json().signals, body.session_data);
  });

  it("is found for every endpoint and mode; a test session earned nothing", async () => {
    for (const endpoint of ["score", "analyze"] as const) {
      const judged = await judge(`/api/ml/${endpoint}`, account.testKey);
      const shown = (await look(judged.session_id as string)).json();
      assert.deepEqual([shown.endpoint, shown.mode, shown.revenue_attribution], [endpoint, "test", 0]);
      assert.equal(shown.service_score, judged.service_score);
    }
  });

  it("is 404 for other accounts, like unknown and malformed ids [threat: foreign-session]", async () => {
    const { session_id: mine } = await judge();
    const unknown = `sess_${"0".repeat(22)}`;
    const lost = [[mine as string, other.liveKey], [mine as string, other.testKey], [unknown], ["sess_short"], ["%00"], ["%F0%9F%98%80"], ["a".repeat(150)]];
    for (const [sessionId, key] of lost as [string, string?][]) {
      for (const answer of [await look(sessionId, key), await report(sessionId, { outcome: "bot" }, key)]) {
        assert.equal(answer.status, 404, sessionId);
        assert.deepEqual(answer.json(), { error: "not_found", message: "No session of this account has this id, or it is past retention." });
      }
    }
    assert.deepEqual(await outcomesOf(mine as string), []);
    assert.equal((await look(mine as string, "assay_live_nobody")).status, 401);
  });

  it("is 404 past retention, before and after it is deleted", async () => {
    const nowMs = Date.now();
    const [old, kept] = [await judgeAt(nowMs - retentionDays * msPerDay - 1_000), await judgeAt(nowMs - retentionDays * msPerDay + 600_000)];
    for (const answer of [await look(old), await report(old, { outcome: "bot" })]) assert.equal(answer.status, 404);
    assert.equal((await report(kept, { outcome: "genuine" })).status, 200);
    await deleteExpired(database.store, { nowMs, retentionDays, isOver: () => false });
    assert.equal((await look(old)).status, 404);
    assert.equal((await look(kept)).json().outcome, "genuine");
    await deleteExpired(database.store, { nowMs: nowMs + msPerDay, retentionDays, isOver: () => false });
    assert.equal((await look(kept)).status, 404);
    assert.deepEqual(await outcomesOf(kept), [], "outcomes are deleted with their session");
  });

  it("appends outcomes, and the last one counts", async () => {
    const { session_id: id, service_score: score } = await judge();
    const sessionId = id as string;
    const entriesBefore = (await readLedger(database.store, account.accountId)).length;
    const given = ["converted", "refunded", "refunded", "fraud", "genuine", "bot"];
    for (const outcome of given) {
      const answer = await report(sessionId, { outcome });
      assert.equal(answer.status, 200);
      const { recorded_at: recordedAt, ...rest } = answer.json();
      assert.deepEqual(rest, { session_id: sessionId, outcome });
      assert.equal(new Date(recordedAt as string).toISOString(), recordedAt);
      assert.equal((await look(sessionId)).json().outcome, outcome);
    }
    assert.deepEqual(await outcomesOf(sessionId), given.map((outcome, index) => ({ seq: index + 1, outcome, mode: "live", service_score: score })));
    assert.equal((await readLedger(database.store, account.accountId)).length, entriesBefore, "outcomes are free");
  });

  it("stores every one of several concurrent outcomes", async () => {
    const { session_id: id } = await judge();
    const answers = await Promise.all(Array.from({ length: 4 }, () => report(id as string, { outcome: "genuine" })));
    assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
    assert.deepEqual((await outcomesOf(id as string)).map(({ seq }) => seq), [1, 2, 3, 4]);
  });

  it("refuses and does not store unknown outcomes and personal data", async () => {
    const { session_id: id } = await judge();
    const wrong: [body: unknown, error: string][] = [
      [{}, "invalid_request"],
      [{ outcome: "good" }, "invalid_request"],
      [{ outcome: "Bot" }, "invalid_request"],
      [{ outcome: null }, "invalid_request"],
      [{ outcome: ["bot"] }, "invalid_request"],
      ["[]", "invalid_request"],
      ["", "invalid_request"],
      [{ outcome: "bot", email: "somebody" }, "personal_data"],
      [{ outcome: "bot", details: { customer_id: "7" } }, "personal_data"],
    ];
    for (const [body, error] of wrong) {
      const answer = await report(id as string, body);
      assert.deepEqual([answer.status, answer.json().error], [400, error], JSON.stringify(body));
    }
    assert.deepEqual(await outcomesOf(id as string), []);
    const kept = await report(id as string, { outcome: "bot", order_total: 12 });
    assert.equal(kept.status, 200, "unknown fields are ignored");
  });

  it("has outcomes that the database refuses to change, or to delete before the session", async () => {
    const { session_id: id } = await judge();
    await report(id as string, { outcome: "genuine" });
    const where = `WHERE session_id = '${id as string}'`;
    const statements = [
      `UPDATE session_outcomes SET outcome = 'bot' ${where}`,
      `DELETE FROM session_outcomes ${where}`,
      ...(dialect === "postgres"
        ? ["TRUNCATE session_outcomes"]
        : [`INSERT OR REPLACE INTO session_outcomes SELECT account_id, session_id, seq, mode, 'bot', service_score, at FROM session_outcomes ${where}`]),
    ];
    for (const statement of statements) await assert.rejects(runSql(database, [statement]), /append-only/, statement);
    assert.deepEqual((await outcomesOf(id as string)).map(({ outcome }) => outcome), ["genuine"]);
  });
});
