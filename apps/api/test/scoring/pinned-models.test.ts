import type { ModelComparison, OperatorComparison, OperatorModels } from "@assay/contract/dashboard/models.ts";
import type { SessionDetailReply } from "@assay/contract/dashboard/sessions.ts";
import type { SettingsReply } from "@assay/contract/dashboard/settings.ts";
import { findModel, releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { msPerDay, msPerMinute } from "../../src/formats/time.ts";
import { insertDate } from "../../src/money/corrections/corrections.table.ts";
import { openModels } from "../../src/scoring/models/open-models.ts";
import { describeBothStores, type TestDatabase } from "../both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { type Browser, makeSignInAccount, signIn } from "../people/browser.ts";
import { goodBody, goodSignals, predict, send, waitUntil } from "../send.ts";
import type { TestService } from "../start-service.ts";
import { releasedOf } from "./fake-models.ts";

const [first, newest] = [releasedModels.at(-2)!.model.version, releasedModels.at(-1)!.model.version];
const api = (path: string) => `/dashboard/api${path}`;
/** Two nodes' clocks differ by some milliseconds: for the one that reports, the other's sessions may be of a moment to come. */
const inAMinute = () => new Date(Date.now() + msPerMinute).toISOString();

describeBothStores("the model that scores an account's sessions", (open) => {
  let database: TestDatabase;
  let nodes: TestService[];
  /** From before the newest model, and from after it. */
  let old: TestAccount;
  let young: TestAccount;
  let browser: Browser;

  before(async () => {
    database = await open();
    const { store } = database;
    await store.write([insertDate(store.db, { name: `model:${first}`, at: Date.now() - 100 * msPerDay })]);
    old = await makeAccount(store, { tier: vastTier, nowMs: Date.now() - msPerDay });
    nodes = [await database.serve(), await database.serve()];
    young = await makeAccount(store);
    browser = await signIn(nodes[0]!, { ...old, store });
  });

  const versionsOf = async (key: string) => Promise.all(nodes.map(async (node) => (await predict(node, key)).json().model_version));
  const pin = (version: string | null) => browser.request("PATCH", api("/settings"), { model_version: version });
  /** Until no node has the pin in its memory any more. */
  const unpin = async () => {
    assert.equal((await pin(null)).status, 200);
    await waitUntil(async () => (await versionsOf(old.liveKey)).every((version) => version === first), "both are back");
  };
  const readSettings = async () => (await browser.get(api("/settings"))).json() as SettingsReply;

  it("is the one before the newest for 30 days if the account is from before it, on every node and every endpoint", async () => {
    assert.deepEqual(await versionsOf(old.liveKey), [first, first]);
    assert.deepEqual(await versionsOf(young.liveKey), [newest, newest]);
    for (const path of ["/api/ml/score", "/api/ml/analyze", "/ml/predict"]) {
      const answer = await send(nodes[0]!, path, { method: "POST", headers: { "x-api-key": old.liveKey, "content-type": "application/json" }, body: goodBody });
      assert.deepEqual([answer.json().model_version, answer.json().calibration], [first, "shipped"], path);
    }
    const { model_version: pinned, model } = await readSettings();
    const began = await database.store.db.selectFrom("installation_dates").select("at").where("name", "=", `model:${newest}`).executeTakeFirstOrThrow();
    assert.deepEqual([pinned, model.version, model.why, model.newest], [null, first, "kept", newest]);
    assert.equal(model.until, new Date(began.at + 30 * msPerDay).toISOString());
    const status = (await send(nodes[1]!, "/api/status")).json() as { model_version: string; models: { version: string; sunset: string | null }[] };
    assert.equal(status.model_version, newest);
    assert.deepEqual(status.models.map(({ version, sunset }) => [version, sunset]), [...releasedModels.slice(0, -1).map(({ model: { version } }) => [version, new Date(began.at + 365 * msPerDay).toISOString()]), [newest, null]]);
    assert.deepEqual(model.models, status.models);
  });

  it("is the one that the account pins, on all nodes, until it is unpinned", async () => {
    const changed = await pin(newest);
    assert.equal(changed.status, 200, changed.text);
    assert.equal((changed.json() as SettingsReply).model_version, newest);
    assert.equal((await predict(nodes[0]!, old.liveKey)).json().model_version, newest, "at once where it was pinned");
    await waitUntil(async () => (await predict(nodes[1]!, old.liveKey)).json().model_version === newest, "the other node follows");
    const { model } = await readSettings();
    assert.deepEqual([model.version, model.why, model.until], [newest, "pinned", null]);
    await unpin();
    const noted = await database.store.db.selectFrom("audit_log").select("detail").where("action", "=", "account.settings").where("account_id", "=", old.accountId).orderBy("id").execute();
    assert.deepEqual(noted.map(({ detail }) => JSON.parse(detail) as unknown), [{ model_version: newest }, { model_version: null }]);
  });

  it("cannot be one that is not shipped; the answer names those that are", async () => {
    const refused = await pin("made-up");
    assert.equal(refused.status, 400);
    for (const { model } of releasedModels) assert.ok(refused.text.includes(model.version));
    assert.equal((await pin("")).status, 400);
  });

  it("also scores what the account tries in the playground", async () => {
    const tried = (await browser.post(api("/playground/send"), { session_data: goodSignals })).json() as { body: string };
    const { model_version: version, calibration } = JSON.parse(tried.body) as Record<string, unknown>;
    assert.deepEqual([version, calibration], [first, "shipped"]);
  });

  it("explains its own sessions later, whichever scores by then", async () => {
    const { session_id: sessionId, service_score: score } = (await predict(nodes[0]!, old.liveKey)).json();
    await pin(newest);
    const detail = (await browser.get(api(`/sessions/${String(sessionId)}`))).json() as SessionDetailReply;
    await unpin();
    assert.deepEqual([detail.model_version, detail.calibration, detail.unexplained], [first, "shipped", null]);
    assert.equal(detail.service_score, score);
    assert.equal(detail.explanation?.unrounded_score, findModel(first)!.explain(goodSignals).unroundedScore);
    await database.store.db.updateTable("session_records").set({ model_version: "of-another-release" }).where("id", "=", String(sessionId)).execute();
    const lost = (await browser.get(api(`/sessions/${String(sessionId)}`))).json() as SessionDetailReply;
    assert.deepEqual([lost.explanation, lost.unexplained], [null, "other_model"]);
  });

  it("is compared with another for the account's own sessions only", async () => {
    const compare = async (query: string) => browser.get(api(`/models/comparison?${query}`));
    await predict(nodes[0]!, old.liveKey);
    const own = (await database.store.db.selectFrom("session_records").select("id").where("account_id", "=", old.accountId).where("mode", "=", "live").execute()).length;
    const report = (await compare(`version=${newest}&to=${inAMinute()}`)).json() as ModelComparison;
    assert.deepEqual([report.before, report.other, report.sessions, report.is_sample], [first, newest, own, false]);
    for (const query of ["version=made-up", "", `version=${newest}&from=yesterday`, `version=${newest}&from=2026-01-01&to=2026-12-01`]) assert.equal((await compare(query)).status, 400, query);
  });

  it("is watched by operators: a shadow is noted, compared, and answers no call", async () => {
    const operator = await signIn(nodes[0]!, await makeSignInAccount(database.store, { operator: true }));
    const at = (path: string) => api(`/operator/models${path}`);
    assert.equal((await operator.get(at("/comparison"))).status, 400, "there is none yet");
    assert.equal((await operator.request("PUT", at("/shadow"), { version: "made-up" })).status, 400);
    const set = (await operator.request("PUT", at("/shadow"), { version: newest })).json() as OperatorModels;
    assert.equal(set.shadow?.version, newest);
    assert.notEqual(set.grace_until, null);
    assert.deepEqual(set.models.map(({ version, pinned_by: count }) => [version, count]), releasedModels.map(({ model }) => [model.version, 0]));
    assert.deepEqual(await versionsOf(old.liveKey), [first, first]);
    assert.deepEqual(await versionsOf(young.liveKey), [newest, newest]);
    const ofYoung = (await database.store.db.selectFrom("session_records").select("id").where("account_id", "=", young.accountId).execute()).length;
    const report = (await operator.get(at(`/comparison?to=${inAMinute()}`))).json() as OperatorComparison;
    assert.deepEqual(report.accounts.map(({ account_id: id }) => id).toSorted(), [old.accountId, young.accountId].toSorted());
    assert.equal(report.total.sessions, report.accounts.reduce((sum, { sessions }) => sum + sessions, 0));
    const one = (await operator.get(at(`/comparison?account_id=${young.accountId}&to=${inAMinute()}`))).json() as OperatorComparison;
    assert.deepEqual(one.accounts.map(({ account_id: id, sessions }) => [id, sessions]), [[young.accountId, ofYoung]]);
    assert.equal(((await operator.request("PUT", at("/shadow"), { version: null })).json() as OperatorModels).shadow, null);
    const noted = await database.store.db.selectFrom("audit_log").select("subject").where("action", "=", "model.shadow").orderBy("id").execute();
    assert.deepEqual(noted.map(({ subject }) => subject), [newest, "off"]);
    assert.equal((await browser.get(at(""))).status, 404, "nobody else sees it");
  });
});

describeBothStores("the time since when a model scores", (open) => {
  it("is written before the first call, by the first node that has it, and never moved", async () => {
    const { store } = await open();
    const begins = async (versions: string[], nowMs: number) => (await openModels(store, { released: releasedOf(versions), nowMs })).lives.map(({ beganMs }) => beganMs);
    assert.deepEqual(await begins(["m1"], 1_000), [1_000]);
    assert.deepEqual(await begins(["m1", "m2"], 2_000), [1_000, 2_000]);
    assert.deepEqual(await begins(["m1", "m2"], 3_000), [1_000, 2_000], "a restart");
    assert.deepEqual(await begins(["m1"], 4_000), [1_000], "a node that is not replaced yet");
    const together = await Promise.all([5 * msPerMinute, 6 * msPerMinute].map((nowMs) => begins(["m1", "m2", "m3"], nowMs)));
    assert.deepEqual(together[0], together[1], "two nodes that start together agree");
  });
});
