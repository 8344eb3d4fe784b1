import { currentModel } from "@assay/scoring/current-model.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { msPerDay, startOfDay } from "../../src/formats/time.ts";
import { switchCalibrationOn } from "../../src/scoring/calibration/switch-calibration.ts";
import { readActiveCalibration } from "../../src/scoring/calibration/read-active.ts";
import { checkDay } from "../../src/scoring/traffic/check-duplicates.ts";
import { createIntegrityReader } from "../../src/scoring/traffic/read-integrity.ts";
import { readDaySample } from "../../src/scoring/traffic/read-day.ts";
import { sumUpHours } from "../../src/scoring/traffic/sum-up-hours.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { describeBothStores, type TestDatabase } from "../both-stores.ts";
import { makeAccount, type TestAccount } from "../make-account.ts";
import { readLedger } from "../read-ledger.ts";
import { type Answer, predict, send, waitUntil } from "../send.ts";
import type { TestService } from "../start-service.ts";
import { fillOutcomes } from "./fill-outcomes.ts";

const retriesMax = 100;

/** Retries 503: a machine that is busy with other tests sheds requests before they have any effect. */
async function retrying(call: () => Promise<Answer>): Promise<Answer> {
  for (let left = retriesMax; ; left -= 1) {
    const answer = await call();
    if (answer.status !== 503 || left === 0) return answer;
    await sleep(100);
  }
}

/** A session that the shipped model trusts little, but does not think impossible. */
const poor = { user_engagement: 0.3, session_duration: 25, page_views: 1 };

describeBothStores("outcomes and a calibration made of them", (open) => {
  let database: TestDatabase;
  let service: TestService;
  /** Says that nearly everything converted, so that nearly everything is trusted; and an account without a word. */
  let gamer: TestAccount;
  let honest: TestAccount;
  const nowMs = Date.now();

  before(async () => {
    database = await open();
    service = await database.serve();
    [gamer, honest] = [await makeAccount(database.store), await makeAccount(database.store)];
    await fillOutcomes(database.store, { accountId: gamer.accountId, good: 3_000, bad: 200, truth: { shift: 6, slope: 1 }, atMs: nowMs - msPerDay });
    await raise(gamer.accountId);
    await waitUntil(async () => (await score(gamer)).json().calibration === "account", "it is switched on");
    await score(honest);
  });

  /** "bad" is said of the sessions with the lowest scores only: whatever scores more becomes high. */
  async function raise(accountId: string): Promise<void> {
    const { db } = database.store;
    const rows = await db.selectFrom("session_records").select(["id", "service_score"]).where("account_id", "=", accountId).orderBy("service_score").execute();
    const low = new Set(rows.slice(0, 200).map(({ id }) => id));
    await db
      .insertInto("session_outcomes")
      .values(rows.map(({ id, service_score }) => ({ account_id: accountId, session_id: id, seq: 2, mode: "live" as const, outcome: low.has(id) ? "bot" : "converted", service_score, at: nowMs - 1_000 })))
      .execute();
    await switchCalibrationOn(database.store, { accountId, model: currentModel, outcomesToMs: nowMs, nowMs });
  }

  const score = (account: TestAccount) => retrying(() => predict(service, account.liveKey, { body: { session_data: poor } }));

  it("raise the account's own scores as far as it likes", async () => {
    const calibration = await readActiveCalibration(database.store, gamer.accountId);
    assert(calibration !== null);
    const [raised, shipped] = [(await score(gamer)).json(), (await score(honest)).json()];
    assert.equal(shipped.trust_level, "low");
    assert((raised.service_score as number) > (shipped.service_score as number) + 20, JSON.stringify([raised, shipped]));
  });

  it("change neither what a call earns, nor limits, nor the balance", async () => {
    const entriesOf = async ({ accountId }: TestAccount) =>
      (await readLedger(database.store, accountId)).slice(0, 3).map(({ kind, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro }) => ({ kind, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro }));
    const answers = [];
    for (const account of [gamer, honest]) for (let call = 0; call < 3; call += 1) answers.push(await score(account));
    assert.equal(new Set(answers.map((answer) => answer.json().revenue_attribution)).size, 1);
    assert.equal(new Set(answers.map((answer) => answer.headers["ratelimit-policy"])).size, 1);
    assert.deepEqual(await entriesOf(gamer), await entriesOf(honest));
    const rules = async ({ liveKey, accountId }: TestAccount) => {
      const balance = (await retrying(() => send(service, "/api/balance", { headers: { "x-api-key": liveKey } }))).json();
      const calls = (await readLedger(database.store, accountId)).length;
      return [Object.keys(balance), Math.round(((balance.pending_usd as number) / calls) * 1e6)];
    };
    assert.deepEqual(await rules(gamer), await rules(honest));
  });

  it("open no campaign that asks for trust", async () => {
    await makeCampaign(database.store, { min_trust: 40 });
    const asked = async (account: TestAccount) => {
      const { session_id: sessionId } = (await score(account)).json();
      const answer = await retrying(() => predict(service, account.liveKey, { path: "/api/ads/request", body: { user_context: { session_id: sessionId } } }));
      return answer.status === 204 ? answer.headers["assay-no-fill"] : answer.json().house;
    };
    // A session that the shipped model trusts: the campaign serves it as soon as the node has read it.
    const good = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };
    await waitUntil(async () => {
      const { session_id: sessionId } = (await retrying(() => predict(service, honest.liveKey, { body: { session_data: good } }))).json();
      const answer = await retrying(() => predict(service, honest.liveKey, { path: "/api/ads/request", body: { user_context: { session_id: sessionId } } }));
      return answer.json().house === false;
    }, "the campaign serves");
    assert.deepEqual([await asked(gamer), await asked(honest)], [true, true], "a house ad, which pays nothing");
  });

  it("change nothing in what opens a finding, and nothing in the picture that a reviewer sees", async () => {
    const { store } = database;
    const readIntegrity = createIntegrityReader(store);
    const hourMs = 60 * 60 * 1_000;
    await sumUpHours(store, { nowMs: nowMs + 2 * hourMs, retainedFromMs: 0, isOver: () => false });
    const [raised, plain] = await Promise.all([gamer, honest].map(async ({ accountId }) => (await readIntegrity(accountId, nowMs + 2 * hourMs)).scores.map(({ own }) => own)));
    assert(raised!.some((share) => share !== null && share > 0));
    assert.deepEqual(raised!.map((share) => (share ?? 0) > 0).indexOf(true), plain!.map((share) => (share ?? 0) > 0).indexOf(true));
    assert.deepEqual(raised!.map((share) => share === 1), raised!.map((share) => share !== null && share > 0), "all of its calls were the same session");
    const rowsOf = async ({ accountId }: TestAccount) => (await readDaySample(store, { accountId, day: startOfDay(nowMs) }, () => 0)).rows;
    for (const account of [gamer, honest]) {
      const rows = await rowsOf(account);
      const flat = rows.map((row) => ({ ...row, service_score: 1, calibration: null }));
      assert.deepEqual(checkDay(rows), checkDay(flat), "the score has no part in it");
    }
  });
});
