import type { Mutant } from "./mutant.ts";

const choose = "apps/api/src/scoring/models/choose-model.ts";
const chooseTest = "apps/api/src/scoring/models/choose-model.test.ts";
const chosen = "is the pinned one, for 30 days the one before the newest, or the newest";
const compareTest = "apps/api/src/scoring/models/compare-models.test.ts";
const pinnedTest = "apps/api/test/scoring/pinned-models.test.ts";
const toldTest = "apps/api/test/webhooks/told-events.test.ts";

export const modelMutants: readonly Mutant[] = [
  {
    name: "accounts wait for a day longer than they were told",
    file: choose,
    from: "untilMs: newest.beganMs + graceDays * msPerDay }",
    to: "untilMs: newest.beganMs + (graceDays + 1) * msPerDay }",
    killedBy: [chooseTest, chosen],
  },
  {
    name: "an account made by the newest model waits for it",
    file: choose,
    from: "accountCreatedMs < kept.beforeMs",
    to: "accountCreatedMs <= kept.beforeMs",
    killedBy: [chooseTest, chosen],
  },
  {
    name: "a pinned model never ends",
    file: choose,
    from: "pinned && (pinned.life.sunsetMs === undefined || atMs < pinned.life.sunsetMs) ? pinned : undefined",
    to: "pinned",
    killedBy: [chooseTest, chosen],
  },
  {
    name: "in a new installation accounts wait for a model that never scored there",
    file: choose,
    from: "lives.slice(0, -1).findLast(({ beganMs }) => beganMs !== undefined)",
    to: "lives.at(-2)",
    killedBy: [chooseTest, chosen],
  },
  {
    name: "a pin counts only after the 30 days",
    file: choose,
    from: "if (chooser.pinnedModel !== null) return findPinned",
    to: "if (chooser.pinnedModel !== null && !keeps(chooser, atMs)) return findPinned",
    killedBy: [chooseTest, chosen],
  },
  {
    name: "a model ends a year after the newest began, not after its successor",
    file: choose,
    from: "Math.min(...newer)",
    to: "Math.max(...newer)",
    killedBy: [chooseTest, "a replaced model ends a year after a newer one began here, the newest never"],
  },
  {
    name: "the records of a batch get the model of its first call",
    file: "apps/api/src/money/ledger/charge-batch.sqlite.ts",
    from: "for (const index of recordTextPlaces) record.push(texts[text + index]!);",
    to: 'for (const index of recordTextPlaces) record.push(texts[(index === textAt("modelVersion") ? 0 : text) + index]!);',
    killedBy: ["apps/api/src/money/ledger/mixed-batch.test.ts", "stores with each session which model scored it, and on which calibration"],
  },
  {
    name: "ads trust the score that the developer's own model gave",
    file: "apps/api/src/ads/serving/session-trust.ts",
    from: 'row.mode === "live" ? model.score(signalsOf(row)).serviceScore : row.service_score',
    to: "row.service_score",
    killedBy: ["apps/api/src/ads/serving/session-trust.test.ts", "is what the newest model says as shipped, whatever model and calibration the developer has chosen"],
  },
  {
    name: "the other nodes do not hear of a pin",
    file: "apps/api/src/console/developer/settings.route.ts",
    from: "...announceChange(db, { subject: `account:${accountId}`, nowMs: context.nowMs() }),",
    to: "",
    killedBy: [pinnedTest, "is the one that the account pins, on all nodes, until it is unpinned"],
  },
  {
    name: "any text can be pinned",
    file: "apps/api/src/console/developer/settings.route.ts",
    from: 'if (typeof version === "string") checkPinnable(context.models, version, context.nowMs());',
    to: "",
    killedBy: [pinnedTest, "cannot be one that is not shipped; the answer names those that are"],
  },
  {
    name: "sessions are explained by the newest model",
    file: "apps/api/src/console/developer/list-sessions.ts",
    from: "context.models.find(session.model_version)?.model",
    to: "context.models.newest",
    killedBy: [pinnedTest, "explains its own sessions later, whichever scores by then"],
  },
  {
    name: "the time since when a model scores is written by nobody",
    file: "apps/api/src/scoring/models/open-models.ts",
    from: "await store.write([insertDate(store.db, { name: `${prefix}${released.at(-1)!.model.version}`, at: nowMs })]);",
    to: "",
    killedBy: [pinnedTest, "is written before the first call, by the first node that has it, and never moved"],
  },
  {
    name: "an upgraded installation forgets which model scored before",
    file: "apps/api/src/store/migrations/0020-models.ts",
    from: "HAVING count(*) > 0",
    to: "HAVING count(*) < 0",
    killedBy: ["apps/api/test/old-store.test.ts", "keeps the first model for its accounts: the newest one began with this start"],
  },
  {
    name: "a comparison counts test sessions",
    file: "apps/api/src/scoring/sessions/sessions.table.ts",
    from: `    .where("mode", "=", "live")
    .orderBy("id")
    .limit(page.limit);`,
    to: `    .orderBy("id")
    .limit(page.limit);`,
    killedBy: [compareTest, "counts what the reference counts: levels, differences and days, of live sessions in the span"],
  },
  {
    name: "quantiles are one session too high",
    file: "apps/api/src/scoring/models/compare-scores.ts",
    from: "(seen += count) >= share * sessions",
    to: "(seen += count) > share * sessions + 1",
    killedBy: [compareTest, "counts what the reference counts: levels, differences and days, of live sessions in the span"],
  },
  {
    name: "a developer's comparison takes the stored scores for those of the model",
    file: "apps/api/src/scoring/models/compare-models.ts",
    from: 'before === "answered" ? row.service_score : before.score(signals).serviceScore',
    to: "row.service_score",
    killedBy: [compareTest, "counts what the reference counts: levels, differences and days, of live sessions in the span"],
  },
  {
    name: "an installation's comparison counts demo accounts",
    file: "apps/api/src/scoring/models/compare-models.ts",
    from: "ids.filter((id) => !demoIds.has(id))",
    to: "ids",
    killedBy: [compareTest, "of an installation adds up its accounts, without demos, and reads a sample of each over the whole span"],
  },
  {
    name: "an account that has pinned another model is told of a change",
    file: "apps/api/src/scoring/tell-release.ts",
    from: 'const switchesAt = why === "kept" && untilMs !== undefined',
    to: "const switchesAt = untilMs !== undefined",
    killedBy: [toldTest, "of a new model: whoever is on it, or has pinned another, is told no time of a change"],
  },
  {
    name: "a model's end is told once for all times",
    file: "apps/api/src/scoring/tell-release.ts",
    from: "onceKey: `model.sunset:${version}:${untilMs}`",
    to: "onceKey: `model.sunset:${version}`",
    killedBy: [toldTest, "of a model that ends: once, 30 days before it ends for the account, and again only for another time"],
  },
  {
    name: "score takes the newest model whichever is named",
    file: "apps/api/src/cli/score-file.ts",
    from: "const model = findScorer(options.model);",
    to: "const model = findScorer(undefined);",
    killedBy: ["apps/api/src/cli/score.test.ts", "scores with the model that is named, and refuses one that is not shipped"],
  },
  {
    name: "any difference from the week before is a sudden change",
    file: "apps/api/src/scoring/traffic/find-notices.ts",
    from: "if (!furthest || furthest.distance < changeDistanceMin) return undefined;",
    to: "if (!furthest) return undefined;",
    killedBy: ["apps/api/src/scoring/traffic/find-notices.test.ts", "tell of sessions that have changed, and not of scores alone, which another model changes too"],
  },
];
