import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDraws, type Draws } from "../../../test/scoring/draw-sessions.ts";
import { msPerDay, msPerHour, msPerMinute } from "../../formats/time.ts";
import { describeResult } from "../../money/evidence/day-result.ts";
import { addDay, type CheckName, type Evidence, startEvidence, weighChecks } from "../../money/evidence/e-process.ts";
import { checkClickDay, type ClickDay, logRatioOfProbability, probabilityOfSoEven } from "./check-clicks.ts";

const draws = createDraws(31);

type Drawn = Pick<ClickDay, "counts" | "clickedAtMs">;

/** The account's largest evidence, and the day on which it first reaches the threshold. */
function follow(days: number, drawDay: (day: number) => Drawn): { most: number; foundOn: number | undefined } {
  const evidence = new Map<CheckName, Evidence>();
  let most = 0;
  let foundOn: number | undefined;
  for (let day = 1; day <= days; day += 1) {
    for (const { check, logRatio } of checkClickDay({ accountId: "acct_1", dayMs: day * msPerDay, ...drawDay(day) })) {
      evidence.set(check, addDay(evidence.get(check) ?? startEvidence(), logRatio));
    }
    const total = Math.exp(weighChecks(new Map([...evidence].map(([check, { logEvidence }]) => [check, logEvidence]))));
    most = Math.max(most, total);
    if (total >= 1_000) foundOn ??= day;
  }
  return { most, foundOn };
}

const timesOf = (count: number, drawTime: (index: number) => number) => Array.from({ length: count }, (_, index) => Math.floor(drawTime(index)));
const atAnyTime = (count: number) => timesOf(count, () => draws.next() * msPerDay);

/** Each ad shown is clicked with this probability. */
function drawAds(impressions: number, rate: number, placement: ClickDay["counts"][number]["placement"] = "feed"): Drawn {
  let clicks = 0;
  for (let each = 0; each < impressions; each += 1) clicks += Number(draws.next() < rate);
  return { counts: [{ placement, impressions, clicks }], clickedAtMs: atAnyTime(clicks) };
}

/** Ads that appear by the clock, each clicked or not by chance. */
const drawClockwork = (rate: number, everyMs: number, own: Draws = draws) =>
  timesOf(Math.floor(msPerDay / everyMs), (index) => index * everyMs).filter(() => own.next() < rate);

const honest: Record<string, () => Drawn> = {
  "a small site": () => drawAds(40, 0.02),
  "a large site": () => drawAds(20_000, 0.01),
  "a placement that is clicked by accident": () => drawAds(600, 0.14),
  "fullscreen ads": () => drawAds(600, 0.28, "fullscreen"),
  "one visitor a week who clicks everything": () => (draws.next() < 1 / 7 ? drawAds(10, 1) : drawAds(10, 0.03)),
  "rush hours": () => ({ ...drawAds(3_000, 0.03), clickedAtMs: timesOf(90, () => 18 * msPerHour + draws.next() * draws.next() * msPerHour) }),
  "a screen whose ads change every ten minutes": () => {
    const clickedAtMs = drawClockwork(0.2, 10 * msPerMinute);
    return { counts: [{ placement: "fullscreen", impressions: 144, clicks: clickedAtMs.length }], clickedAtMs };
  },
};

describe("the checks of clicks", () => {
  for (const [name, drawDay] of Object.entries(honest)) {
    it(`do not accuse ${name}`, () => {
      const { most } = follow(120, drawDay);
      assert(most < 100, String(most));
    });
  }

  it("find an account that clicks its own ads within days, and at once if it clicks all of them [threat: fake-click]", () => {
    assert(follow(14, () => drawAds(400, 0.3)).foundOn! <= 14);
    const all = follow(14, () => ({ counts: [{ placement: "feed", impressions: 300, clicks: 300 }], clickedAtMs: [] })).foundOn!;
    assert(all >= 3 && all <= 5, String(all));
  });

  it("find a timer behind a modest click rate, and not the same clicks at random times [threat: fake-click]", () => {
    const counts = [{ placement: "feed", impressions: 4_000, clicks: 60 }] as const;
    const timed = follow(14, () => ({ counts, clickedAtMs: timesOf(60, (index) => index * 20 * msPerMinute + draws.next() * msPerMinute) }));
    assert(timed.foundOn! <= 7, String(timed.foundOn));
    assert(follow(60, () => ({ counts, clickedAtMs: atAnyTime(60) })).most < 10);
  });

  it("has p-values that are valid where ads come like clockwork, and an e-value whose mean is then at most 1", () => {
    const own = createDraws(8);
    const probabilities = Array.from({ length: 400 }, () => probabilityOfSoEven(drawClockwork(0.25, 20 * msPerMinute, own), own.next));
    for (const level of [0.05, 0.2, 0.5]) {
      const share = probabilities.filter((probability) => probability <= level).length / probabilities.length;
      assert(share <= level + 3 * Math.sqrt((level * (1 - level)) / probabilities.length), `${level}: ${share}`);
    }
    let mean = 0;
    const steps = 200_000;
    for (let step = 0; step < steps; step += 1) mean += Math.exp(logRatioOfProbability((step + 0.5) / steps)) / steps;
    assert(mean <= 1 && mean > 0.9, String(mean));
    assert(logRatioOfProbability(1) < 0);
  });

  it("give the same result for the same day again", () => {
    const day = { accountId: "acct_2", dayMs: 5 * msPerDay, ...drawAds(500, 0.1) };
    assert.deepEqual(checkClickDay(day), checkClickDay(day));
  });

  it("say nothing of a day without ads, and nothing of gaps between a few clicks", () => {
    assert.deepEqual(checkClickDay({ accountId: "acct_3", dayMs: 0, counts: [], clickedAtMs: [] }), []);
    const few = checkClickDay({ accountId: "acct_3", dayMs: 0, counts: [{ placement: "feed", impressions: 100, clicks: 11 }], clickedAtMs: timesOf(11, (index) => index * msPerHour) });
    assert.deepEqual(few.map(({ check }) => check), ["click_rate"]);
    assert.equal(describeResult(few[0]!), "11 clicks on 100 impressions in feed are 11%.");
  });
});
