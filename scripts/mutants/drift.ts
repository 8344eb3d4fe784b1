import type { Mutant } from "./mutant.ts";

const find = "apps/api/src/scoring/drift/find-drift.ts";
const findTest = "apps/api/src/scoring/drift/find-drift.test.ts";
const compare = "apps/api/src/scoring/drift/compare-days.ts";
const read = "apps/api/src/scoring/drift/read-drift.ts";
const readTest = "apps/api/src/scoring/drift/read-drift.test.ts";
const summary = "apps/api/src/scoring/traffic/session-summary.ts";

export const driftMutants: readonly Mutant[] = [
  {
    name: "drift is reported however small it is",
    file: find,
    from: "Math.max(distanceMin[aspect], weekDeviationsMax * usual.weekDeviation)",
    to: "weekDeviationsMax * usual.weekDeviation",
    killedBy: [findTest, "a change that is certain but too small to act on is not reported"],
  },
  {
    name: "drift forgets that weeks of a site differ",
    file: find,
    from: "Math.max(distanceMin[aspect], weekDeviationsMax * usual.weekDeviation)",
    to: "distanceMin[aspect]",
    killedBy: [findTest, "weeks that always differed are usual"],
  },
  {
    name: "drift forgets that days of a site differ",
    file: find,
    from: "variance + usual.dayVariance)",
    to: "variance)",
    killedBy: [findTest, "days that always differed are usual"],
  },
  {
    name: "drift compares a day with other weekdays",
    file: find,
    from: "days[week * daysPerWeek + weekday]!",
    to: "days[week * daysPerWeek + ((weekday + week) % daysPerWeek)]!",
    killedBy: [findTest, "a difference between weekdays is not a change"],
  },
  {
    name: "a campaign's day counts as a usual one",
    file: find,
    from: "same.toSpliced(oddness.indexOf(Math.max(...oddness)), 1)",
    to: "same",
    killedBy: [findTest, "a campaign's days among the days before neither hide a change nor make one"],
  },
  {
    name: "odd days count in full where they are usual",
    file: find,
    from: "asOdd === 0 ? ratio :",
    to: "asOdd >= 0 ? ratio :",
    killedBy: [findTest, "odd days count less where there were such days before"],
  },
  {
    name: "two odd days are drift",
    file: find,
    from: "const logThreshold = Math.log(100);",
    to: "const logThreshold = Math.log(0.1);",
    killedBy: [findTest, "is not reported for two odd days, however odd they are"],
  },
  {
    name: "drift is not corrected for the number of comparisons",
    file: find,
    from: "Math.log((comparedWeight * aspectWeights[aspect]) / directions.length)",
    to: "0",
    killedBy: [findTest, "is not reported for two odd days, however odd they are"],
  },
  {
    name: "drift overlooks what sinks",
    file: find,
    from: "([1, -1] as const)",
    to: "([1] as const)",
    killedBy: [findTest, "a change that is certain but too small to act on is not reported"],
  },
  {
    name: "a signal that is suddenly missing is no drift",
    file: compare,
    from: "day.missing / sessions - shareBefore",
    to: "0",
    killedBy: [findTest, "says what changed, and in which direction"],
  },
  {
    name: "a handful of sessions is compared",
    file: compare,
    from: "const daySessionsMin = 30;",
    to: "const daySessionsMin = 1;",
    killedBy: [findTest, "days with few sessions say nothing"],
  },
  {
    name: "small accounts are compared",
    file: read,
    from: "each < weekSessionsMin",
    to: "each < 1",
    killedBy: [readTest, "says when there are too few weeks or sessions"],
  },
  {
    name: "scores of two models are compared",
    file: read,
    from: 'name === "service_score" && weeks.isScaleChanged',
    to: 'name !== name && weeks.isScaleChanged',
    killedBy: [readTest, "does not compare scores of several models, and says since when there is one"],
  },
  {
    name: "summaries forget which model scored",
    file: summary,
    from: "row.calibration === null ? row.model_version : ",
    to: 'row.calibration === null ? "" : ',
    killedBy: [readTest, "does not compare scores of several models, and says since when there is one"],
  },
  {
    name: "scores on an account's own calibration are compared with others",
    file: summary,
    from: "`${row.model_version} calibration ${row.calibration}`",
    to: "row.model_version",
    killedBy: [readTest, "does not compare scores of several calibrations"],
  },
  {
    name: "drift is computed again for every request",
    file: read,
    from: "if (known?.endMs === endMs) return known.reply;",
    to: "",
    killedBy: [readTest, "is made once per day, of complete days only"],
  },
  {
    name: "an incomplete comparison is kept",
    file: read,
    from: 'if (reply.state === "incomplete") forget();',
    to: "",
    killedBy: [readTest, "reads a bounded number of records per request, and goes on with the next"],
  },
  {
    name: "a day that is not over is compared",
    file: read,
    from: "startOfDay(completeHoursEndMs(nowMs))",
    to: "startOfDay(nowMs)",
    killedBy: [readTest, "is made once per day, of complete days only"],
  },
];
