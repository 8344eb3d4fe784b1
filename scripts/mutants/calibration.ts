import type { Mutant } from "./mutant.ts";

const fit = "packages/scoring/src/fit-calibration.ts";
const fitTest = "packages/scoring/src/fit-calibration.test.ts";
const ownTest = "apps/api/src/scoring/calibration/own-calibration.test.ts";
const moneyTest = "apps/api/test/scoring/calibration-and-money.test.ts";
const told = "apps/api/test/webhooks/told-events.test.ts";
const table = "apps/api/src/scoring/calibration/calibrations.table.ts";
const drift = "apps/api/src/scoring/calibration/tell-drift.ts";

export const calibrationMutants: readonly Mutant[] = [
  {
    name: "a calibration is fitted at the share of good outcomes that was reported",
    file: fit,
    from: "const weightOf = (isGood: boolean) => total / 2 / (isGood ? good : bad);",
    to: "const weightOf = (_isGood: boolean) => total / (good + bad);",
    killedBy: [fitTest, "finds the map that made the outcomes, whatever share of them is good"],
  },
  {
    name: "a calibration is not drawn to the shipped one",
    file: fit,
    from: "const [shiftPrecision, lnSlopePrecision] = [shiftDeviation ** -2, lnSlopeDeviation ** -2];",
    to: "const [shiftPrecision, lnSlopePrecision] = [shiftDeviation ** -20 * 1e-9, lnSlopeDeviation ** -20 * 1e-9];",
    killedBy: [fitTest, "lies between the shipped calibration and what the outcomes alone say, nearer to the latter with more of them"],
  },
  {
    name: "200 outcomes in all are enough",
    file: fit,
    from: "if (Math.min(counts.good, counts.bad) < Math.max(1, options.outcomesMin))",
    to: "if (counts.good + counts.bad < Math.max(1, options.outcomesMin))",
    killedBy: [fitTest, "needs 200 outcomes of each kind"],
  },
  {
    name: "outcomes that contradict the scores flatten them",
    file: fit,
    from: "if (slope < slopeBounds.min) return contradicted;",
    to: "",
    killedBy: [fitTest, "refuses outcomes that contradict the scores, or do not depend on them"],
  },
  {
    name: "impossible sessions move the fit",
    file: fit,
    from: "const open = sessions.filter(({ openness }) => openness >= opennessMin);",
    to: "const open = [...sessions];",
    killedBy: [fitTest, "leaves out sessions that the gate closes: they neither count nor move the fit"],
  },
  {
    name: "before and after are compared on the sessions that were fitted",
    file: fit,
    from: "sessions.filter((_, index) => folds[index] !== fold), foldOptions",
    to: "sessions.filter((_, index) => folds[index] !== -1 - fold), foldOptions",
    killedBy: [fitTest, "a session's own outcome has no part in the fit that it is measured with"],
  },
  {
    name: "the gate's part is left in the score that is fitted",
    file: fit,
    from: "openScore: unroundedScore - (gate?.points ?? 0)",
    to: "openScore: unroundedScore",
    killedBy: [fitTest, "takes the gate's part out of a session's score, and maps scores as the model itself does"],
  },
  {
    name: "test sessions move live scores",
    file: "apps/api/src/scoring/calibration/fit-own.ts",
    from: 'mode: "live", toMs: outcomesToMs',
    to: 'mode: "test", toMs: outcomesToMs',
    killedBy: [ownTest, "leaves out test sessions, sessions without a record, and what was reported after the preview"],
  },
  {
    name: "what is switched on is not what was looked at",
    file: "apps/api/src/scoring/sessions/sessions.table.ts",
    from: '.$if(toMs !== undefined, (query) => query.where("o.at", "<", toMs!))',
    to: "",
    killedBy: [ownTest, "leaves out test sessions, sessions without a record, and what was reported after the preview"],
  },
  {
    name: "a calibration is applied to another model's scores",
    file: "apps/api/src/scoring/models/calibrated-models.ts",
    from: "if (own.modelVersion !== shipped.model.version) return shipped;",
    to: "",
    killedBy: [ownTest, "is not applied to scores of a model that it was not fitted for"],
  },
  {
    name: "a calibration is switched on again by the job",
    file: table,
    from: '.$if(on !== "any", (query) => query.where("a.calibration_version", "=", on as number)),',
    to: ",",
    killedBy: [ownTest, "stays off if it is switched off while the job fits"],
  },
  {
    name: "outcomes that nobody looked at are fitted by the job",
    file: "apps/api/src/scoring/calibration/fit-all-again.ts",
    from: "outcomesToMs: account.outcomes_to }",
    to: "outcomesToMs: nowMs }",
    killedBy: [ownTest, "belongs to a model: with another one answers are shipped until the job has fitted it again, to the same outcomes"],
  },
  {
    name: "nodes do not hear of a calibration",
    file: "apps/api/src/scoring/calibration/switch-calibration.ts",
    from: "          ...announceChange(db, { subject: `account:${accountId}`, nowMs }),\n          noteAction(db, { actorAccountId, action",
    to: "          noteAction(db, { actorAccountId, action",
    killedBy: [ownTest, "reaches other nodes within a second of the store's news"],
  },
  {
    name: "an old session is explained without its calibration",
    file: "apps/api/src/console/developer/list-sessions.ts",
    from: "const model = own ? shipped?.calibrated(own) : shipped;",
    to: "const model = shipped;",
    killedBy: [ownTest, "is previewed on the account's own outcomes, switched on, answered, recorded, explained, and switched off"],
  },
  {
    name: "a preview of any age is switched on",
    file: "apps/api/src/console/developer/calibration.route.ts",
    from: "if (outcomesToMs > nowMs || outcomesToMs < nowMs - previewMsMax)",
    to: "if (outcomesToMs > nowMs)",
    killedBy: [ownTest, "takes only a preview of the last hour"],
  },
  {
    name: "advertisers pay by a scale that the developer made",
    file: "apps/api/src/ads/serving/session-trust.ts",
    from: 'row.mode === "live" ? model.score(signalsOf(row)).serviceScore : row.service_score',
    to: "row.service_score",
    killedBy: [moneyTest, "open no campaign that asks for trust"],
  },
  {
    name: "reviewers see scores on a scale that the developer made",
    file: "apps/api/src/scoring/traffic/read-integrity.ts",
    from: "compare(own.shippedScores, all.shippedScores, scoreEdges, 0.1)",
    to: "compare(own.scores, all.scores, scoreEdges, 0.1)",
    killedBy: [moneyTest, "change nothing in what opens a finding, and nothing in the picture that a reviewer sees"],
  },
  {
    name: "hours keep only scores on a scale that the developer made",
    file: "apps/api/src/scoring/traffic/session-summary.ts",
    from: "(row.calibration === null ? row.service_score : currentModel.score(signalsOf(row)).serviceScore)",
    to: "row.service_score",
    killedBy: [moneyTest, "change nothing in what opens a finding, and nothing in the picture that a reviewer sees"],
  },
  {
    name: "an account whose share of good outcomes changes has drifted",
    file: drift,
    from: "return { mean: (good.mean + bad.mean) / 2, variance: (good.variance + bad.variance) / 4 };",
    to: "return { mean: outcomes.reduce((sum, { score }) => sum + score / 100, 0) / outcomes.length, variance: (good.variance + bad.variance) / 4 };",
    killedBy: [told, "of no drift where the scores have not moved, whatever the share of good outcomes"],
  },
  {
    name: "a site that never fitted the shipped calibration is told every month",
    file: drift,
    from: "const difference = Math.abs(now.mean - before.mean);",
    to: "const difference = Math.abs(now.mean - 0.5);",
    killedBy: [told, "of outcomes that no longer go with the scores: once per month, and not of what chance explains"],
  },
];
