import type { ModelComparison, OperatorComparison } from "@assay/contract/dashboard/models.ts";
import type { Command } from "commander";
import { Failure } from "../failure/failure.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findOperator } from "./find-operator.ts";
import { pairLines, printJson, printLines, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

/** What a person can do something about. */
function refuse(error: unknown): never {
  throw error instanceof Failure && error.code === "invalid_request" ? new Refusal(error.message) : error;
}

/** Loaded on demand: all other commands start faster without the models. */
async function loadModels() {
  const [{ releasedModels }, { createModels }, { readModelDates }, { describeModels }, shadow, compare] = await Promise.all([
    import("@assay/scoring/released-models.ts"),
    import("../scoring/models/choose-model.ts"),
    import("../scoring/models/open-models.ts"),
    import("../scoring/models/describe-models.ts"),
    import("../scoring/models/shadow-model.ts"),
    import("../scoring/models/compare-models.ts"),
  ]);
  return { releasedModels, createModels, readModelDates, describeModels, ...shadow, ...compare };
}

async function runList(options: JsonOption): Promise<void> {
  const { releasedModels, createModels, readModelDates, describeModels, readShadow } = await loadModels();
  const { models, shadow } = await withStore(async ({ store }) => ({ models: describeModels(createModels(releasedModels, await readModelDates(store))), shadow: await readShadow(store) }));
  if (options.json) return printJson({ models, shadow: shadow?.version ?? null });
  const rows = models.map(({ version, released, sunset }) => [version, released, sunset?.slice(0, 10) ?? "newest", version === shadow?.version ? "shadow" : ""]);
  return printLines(tableLines(["Version", "Released", "Ends", ""], rows));
}

type ShadowOptions = JsonOption & { operator?: string };

async function runShadow(given: string, options: ShadowOptions): Promise<void> {
  const { releasedModels, createModels, findReleased, setShadow } = await loadModels();
  const version = given === "off" ? null : given;
  if (version !== null) findReleased(createModels(releasedModels, []), version);
  await withStore(async ({ store, nowMs }) => {
    const { accountId: actorAccountId } = await findOperator(store, options.operator);
    await setShadow(store, { version, actorAccountId, nowMs });
  });
  if (options.json) return printJson({ shadow: version });
  return printLines([version === null ? "No model is a shadow any more." : `${version} is the shadow model: model compare shows what it would have answered. No call waits for it.`]);
}

const percent = (share: number | null) => (share === null ? "-" : `${(share * 100).toFixed(1)}%`);
const signed = (points: number | null) => (points === null ? "-" : `${points > 0 ? "+" : ""}${points}`);
const levels = ["high", "medium", "low"] as const;

function comparisonLines({ total, accounts, is_all: isAll }: OperatorComparison): string[] {
  const { difference } = total;
  return [
    ...pairLines({
      From: total.from,
      To: total.to,
      Other: total.other,
      Sessions: `${total.sessions}${total.is_sample ? " (a sample)" : ""}`,
      "Same level": percent(total.same_level),
      Difference: difference ? `mean ${signed(difference.mean)}, 5% up to ${signed(difference.p5)}, half up to ${signed(difference.p50)}, 95% up to ${signed(difference.p95)}` : "-",
    }),
    "",
    ...tableLines(["Answered", "High", "Medium", "Low"], levels.map((from) => [from, ...levels.map((to) => String(total.levels[from][to]))])),
    "",
    ...tableLines(["Day", "Sessions", "Answered", "Other"], total.days.map((day: ModelComparison["days"][number]) => [day.day, String(day.sessions), day.mean_before.toFixed(1), day.mean_other.toFixed(1)])),
    "",
    ...tableLines(["Account", "Sessions", "Same level", "Difference"], accounts.map((each) => [each.email, String(each.sessions), percent(each.same_level), signed(each.mean_difference)])),
    ...(isAll ? [] : ["Accounts with fewer calls are left out: name one with --account."]),
  ];
}

type CompareOptions = JsonOption & { model?: string; account?: string; from?: string; to?: string };

async function runCompare({ model, account, from, to, json }: CompareOptions): Promise<void> {
  const { releasedModels, createModels, findReleased, readShadow, compareForOperator, parseComparedSpan } = await loadModels();
  const report = await withStore(async ({ store, nowMs }) => {
    const version = model ?? (await readShadow(store))?.version;
    if (version === undefined) throw new Refusal("no shadow model is set: name a model with --model, or set one with model shadow");
    const { model: other } = findReleased(createModels(releasedModels, []), version);
    return compareForOperator(store, { ...parseComparedSpan({ from, to }, nowMs), other, accountId: account });
  });
  return json ? printJson(report) : printLines(comparisonLines(report));
}

export function addModelCommands(program: Command): void {
  const family = defineFamily(program, { name: "model", summary: "models: what is shipped, and what another one would answer" });
  defineCommand(family, { name: "list", summary: "list the models that accounts can pin, and until when", example: "model list" }).action(runList);
  defineCommand(family, {
    name: "shadow",
    summary: "set the model that is compared with what calls are answered",
    example: "model shadow off",
  })
    .argument("<version>", "a version that model list shows, or off")
    .option("--operator <address>", "the operator who does this; needed where there are several")
    .action((version: string, options: ShadowOptions) => runShadow(version, options).catch(refuse));
  defineCommand(family, { name: "compare", summary: "compare what calls were answered with what another model says", example: "model compare --json" })
    .option("--model <version>", "the other model (default: the shadow model)")
    .option("--account <id>", "the sessions of one account only")
    .option("--from <time>", "ISO 8601 date or time in UTC (default: 7 days before --to)")
    .option("--to <time>", "ISO 8601 date or time in UTC, exclusive (default: now)")
    .action((options: CompareOptions) => runCompare(options).catch(refuse));
}
