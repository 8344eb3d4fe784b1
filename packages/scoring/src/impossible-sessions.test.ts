import assert from "node:assert/strict";
import { it } from "node:test";
import { currentModel } from "./current-model.ts";
import type { Signals } from "./signals.ts";

/*
 * What no person does, written down without a look at the gate: in so many seconds at least so many pages or
 * interactions. Four to five times what one person in a thousand of the training sessions does in that time.
 */
const impossible: readonly { seconds: number; pages: number; interactions: number }[] = [
  { seconds: 0, pages: 60, interactions: 20 },
  { seconds: 1, pages: 60, interactions: 60 },
  { seconds: 5, pages: 60, interactions: 90 },
  { seconds: 15, pages: 60, interactions: 230 },
  { seconds: 30, pages: 70, interactions: 350 },
  { seconds: 60, pages: 90, interactions: 600 },
  { seconds: 120, pages: 130, interactions: 950 },
  { seconds: 300, pages: 200, interactions: 1_250 },
  { seconds: 700, pages: 350, interactions: 2_050 },
  { seconds: 1_500, pages: 750, interactions: 3_900 },
  { seconds: 3_000, pages: 950, interactions: 4_700 },
  { seconds: 12_000, pages: 2_600, interactions: 7_000 },
  { seconds: 100_000, pages: 0, interactions: 0 },
];
const scoreMax = 10;

const shares = [undefined, 0, 0.3, 0.7, 0.97, 1];
const others = [undefined, 0, 1, 4, 12, 40];
const visitors = [undefined, false, true];
const times = [1, 10, 1_000];

function* impossibleSessions(): Generator<Signals> {
  for (const { seconds, pages, interactions } of impossible) {
    for (const user_engagement of shares) {
      for (const scroll_depth of shares) {
        for (const return_visitor of visitors) {
          const rest = { session_duration: seconds, user_engagement, scroll_depth, return_visitor } as Signals;
          for (const other of others) {
            if (pages === 0) {
              yield { ...rest, page_views: other, interaction_count: other } as Signals;
              continue;
            }
            for (const factor of times) {
              yield { ...rest, page_views: factor * pages, interaction_count: other } as Signals;
              yield { ...rest, page_views: other, interaction_count: factor * interactions } as Signals;
            }
          }
        }
      }
    }
  }
}

it("no impossible session scores above 10, whatever its other signals are", () => {
  let count = 0;
  let [highest, of]: [number, Signals] = [0, {}];
  for (const signals of impossibleSessions()) {
    count += 1;
    const { serviceScore } = currentModel.score(signals);
    if (serviceScore > highest) [highest, of] = [serviceScore, signals];
  }
  assert.ok(count >= 10_000, `${count} sessions`);
  assert.ok(highest <= scoreMax, `${JSON.stringify(of)} scores ${highest}`);
});

/** Linear in between on logarithmic scales, as amounts are. */
function leastImpossible(seconds: number, name: "pages" | "interactions"): number {
  const next = impossible.findIndex((row) => row.seconds >= seconds);
  const [before, after] = [impossible[Math.max(0, next - 1)]!, impossible[next]!];
  if (after.seconds === before.seconds) return after[name];
  const share = (Math.log1p(seconds) - Math.log1p(before.seconds)) / (Math.log1p(after.seconds) - Math.log1p(before.seconds));
  return Math.ceil(Math.expm1((1 - share) * Math.log1p(before[name]) + share * Math.log1p(after[name])));
}

/** Seeded, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

it("a search that climbs towards higher scores finds no impossible session above 10", () => {
  const random = createRandom(21);
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
  const drawSession = (): Signals => {
    const seconds = Math.expm1(random() * Math.log1p(12_000));
    const tooMany = pick(["pages", "interactions"] as const);
    const excess = leastImpossible(seconds, tooMany) * Math.exp(2 * random() ** 3);
    return {
      session_duration: seconds,
      user_engagement: random(),
      scroll_depth: random(),
      return_visitor: random() < 0.5,
      page_views: tooMany === "pages" ? Math.ceil(excess) : Math.floor(Math.expm1(5 * random())),
      interaction_count: tooMany === "interactions" ? Math.ceil(excess) : Math.floor(Math.expm1(5 * random())),
    };
  };
  const isImpossible = ({ session_duration: seconds = 0, page_views = 0, interaction_count = 0 }: Signals) =>
    seconds <= 12_000 &&
    (page_views >= leastImpossible(seconds, "pages") || interaction_count >= leastImpossible(seconds, "interactions"));
  const moved = (signals: Signals): Signals => {
    const name = pick(["session_duration", "user_engagement", "scroll_depth", "page_views", "interaction_count"] as const);
    const value = signals[name]!;
    if (name === "user_engagement" || name === "scroll_depth") return { ...signals, [name]: Math.min(1, Math.max(0, value + 0.4 * (random() - 0.5))) };
    const amount = Math.max(0, Math.expm1(Math.log1p(value) + (random() - 0.5)));
    return { ...signals, [name]: name === "session_duration" ? amount : Math.round(amount) };
  };
  let [highest, of]: [number, Signals] = [0, {}];
  for (let start = 0; start < 400; start += 1) {
    let at = drawSession();
    let score = currentModel.explain(at).unroundedScore;
    for (let step = 0; step < 150; step += 1) {
      const next = moved(at);
      if (!isImpossible(next)) continue;
      const nextScore = currentModel.explain(next).unroundedScore;
      if (nextScore >= score) [at, score] = [next, nextScore];
    }
    if (score > highest) [highest, of] = [score, at];
  }
  assert.ok(highest <= scoreMax, `${JSON.stringify(of)} scores ${highest}`);
});

it("300 pages in 30 seconds with full engagement, which the first model let pass, are impossible", () => {
  const session = { user_engagement: 1, session_duration: 30, page_views: 300, interaction_count: 40, scroll_depth: 1, return_visitor: true };
  const { serviceScore, recommendation } = currentModel.score(session);
  assert.ok(serviceScore <= scoreMax);
  assert.equal(recommendation, "suspected_automation");
});
