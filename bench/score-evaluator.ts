// node bench/score-evaluator.ts [--rounds N]: time and heap allocation of one score.
import { parseArgs } from "node:util";
import { currentModel } from "../packages/scoring/src/current-model.ts";
import type { Signals } from "../packages/scoring/src/signals.ts";

const sessionCount = 10_000;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "100" } } });
const rounds = Number(values.rounds);

/** Sessions of all sizes and with various signals missing; deterministic, so that runs are comparable. */
function makeSessions(): Signals[] {
  return Array.from({ length: sessionCount }, (_, index) => {
    const spread = (index * 7919) % sessionCount;
    const signals: Signals = { user_engagement: spread / sessionCount, session_duration: (spread * spread) % 5_000 };
    if (index % 2 === 0) signals.interaction_count = spread % 120;
    if (index % 3 !== 0) signals.page_views = spread % 40;
    if (index % 5 !== 0) signals.scroll_depth = (spread % 100) / 100;
    if (index % 7 !== 0) signals.return_visitor = spread % 2 === 0;
    return signals;
  });
}

function scoreAll(sessions: readonly Signals[]): number {
  let sum = 0;
  for (const signals of sessions) sum += currentModel.score(signals).serviceScore;
  return sum;
}

const sessions = makeSessions();
for (let round = 0; round < 10; round += 1) scoreAll(sessions);

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const startedMs = performance.now();
  scoreAll(sessions);
  times.push(((performance.now() - startedMs) * 1_000) / sessionCount);
}
times.sort((left, right) => left - right);

/** Small samples, so that garbage collections are rare; samples that contain one are negative and dropped. */
const heapSamples: number[] = [];
for (let sample = 0; sample + 500 <= sessionCount; sample += 500) {
  const few = sessions.slice(sample, sample + 500);
  const before = process.memoryUsage().heapUsed;
  scoreAll(few);
  heapSamples.push((process.memoryUsage().heapUsed - before) / few.length);
}
const grown = heapSamples.filter((bytes) => bytes >= 0).toSorted((left, right) => left - right);
const bytesPerScore = grown[Math.floor(grown.length / 2)] ?? Number.NaN;

for (const signals of sessions) currentModel.explain(signals);
const startedMs = performance.now();
for (const signals of sessions) currentModel.explain(signals);
const explainUs = ((performance.now() - startedMs) * 1_000) / sessionCount;

const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
process.stdout.write(
  [
    `model             ${currentModel.version}`,
    `score             ${at(0.5)} µs median of ${rounds} rounds, ${at(0.95)} µs at the 95th percentile (limit 5 µs)`,
    `explain           ${explainUs.toFixed(2)} µs`,
    `heap per score    ${bytesPerScore.toFixed(0)} bytes, including the answer`,
    "",
  ].join("\n"),
);
