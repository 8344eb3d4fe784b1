import { type TrustLevel, trustLevelOf, trustLevels } from "@assay/scoring/trust-level.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { idAt } from "../../../test/id-at.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../../test/make-charge.ts";
import { fakeModel } from "../../../test/scoring/fake-models.ts";
import { msPerDay, msPerMinute } from "../../formats/time.ts";
import { markDemo } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { compareForAccount, compareForOperator } from "./compare-models.ts";

const startMs = Date.UTC(2026, 4, 1);
const toMs = startMs + 3 * msPerDay;

/** Scores that the test chooses, through the signals. */
const answering = fakeModel("m1", ({ user_engagement: engagement }) => Math.round(engagement! * 1_000) / 10);
const other = fakeModel("m2", ({ scroll_depth: depth }) => Math.round(depth! * 1_000) / 10);

type Session = { atMs: number; before: number; other: number; mode?: "live" | "test" };

async function fill(store: Store, sessions: readonly Session[]): Promise<string> {
  const { accountId } = await makeAccount(store, { nowMs: startMs - msPerDay });
  const charger = makeCharger(store, { nowMs: startMs });
  const charged = sessions.map(({ atMs, before, other: after, mode = "live" }) => {
    const signals = { user_engagement: before / 100, session_duration: 60, scroll_depth: after / 100 };
    const verdict = { signals, score: answering.score(signals), processingTimeMs: 1, modelVersion: "m1", calibration: null };
    return charger.charge(makeCharge({ accountId, atMs, mode, ref: idAt(atMs), verdict }));
  });
  await Promise.all(charged);
  return accountId;
}

/** The same report, from all sessions at once. */
function referenceOf(sessions: readonly Session[]) {
  const differences = sessions.map((each) => Math.round((each.other - each.before) * 10) / 10).toSorted((left, right) => left - right);
  const meanOf = (values: readonly number[]) => Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1_000) / 1_000;
  const quantile = (share: number) => differences[Math.ceil(share * differences.length) - 1]!;
  const countOf = (from: TrustLevel, to: TrustLevel) => sessions.filter((each) => trustLevelOf(each.before) === from && trustLevelOf(each.other) === to).length;
  const levels = Object.fromEntries(trustLevels.map((from) => [from, Object.fromEntries(trustLevels.map((to) => [to, countOf(from, to)]))]));
  const dayOf = ({ atMs }: Session) => new Date(atMs).toISOString().slice(0, 10);
  const days = [...new Set(sessions.map(dayOf))].toSorted().map((day) => {
    const own = sessions.filter((each) => dayOf(each) === day);
    return { day, sessions: own.length, mean_before: meanOf(own.map(({ before }) => before)), mean_other: meanOf(own.map((each) => each.other)) };
  });
  return {
    sessions: sessions.length,
    same_level: meanOf(sessions.map((each) => Number(trustLevelOf(each.before) === trustLevelOf(each.other)))),
    mean_difference: meanOf(differences),
    levels,
    difference: { mean: meanOf(differences), p5: quantile(0.05), p25: quantile(0.25), p50: quantile(0.5), p75: quantile(0.75), p95: quantile(0.95) },
    days,
  };
}

/** Spread over the span, over all levels, and over differences of both signs. */
const draw = (count: number, shift: number): Session[] =>
  Array.from({ length: count }, (_, index) => ({
    atMs: startMs + Math.floor((index / count) * 3 * msPerDay),
    before: ((index * 37) % 1_001) / 10,
    other: Math.min(100, ((index * 37 + shift * (index % 7)) % 1_001) / 10),
  }));

describeBothStores("a comparison of two models", (open) => {
  it("counts what the reference counts: levels, differences and days, of live sessions in the span", async () => {
    const { store } = await open();
    const sessions = draw(211, 130);
    const outside: Session[] = [{ atMs: startMs - 1, before: 1, other: 99 }, { atMs: toMs, before: 1, other: 99 }, { atMs: startMs + 1, before: 1, other: 99, mode: "test" }];
    const accountId = await fill(store, [...sessions, ...outside]);
    const { from, to, before, other: version, is_sample: isSample, ...report } = await compareForAccount(store, { accountId, fromMs: startMs, toMs, before: "answered", other });
    assert.deepEqual([from, to, before, version, isSample], [new Date(startMs).toISOString(), new Date(toMs).toISOString(), "answered", "m2", false]);
    assert.deepEqual(report, referenceOf(sessions));
    const byModel = await compareForAccount(store, { accountId, fromMs: startMs, toMs, before: fakeModel("m0", () => 50), other });
    assert.deepEqual([byModel.before, byModel.days.map(({ mean_before: mean }) => mean)], ["m0", [50, 50, 50]], "the stored score is not asked then");
  });

  it("is empty without sessions", async () => {
    const { store } = await open();
    const { accountId } = await makeAccount(store);
    const { sessions, same_level: same, difference, days } = await compareForAccount(store, { accountId, fromMs: startMs, toMs, before: "answered", other });
    assert.deepEqual([sessions, same, difference, days], [0, null, null, []]);
  });

  it("of an installation adds up its accounts, without demos, and reads a sample of each over the whole span", async () => {
    const { store } = await open();
    const [few, many, demo] = [draw(40, 90), draw(1_200, 210), draw(5, 10)];
    const [fewId, manyId, demoId] = [await fill(store, few), await fill(store, many), await fill(store, demo)];
    await store.write([markDemo(store.db, demoId)]);
    const { total, accounts, is_all: isAll } = await compareForOperator(store, { fromMs: startMs, toMs, other, accountId: undefined });
    assert.deepEqual(accounts.map(({ account_id: id }) => id), [manyId, fewId], "the account with the most calls first");
    assert.deepEqual([isAll, total.is_sample, accounts[1]!.sessions], [true, true, 40]);
    assert.ok(accounts[0]!.sessions <= 1_000 && accounts[0]!.sessions >= 900, String(accounts[0]!.sessions));
    assert.equal(total.sessions, accounts[0]!.sessions + 40);
    assert.deepEqual(total.days.map(({ day }) => day), ["2026-05-01", "2026-05-02", "2026-05-03"]);
    const exact = referenceOf(many).mean_difference;
    assert.ok(Math.abs(accounts[0]!.mean_difference! - exact) < 3, `${accounts[0]!.mean_difference} for ${exact}`);
    const one = await compareForOperator(store, { fromMs: startMs, toMs, other, accountId: manyId });
    assert.deepEqual([one.total.is_sample, one.total.sessions, one.total.mean_difference], [false, 1_200, exact], "all of them where one account is asked for");
    const before = await compareForOperator(store, { fromMs: startMs - 10 * msPerMinute, toMs: startMs - 5 * msPerMinute, other, accountId: undefined });
    assert.deepEqual([before.accounts, before.total.sessions], [[], 0]);
  });
});
