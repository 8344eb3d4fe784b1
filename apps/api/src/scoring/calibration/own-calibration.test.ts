import type { OwnCalibrationReply } from "@assay/contract/dashboard/calibration.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount, vastTier } from "../../../test/make-account.ts";
import { type Browser, makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import { fillOutcomes, type Filling } from "../../../test/scoring/fill-outcomes.ts";
import { type Answer, goodBody, goodSignals, predict as predictOnce, send, waitUntil } from "../../../test/send.ts";
import { runSql } from "../../../test/store/run-sql.ts";
import type { TestService } from "../../../test/start-service.ts";
import { issueKey } from "../../access/keys/issue-key.ts";
import { msPerDay } from "../../formats/time.ts";
import { setPinnedModel } from "../../register/accounts.table.ts";
import { createModels } from "../models/choose-model.ts";
import { recordOutcome } from "../sessions/find-session.ts";
import { fitAllAgain } from "./fit-all-again.ts";
import { fitOwn } from "./fit-own.ts";
import { readActiveCalibration } from "./read-active.ts";
import { fitAgain, switchCalibrationOff, switchCalibrationOn } from "./switch-calibration.ts";

const isOver = () => false;
const retriesMax = 100;

/** Retries 503: a machine that is busy with other tests sheds requests before they have any effect. */
async function predict(...call: Parameters<typeof predictOnce>): Promise<Answer> {
  for (let left = retriesMax; ; left -= 1) {
    const answer = await predictOnce(...call);
    if (answer.status !== 503 || left === 0) return answer;
    await sleep(100);
  }
}

const enough = { good: 300, bad: 300 };
const steep = { shift: -0.8, slope: 2 };
const other = releasedModels.find(({ model }) => model !== currentModel)!.model;

describeBothStores("an account's own calibration", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  const nowMs = Date.now();
  const atMs = nowMs - msPerDay;
  const path = "/dashboard/api/calibration";
  const fill = (accountId: string, more: Partial<Filling> = {}) => fillOutcomes(database.store, { accountId, ...enough, truth: steep, atMs, ...more });

  const read = async (browser: Browser): Promise<OwnCalibrationReply> => {
    const answer = await browser.get(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json() as unknown as OwnCalibrationReply;
  };
  const put = (browser: Browser, outcomesTo: string) => browser.request("PUT", path, { outcomes_to: outcomesTo });
  const rowsOf = (accountId: string) =>
    database.store.db.selectFrom("calibrations").select(["version", "shift", "slope", "model_version", "fitted_by"]).where("account_id", "=", accountId).orderBy("version").execute();
  const model = currentModel;
  const switchOn = (accountId: string, outcomesToMs = nowMs) => switchCalibrationOn(database.store, { accountId, model, outcomesToMs, nowMs });

  async function makeDeveloper() {
    const account = await makeSignInAccount(database.store);
    const { accountId } = account;
    const { key: liveKey } = await issueKey(database.store, { accountId, mode: "live", name: "live", nowMs });
    const { key: testKey } = await issueKey(database.store, { accountId, mode: "test", name: "test", nowMs });
    return { accountId, liveKey, testKey, browser: await signIn(service, account) };
  }

  it("is previewed on the account's own outcomes, switched on, answered, recorded, explained, and switched off", async () => {
    const { accountId, liveKey, testKey, browser } = await makeDeveloper();
    await fill(accountId);
    const shipped = (await predict(service, liveKey)).json();
    assert.equal(shipped.calibration, "shipped");
    const preview = await read(browser);
    assert.deepEqual([preview.state, preview.active, preview.versions, preview.minimum_outcomes], ["off", null, [], 200]);
    assert.deepEqual([preview.preview.sessions, preview.preview.good, preview.preview.bad, preview.preview.refused, preview.preview.complete], [600, 300, 300, null, true]);
    const { fitted } = preview.preview;
    assert(fitted && fitted.after.error < fitted.before.error && fitted.changed_levels > 0, JSON.stringify(fitted));

    const switched = await put(browser, preview.preview.outcomes_to);
    assert.equal(switched.status, 200, switched.text);
    const on = switched.json() as unknown as OwnCalibrationReply;
    assert.equal(on.state, "on");
    assert.deepEqual([on.active?.version, on.active?.shift, on.active?.slope, on.active?.fitted_by], [1, fitted.shift, fitted.slope, "developer"], "exactly what was looked at");

    const own = currentModel.calibrated(fitted);
    const expected = own.score(goodSignals);
    assert.notEqual(expected.serviceScore, currentModel.score(goodSignals).serviceScore);
    for (const key of [liveKey, testKey]) {
      for (const endpoint of ["predict", "score", "analyze"]) {
        const answer = (await predict(service, key, { path: `/api/ml/${endpoint}` })).json();
        assert.deepEqual([answer.calibration, answer.service_score, answer.model_version], ["account", expected.serviceScore, currentModel.version], endpoint);
      }
    }
    const { session_id: sessionId } = (await predict(service, liveKey)).json() as { session_id: string };
    const record = (await send(service, `/api/sessions/${sessionId}`, { headers: { "x-api-key": liveKey } })).json();
    assert.deepEqual([record.calibration, record.service_score], ["account", expected.serviceScore]);
    const listed = (await browser.get("/dashboard/api/sessions?limit=1")).json() as unknown as { sessions: { service_score: number; calibration: string }[] };
    assert.deepEqual([listed.sessions[0]!.service_score, listed.sessions[0]!.calibration], [expected.serviceScore, "account"]);
    const played = (await browser.post("/dashboard/api/playground/send", goodBody)).json() as unknown as { body: string };
    assert.equal((JSON.parse(played.body) as { calibration: string }).calibration, "account");

    const off = await browser.request("DELETE", path);
    assert.equal(off.status, 200, off.text);
    assert.deepEqual([(off.json() as unknown as OwnCalibrationReply).state, (off.json() as unknown as OwnCalibrationReply).versions.length], ["off", 1]);
    const back = (await predict(service, liveKey)).json();
    assert.deepEqual([back.calibration, back.service_score], ["shipped", shipped.service_score]);

    // The old record is explained with what it was scored with, although it is switched off.
    const detail = (await browser.get(`/dashboard/api/sessions/${sessionId}`)).json() as unknown as { calibration_version: number; unexplained: string | null; explanation: { unrounded_score: number } };
    assert.deepEqual([detail.calibration_version, detail.unexplained, detail.explanation.unrounded_score], [1, null, own.explain(goodSignals).unroundedScore]);
    const older = (await browser.get(`/dashboard/api/sessions/${shipped.session_id as string}`)).json() as unknown as { calibration_version: number | null; unexplained: string | null };
    assert.deepEqual([older.calibration_version, older.unexplained], [null, null]);
  });

  it("reaches other nodes within a second of the store's news", async () => {
    const second = await database.serve();
    const { accountId, liveKey } = await makeAccount(database.store, { tier: vastTier });
    await fill(accountId);
    const asked = async () => (await predict(second, liveKey)).json().calibration;
    assert.equal(await asked(), "shipped");
    await switchOn(accountId);
    await waitUntil(async () => (await asked()) === "account", "the other node applies it");
    await switchCalibrationOff(database.store, { accountId, nowMs });
    await waitUntil(async () => (await asked()) === "shipped", "and leaves it");
  });

  it("is refused with fewer than 200 good or 200 bad outcomes, and where outcomes contradict the scores", async () => {
    for (const [filling, message] of [
      [{ good: 199, bad: 400 }, /at least 200 good and 200 bad outcomes.*199 and 400/],
      [{ good: 400, bad: 199 }, /at least 200/],
      [{ good: 400, bad: 0, truth: { shift: 3, slope: 1 } }, /at least 200/],
      [{ ...enough, truth: "contrary" }, /do not rise with the scores/],
    ] as const) {
      const { accountId, browser } = await makeDeveloper();
      await fill(accountId, filling);
      const { preview } = await read(browser);
      assert.equal(preview.fitted, null);
      assert.equal(preview.refused, "truth" in filling && filling.truth === "contrary" ? "contradicted" : "too_few");
      const answer = await put(browser, preview.outcomes_to);
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.text, message);
      assert.deepEqual(await rowsOf(accountId), []);
    }
  });

  it("leaves out test sessions, sessions without a record, and what was reported after the preview", async () => {
    const { accountId, browser } = await makeDeveloper();
    await fill(accountId, { mode: "test" });
    assert.deepEqual((await read(browser)).preview.sessions, 0);
    const filled = await fill(accountId, { seed: 2 });
    const preview = await read(browser);
    assert.equal(preview.preview.sessions, 600);
    // Somebody with the key says the opposite of everything, between the look and the decision.
    for (const { sessionId, isGood } of filled) {
      await recordOutcome(database.store, { accountId, sessionId, nowMs: Date.parse(preview.preview.outcomes_to) + 1, retentionDays: 90, outcome: isGood ? "bot" : "converted" });
    }
    const switched = (await put(browser, preview.preview.outcomes_to)).json() as unknown as OwnCalibrationReply;
    assert.deepEqual([switched.active?.shift, switched.active?.slope], [preview.preview.fitted!.shift, preview.preview.fitted!.slope]);
    const retained = (await fitOwn(database.store, { accountId, model, outcomesToMs: nowMs + msPerDay })).sessions;
    await database.store.db.deleteFrom("session_records").where("account_id", "=", accountId).where("id", "in", filled.slice(0, 100).map(({ sessionId }) => sessionId)).execute();
    assert.equal((await fitOwn(database.store, { accountId, model, outcomesToMs: nowMs + msPerDay })).sessions, retained - 100);
  });

  it("takes only a preview of the last hour", async () => {
    const { accountId, browser } = await makeDeveloper();
    await fill(accountId);
    for (const outcomesTo of [new Date(Date.now() + 60_000).toISOString(), new Date(Date.now() - 2 * 3_600_000).toISOString()]) {
      assert.equal((await put(browser, outcomesTo)).status, 400);
    }
    assert.deepEqual(await rowsOf(accountId), []);
  });

  it("counts the last outcome of a session, however often it is reported", async () => {
    const { accountId } = await makeAccount(database.store);
    const filled = await fill(accountId, { good: 200, bad: 250 });
    const moved = filled.find(({ isGood }) => isGood)!;
    const report = (outcome: "bot" | "genuine", at: number) => recordOutcome(database.store, { accountId, sessionId: moved.sessionId, nowMs: at, retentionDays: 90, outcome });
    for (let time = 0; time < 30; time += 1) await report("genuine", nowMs - 1_000 + time);
    assert.equal((await fitOwn(database.store, { accountId, model, outcomesToMs: nowMs })).fit.good, 200);
    await report("bot", nowMs - 900);
    const { fit } = await fitOwn(database.store, { accountId, model, outcomesToMs: nowMs });
    assert.deepEqual([fit.kind, fit.good, fit.bad], ["refused", 199, 251]);
  });

  it("is fitted to what the shipped model says, never to scores that were calibrated before", async () => {
    const { accountId } = await makeAccount(database.store);
    await fill(accountId);
    await switchOn(accountId);
    const first = await readActiveCalibration(database.store, accountId);
    // The same sessions as if they had been answered on that calibration.
    const { accountId: twin } = await makeAccount(database.store);
    await fill(twin, { calibration: 1 });
    await switchOn(twin);
    const second = await readActiveCalibration(database.store, twin);
    assert.deepEqual([second?.shift, second?.slope], [first?.shift, first?.slope]);
  });

  it("gives every concurrent fit a version of its own, and one of them is switched on", async () => {
    const { accountId } = await makeAccount(database.store);
    await fill(accountId);
    await Promise.all(Array.from({ length: 4 }, () => switchOn(accountId)));
    const rows = await rowsOf(accountId);
    assert.deepEqual(rows.map(({ version }) => version), [1, 2, 3, 4]);
    const active = await readActiveCalibration(database.store, accountId);
    assert.equal(active?.version, 4);
    const notes = await database.store.db.selectFrom("audit_log").select("action").where("account_id", "=", accountId).where("action", "like", "calibration.%").execute();
    assert.equal(notes.length, 4, "each is noted");
  });

  it("is in the audit log each time it changes: who did it, and what was fitted to how many outcomes", async () => {
    const { accountId } = await makeAccount(database.store);
    await fill(accountId);
    await switchOn(accountId);
    const again = await fitAgain(database.store, { accountId, on: 1, outcomesToMs: nowMs }, { model: other, nowMs: nowMs + 1 });
    assert.equal(again, "fitted");
    assert.equal(await fitAgain(database.store, { accountId, on: 1, outcomesToMs: nowMs }, { model: other, nowMs: nowMs + 2 }), "switched_off", "and is not noted");
    const off = () => switchCalibrationOff(database.store, { accountId, nowMs: nowMs + 3 });
    assert.deepEqual([await off(), await off()], ["switched_off", "already_off"]);
    const noted = await database.store.db.selectFrom("audit_log").select(["at", "actor_account_id", "action", "subject", "account_id", "detail"]).where("account_id", "=", accountId).where("action", "like", "calibration.%").orderBy("seq").execute();
    const fits = await database.store.db.selectFrom("calibrations").select(["shift", "slope", "model_version", "good", "bad"]).where("account_id", "=", accountId).orderBy("version").execute();
    assert.deepEqual(fits.map(({ good, bad, model_version: version }) => [good, bad, version]), [[300, 300, currentModel.version], [300, 300, other.version]]);
    const place = { subject: accountId, account_id: accountId };
    assert.deepEqual(noted.map(({ detail, ...rest }) => ({ ...rest, detail: JSON.parse(detail) as unknown })), [
      { at: nowMs, actor_account_id: accountId, action: "calibration.switch_on", ...place, detail: fits[0] },
      { at: nowMs + 1, actor_account_id: null, action: "calibration.fit_again", ...place, detail: fits[1] },
      { at: nowMs + 3, actor_account_id: accountId, action: "calibration.switch_off", ...place, detail: {} },
    ]);
  });

  it("belongs to a model: with another one answers are shipped until the job has fitted it again, to the same outcomes", async () => {
    // The service's own job runs soon after the start, and then not for an hour: here it would be the first.
    const ownJob = database.store.db.selectFrom("jobs").select("last_success_at").where("name", "=", "fit_calibrations");
    await waitUntil(async () => ((await ownJob.executeTakeFirst())?.last_success_at ?? 0) > 0, "the service's own job has run");
    const { accountId, liveKey, browser } = await makeDeveloper();
    await fill(accountId);
    await switchOn(accountId);
    await database.store.write([setPinnedModel(database.store.db, { accountId, version: other.version })]);
    // Reported since, maybe with a stolen key: no part of what the developer approved.
    await fill(accountId, { truth: "contrary", good: 2_000, bad: 2_000, atMs: nowMs + 1, seed: 5 });
    assert.equal((await read(browser)).state, "waiting");
    const models = createModels(releasedModels, []);
    const context = { models, nowMs: nowMs + msPerDay, isOver };
    assert.equal((await fitAllAgain(database.store, context)).fitted, 1);
    assert.equal((await fitAllAgain(database.store, context)).fitted, 0, "once");
    const rows = await rowsOf(accountId);
    const expected = await fitOwn(database.store, { accountId, model: other, outcomesToMs: nowMs });
    assert(expected.fit.kind === "fitted");
    assert.deepEqual(rows.at(-1), { version: 2, ...expected.fit.calibration, model_version: other.version, fitted_by: "job" });
    await waitUntil(async () => (await predict(service, liveKey)).json().calibration === "account", "answers are on the new fit");
    const answer = (await predict(service, liveKey)).json();
    assert.deepEqual([answer.model_version, answer.service_score], [other.version, other.calibrated(expected.fit.calibration).score(goodSignals).serviceScore]);
  });

  it("is not applied to scores of a model that it was not fitted for", async () => {
    const { accountId, liveKey } = await makeAccount(database.store, { tier: vastTier });
    await fill(accountId);
    await switchOn(accountId);
    await database.store.write([setPinnedModel(database.store.db, { accountId, version: other.version })]);
    const answer = (await predict(service, liveKey)).json();
    assert.deepEqual([answer.calibration, answer.model_version, answer.service_score], ["shipped", other.version, other.score(goodSignals).serviceScore]);
  });

  it("stays off if it is switched off while the job fits", async () => {
    const { accountId } = await makeAccount(database.store);
    await fill(accountId);
    await switchOn(accountId);
    await switchCalibrationOff(database.store, { accountId, nowMs });
    assert.equal(await fitAgain(database.store, { accountId, on: 1, outcomesToMs: nowMs }, { model: other, nowMs }), "switched_off");
    assert.equal(await readActiveCalibration(database.store, accountId), null);
    assert.equal((await rowsOf(accountId)).length, 1);
    assert.equal(await switchCalibrationOff(database.store, { accountId, nowMs }), "already_off");
  });

  it("keeps every version as it was fitted: the database refuses to change or delete one", async () => {
    const { accountId } = await makeAccount(database.store);
    await fill(accountId);
    await switchOn(accountId);
    const rows = await rowsOf(accountId);
    for (const statement of [
      `UPDATE calibrations SET slope = 9 WHERE account_id = '${accountId}'`,
      `DELETE FROM calibrations WHERE account_id = '${accountId}'`,
      ...(database.dialect === "sqlite"
        ? [`INSERT OR REPLACE INTO calibrations SELECT * FROM calibrations WHERE account_id = '${accountId}'`]
        : ["TRUNCATE calibrations"]),
    ]) {
      await assert.rejects(runSql(database, [statement]), /append-only/, statement);
    }
    assert.deepEqual(await rowsOf(accountId), rows);
  });
});
