import type { Mutant } from "./mutant.ts";

const eProcess = "apps/api/src/money/evidence/e-process.ts";
const eProcessTest = "apps/api/src/money/evidence/e-process.test.ts";
const bet = "apps/api/src/money/evidence/bet-on-hits.ts";
const betTest = "apps/api/src/money/evidence/bet-on-hits.test.ts";
const duplicates = "apps/api/src/scoring/traffic/check-duplicates.ts";
const duplicatesTest = "apps/api/src/scoring/traffic/check-duplicates.test.ts";
const shared = "apps/api/src/scoring/traffic/check-shared.ts";
const sharedTest = "apps/api/src/scoring/traffic/check-shared.test.ts";
const clicks = "apps/api/src/ads/clicks/check-clicks.ts";
const clicksTest = "apps/api/src/ads/clicks/check-clicks.test.ts";

export const evidenceMutants: readonly Mutant[] = [
  {
    name: "evidence stakes everything every day",
    file: eProcess,
    from: "const stake = 0.5;",
    to: "const stake = 0.9;",
    killedBy: [eProcessTest, "is a mixture over the days on which cheating may have begun"],
  },
  {
    name: "the starting days of evidence weigh more than 1 together",
    file: eProcess,
    from: "const logWeight = -Math.log(ordinal) - Math.log(ordinal + 1);",
    to: "const logWeight = -Math.log(ordinal);",
    killedBy: [eProcessTest, "has a mean of 1 over all paths of a fair bet"],
  },
  {
    name: "one bad day makes a finding",
    file: eProcess,
    from: "Math.min(Math.log(dayFactorMax), addLogs(Math.log(1 - stake), Math.log(stake) + logRatio))",
    to: "addLogs(Math.log(1 - stake), Math.log(stake) + Math.min(600, logRatio))",
    killedBy: [eProcessTest, "cannot be produced by two days alone, however they look and whatever came before without evidence"],
  },
  {
    name: "the checks' weights sum to more than 1",
    file: eProcess,
    from: "  exact_duplicates: 0.35,",
    to: "  exact_duplicates: 0.7,",
    killedBy: [eProcessTest, "is a weighted mean over the checks, in which a check without days counts as 1"],
  },
  {
    name: "a bet on hits pays more than its odds",
    file: bet,
    from: "(tested - hits) * Math.log((1 - p1) / (1 - p0))",
    to: "(tested - hits) * Math.log(1 - p1)",
    killedBy: [betTest, "has a mean of exactly 1 at the boundary of the hypothesis"],
  },
  {
    name: "a bet's grid of rates weighs more than 1",
    file: bet,
    from: "{ share: 0.99, weight: 0.5 }",
    to: "{ share: 0.99, weight: 0.6 }",
    killedBy: [betTest, "has a mean of exactly 1 at the boundary of the hypothesis"],
  },
  {
    name: "several calls of one visit count as several visits",
    file: duplicates,
    from: "const callsPerVisit = 3;",
    to: "const callsPerVisit = 1;",
    killedBy: [duplicatesTest, "keep that mean where every visit is sent three times"],
  },
  {
    name: "a check bets on sessions that it has already seen",
    file: duplicates,
    from: "    countUntil(block.from);\n",
    to: "    countUntil(block.to);\n",
    killedBy: [duplicatesTest, "choose what they bet on from earlier sessions only"],
  },
  {
    name: "the order of sending decides whether a site is accused",
    file: duplicates,
    from: "const shuffled = shuffle(rows);",
    to: "const shuffled = rows;",
    killedBy: [duplicatesTest, "do not depend on the order in which sessions are sent"],
  },
  {
    name: "a frequent session of an honest site is more than it may be",
    file: duplicates,
    from: "export const equalShareMax = [0.985, 0.985, 0.97, 0.95, 0.9, 0.85] as const;",
    to: "export const equalShareMax = [0.9, 0.9, 0.9, 0.8, 0.6, 0.6] as const;",
    killedBy: [duplicatesTest, "have a factor whose mean is at most 1 where a set is hit as often as a null allows"],
  },
  {
    name: "small counts that differ by one are alike",
    file: duplicates,
    from: "const nearCountMin = 5;",
    to: "const nearCountMin = 0;\n/** Nothing. */",
    killedBy: [duplicatesTest, "take small counts as different that differ by one"],
  },
  {
    name: "a day that tests nothing keeps the evidence as it is",
    file: bet,
    from: "bet.tested === 0 ? logLost :",
    to: "bet.tested === 0 ? 0 :",
    killedBy: [duplicatesTest, "never make a finding of two days, however alike the calls"],
  },
  {
    name: "sessions in thirds of a second count as finely measured",
    file: shared,
    from: "const denominatorMax = 20;",
    to: "const denominatorMax = 1;",
    killedBy: [sharedTest, "compares only sessions that were measured finely"],
  },
  {
    name: "ads that change by the clock look like a timer's clicks",
    file: clicks,
    from: "const length = 1 + Math.floor(Math.log(1 - random()) / Math.log(1 - clockworkRate));",
    to: "const length = -Math.log(1 - random());",
    killedBy: [clicksTest, "has p-values that are valid where ads come like clockwork, and an e-value whose mean is then at most 1"],
  },
];
