import { Argument, type Command, InvalidArgumentError } from "commander";
import { setTier } from "../people/change-account.ts";
import { selectTiers } from "../register/tiers.table.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption, wholeNumber } from "./define-command.ts";
import { printJson, printLines, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withChannel, withStore } from "./with-store.ts";

/** Well within what both databases and the limiters can hold. */
const callsMax = 1_000_000_000;
const shareBpsBounds = { from: 6_800, to: 7_000 };
const namePattern = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

export async function explainUnknownTier(store: Store, name: string): Promise<Refusal> {
  const tiers = await selectTiers(store.db).execute();
  return new Refusal(`no tier is called "${name}"; there are ${tiers.map((tier) => tier.name).join(", ")}`);
}

function parseName(text: string): string {
  if (namePattern.test(text)) return text;
  throw new InvalidArgumentError("It must begin with a letter or digit and have 40 characters or fewer.");
}

type SetOptions = JsonOption & { perHour: number; perMinute: number; shareBps: number };

async function runSet(name: string, options: SetOptions): Promise<void> {
  const limits = { name, per_hour: options.perHour, per_minute: options.perMinute, share_bps: options.shareBps };
  const tier = await withChannel(({ store, nowMs, channel }) => setTier(store, { ...limits, nowMs, channel }));
  const line = `${tier.name} now allows ${tier.per_hour} calls per hour and ${tier.per_minute} per minute, and pays ${tier.share_bps / 100}% of each call.`;
  await (options.json ? printJson(tier) : printLines([line]));
}

async function runList(options: JsonOption): Promise<void> {
  const tiers = await withStore(({ store }) => selectTiers(store.db).execute());
  if (options.json) return printJson(tiers);
  const rows = tiers.map((tier) => [tier.name, String(tier.per_hour), String(tier.per_minute), `${tier.share_bps / 100}%`]);
  return printLines(tableLines(["Tier", "Per hour", "Per minute", "Share"], rows));
}

export function addTierCommands(program: Command): void {
  const family = defineFamily(program, { name: "tier", summary: "tiers: limits and shares" });
  defineCommand(family, {
    name: "set",
    summary: "add a tier, or change it for all its accounts",
    example: "tier set Growth --per-hour 10000 --per-minute 200 --share-bps 6900",
  })
    .addArgument(new Argument("<name>", "the tier's name").argParser(parseName))
    .requiredOption("--per-hour <calls>", "calls per hour", wholeNumber({ from: 1, to: callsMax }))
    .requiredOption("--per-minute <calls>", "calls per minute", wholeNumber({ from: 1, to: callsMax }))
    .requiredOption("--share-bps <points>", "the developer's share in 1/10,000, from 6800 to 7000", wholeNumber(shareBpsBounds))
    .action(runSet);
  defineCommand(family, { name: "list", summary: "list all tiers", example: "tier list" }).action(runList);
}
