import type { Mutant } from "./mutant.ts";

const bySignalTest = "packages/scoring/src/explain/by-signal.test.ts";
const raiseTest = "packages/scoring/src/explain/would-raise.test.ts";
const reasonsTest = "packages/scoring/src/explain/reasons.test.ts";
const amountsTest = "packages/scoring/src/explain/write-amounts.test.ts";
const wordsTest = "apps/dashboard/src/playground/describe-raise.test.ts";
const endpointsTest = "apps/api/src/scoring/session-endpoints.test.ts";

const hairLess = "10,000 sessions: every change that is named lifts the level to the score that is named, and a hair less does not";
const noSmaller = "no smaller change of the signal lifts the level, and none at all where none is named";
const sentences = "sentences are whole and have the right number";

export const explainMutants: readonly Mutant[] = [
  {
    name: "a pair's points go to both of its signals in full",
    file: "packages/scoring/src/explain/by-signal.ts",
    from: "points / sharers.length",
    to: "points",
    killedBy: [bySignalTest, "base value and points by signal add up to the unrounded score exactly, in any order, after JSON"],
  },
  {
    name: "a pair's points go to its first signal alone",
    file: "packages/scoring/src/explain/by-signal.ts",
    from: 'signal.split("×")',
    to: 'signal.split("×", 1)',
    killedBy: [bySignalTest, "points by signal are a signal's own and half of each of its pairs"],
  },
  {
    name: "a signal that was not seen has no line",
    file: "packages/scoring/src/explain/by-signal.ts",
    from: "new Map<string, number>(signalNames.map((name) => [name, 0]))",
    to: "new Map<string, number>(signalNames.map((name): [string, number] => [name, 0]).filter(([name]) => contributions.some((each) => each.signal === name)))",
    killedBy: [bySignalTest, "points by signal are a signal's own and half of each of its pairs"],
  },
  {
    name: "a crossing is known to a second only",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "const middle = isCount ? Math.floor(exact) : exact;",
    to: "const middle = Math.floor(exact);",
    killedBy: [raiseTest, hairLess],
  },
  {
    name: "a fraction of a page would raise the score",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "const middle = isCount ? Math.floor(exact) : exact;",
    to: "const middle = exact;",
    killedBy: [raiseTest, hairLess],
  },
  {
    name: "a stretch is judged by its ends, so a peak between them is missed",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "evaluations < evaluationsMax ? highestBetween(near, far) : far.score",
    to: "Math.max(near.score, far.score)",
    killedBy: [raiseTest, "finds a narrow peak between a rising curve and a closing gate"],
  },
  {
    name: "the far half of a stretch is searched first",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "firstCrossing(near, halfway) ?? firstCrossing(halfway, far)",
    to: "firstCrossing(halfway, far) ?? firstCrossing(near, halfway)",
    killedBy: [raiseTest, hairLess],
  },
  {
    name: "only more of a signal is tried",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "below[name].filter((stop) => stop < start)",
    to: "below[name].filter((stop) => stop < 0)",
    killedBy: [raiseTest, noSmaller],
  },
  {
    name: "a step up is preferred, however far",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "(up !== undefined && up.x - start <= start - down.x)",
    to: "up !== undefined",
    killedBy: [raiseTest, "takes the smaller of a step up and a step down"],
  },
  {
    name: "the knots of pairs are no stops",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "(signal === name ? (pair.knots[index] ?? []) : [])",
    to: "(signal === name ? (pair.knots[index] ?? []).slice(0, 0) : [])",
    killedBy: [raiseTest, noSmaller],
  },
  {
    name: "the search has no end where curve and gate cancel each other out",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "const evaluationsMax = 2_000;",
    to: "const evaluationsMax = 200_000;",
    killedBy: [raiseTest, "the search ends where curve and gate cancel each other out just below a threshold, and goes on behind it"],
  },
  {
    name: "what would raise a score is in the order of the signals",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "return found.toSorted((left, right) => effortOf(left) - effortOf(right));",
    to: "return found;",
    killedBy: [raiseTest, "the smallest effort comes first, measured on the range of each signal's curve"],
  },
  {
    name: "a medium score is raised to medium",
    file: "packages/scoring/src/explain/would-raise.ts",
    from: "medium: trustThresholds.high,",
    to: "medium: trustThresholds.medium,",
    killedBy: [raiseTest, hairLess],
  },
  {
    name: "the gate is bounded by its tighter end",
    file: "packages/scoring/src/plausibility-gate.ts",
    from: "closed = Math.max(closed, Math.min(",
    to: "closed = Math.max(closed, Math.max(",
    killedBy: [raiseTest, noSmaller],
  },
  {
    name: "reasons come from a signal's own term",
    file: "packages/scoring/src/compile-model.ts",
    from: "reasonsOf(signals, { ...scored, contributions, bySignal }",
    to: "reasonsOf(signals, { ...scored, contributions, bySignal: contributions }",
    killedBy: [reasonsTest, "reasons name the signals with the most points by signal, with exactly these points"],
  },
  {
    name: "a rank among people counts sessions that are alike",
    file: "packages/scoring/src/explain/reasons.ts",
    from: "inner.filter((decile) => decile < value).length",
    to: "inner.filter((decile) => decile <= value).length",
    killedBy: [reasonsTest, "what is said of people's sessions is so in the sessions that the model was trained on"],
  },
  {
    name: "missing signals are blamed where none is missing",
    file: "packages/scoring/src/explain/reasons.ts",
    from: ".filter((name) => !isSeen(signals, name))",
    to: ".filter(() => true)",
    killedBy: [reasonsTest, "a low confidence with all signals sent is explained by the nearest threshold"],
  },
  {
    name: "a missing signal that hardly matters is named",
    file: "packages/scoring/src/explain/reasons.ts",
    from: "most.score - least.score >= pointsMin",
    to: "most.score > least.score",
    killedBy: [reasonsTest, "a missing signal that moves the score by less than a point is not mentioned"],
  },
  {
    name: "the missing signal that matters least is named",
    file: "packages/scoring/src/explain/reasons.ts",
    from: "right.most.score - right.least.score - (left.most.score - left.least.score)",
    to: "left.most.score - left.least.score - (right.most.score - right.least.score)",
    killedBy: [reasonsTest, "typical sessions read like this"],
  },
  {
    name: "a score far from any threshold is called near one",
    file: "packages/scoring/src/explain/reasons.ts",
    from: "const nearPoints = 3;",
    to: "const nearPoints = 30;",
    killedBy: [reasonsTest, "a low confidence with signals missing names the one that could move the score most, and a threshold only if it is near"],
  },
  {
    name: "one page is 1 pages",
    file: "packages/scoring/src/explain/write-amounts.ts",
    from: "amount === 0 ? `no ${noun}` : amount === 1 ? `1 ${noun}` :",
    to: "amount === 0 ? `no ${noun}` :",
    killedBy: [reasonsTest, sentences],
  },
  {
    name: "nearly all reads as all",
    file: "packages/scoring/src/explain/write-amounts.ts",
    from: 'if (share > 0.99 && share < 1) return "over 0.99";\n',
    to: "",
    killedBy: [amountsTest, "only nothing reads as 0, and only everything as 1"],
  },
  {
    name: "a rounded value no longer lifts the level",
    file: "apps/dashboard/src/playground/describe-raise.ts",
    from: "(to > from ? Math.ceil(to / step) : Math.floor(to / step))",
    to: "Math.round(to / step)",
    killedBy: [wordsTest, "names a value that still lifts the level, for any session"],
  },
  {
    name: "a change is rounded away",
    file: "apps/dashboard/src/playground/describe-raise.ts",
    from: "if (texts.to !== texts.from) return { to: String",
    to: "if (texts.to.length > 0) return { to: String",
    killedBy: [wordsTest, "shows a change that is smaller than the usual rounding"],
  },
  {
    name: "a forced score has no line by signal",
    file: "apps/api/src/scoring/score-session.ts",
    from: 'bySignal: [...explanation.bySignal, { signal: "test_scenario", points }],',
    to: "",
    killedBy: [endpointsTest, "adds one contribution to a forced score, so that it still adds up"],
  },
  {
    name: "a forced score claims that a signal would raise it",
    file: "apps/api/src/scoring/score-session.ts",
    from: "    wouldRaise: [],\n",
    to: "",
    killedBy: [endpointsTest, "adds one contribution to a forced score, so that it still adds up"],
  },
];
