import type { Command } from "commander";
import { selectCampaign, selectCampaigns, selectCampaignsByName } from "../ads/campaigns/campaigns.table.ts";
import { reportCampaigns } from "../ads/campaigns/report-campaigns.ts";
import { usdOf } from "../formats/money.ts";
import { isoTime, isoTimeOrNull } from "../formats/time.ts";
import type { CampaignStatus } from "../store/schema-ads.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { pairLines, printJson, printLines, printRows, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

type CampaignRow = Awaited<ReturnType<ReturnType<typeof selectCampaigns>["execute"]>>[number];

async function runImport(file: string, options: JsonOption): Promise<void> {
  // Loaded here and below: every other command starts sooner without the contract's schemas.
  const { importCampaignFile } = await import("../ads/campaigns/import-campaigns.ts");
  const outcome = await withStore(({ store, nowMs }) => importCampaignFile(store, file, { nowMs, actorAccountId: null }));
  if (outcome.kind === "refused") {
    const [only, ...more] = outcome.faults.map(({ path, message }) => `${path}: ${message}`);
    throw new Refusal(`nothing was imported:${more.length === 0 ? ` ${only}` : [only, ...more].map((line) => `\n  ${line}`).join("")}`);
  }
  const { advertiser, campaigns } = outcome;
  if (options.json) return printJson({ advertiser, campaigns });
  return printLines([
    ...campaigns.map(({ name, creatives }) => `${name}: active, ${creatives} ${creatives === 1 ? "creative" : "creatives"}`),
    `${advertiser} now has ${campaigns.length} more ${campaigns.length === 1 ? "campaign" : "campaigns"}.`,
  ]);
}

const describe = (row: CampaignRow) => ({
  id: row.id,
  advertiser: row.advertiser,
  name: row.name,
  status: row.status,
  house: row.house === 1,
  budget_usd: usdOf(row.budget_micro),
  daily_budget_usd: row.daily_budget_micro === null ? null : usdOf(row.daily_budget_micro),
  bid_usd: usdOf(row.bid_micro),
  spend_usd: usdOf(row.spent_micro),
  starts: isoTime(row.starts_at),
  ends: isoTimeOrNull(row.ends_at),
  categories: JSON.parse(row.categories) as string[],
  placements: JSON.parse(row.placements) as string[],
  min_trust: row.min_trust,
  min_attestation: row.min_attestation,
  pacing: row.pacing,
});

async function runList(options: JsonOption): Promise<void> {
  await withStore(({ store }) =>
    printRows<CampaignRow>((page) => selectCampaigns(store.db, page).execute(), {
      json: options.json === true,
      describe,
      header: ["Campaign", "Status", "Budget", "Spent", "Bid", "Starts", "Ends", "Advertiser", "Name"],
      cellsOf: (row) => [
        row.id,
        row.house === 1 ? `${row.status} (house)` : row.status,
        usdOf(row.budget_micro).toFixed(2),
        usdOf(row.spent_micro).toFixed(2),
        usdOf(row.bid_micro).toFixed(4),
        shortTime(row.starts_at),
        shortTime(row.ends_at),
        row.advertiser,
        row.name,
      ],
    }),
  );
}

async function runReport(options: JsonOption & { house?: true }): Promise<void> {
  const report = await withStore(({ store }) => reportCampaigns(store, { includesHouse: options.house === true }));
  if (options.json) return printJson(report);
  const rows = report.map((each) => [
    each.name,
    each.budget_usd.toFixed(2),
    each.spend_usd.toFixed(2),
    each.developer_usd.toFixed(2),
    String(each.impressions),
    String(each.valid_clicks),
    String(each.conversions),
    String(each.waiting_clicks),
    String(each.undescribed_clicks),
    String(each.unlike_clicks),
    Object.entries(each.ignored_clicks).map(([reason, clicks]) => `${reason} ${clicks}`).join(", ") || "none",
  ]);
  return printLines(tableLines(["Campaign", "Budget", "Spend", "To developers", "Impressions", "Clicks", "Conversions", "Waiting", "Undescribed", "Unlike elsewhere", "Ignored clicks"], rows));
}

async function findByName(store: Store, name: string, advertiser: string | undefined) {
  const found = await selectCampaignsByName(store.db, name).execute();
  const matching = advertiser === undefined ? found : found.filter((each) => each.advertiser.toLowerCase() === advertiser.toLowerCase());
  const [only, ...others] = matching;
  if (!only) throw new Refusal(`no campaign is called "${name}"${advertiser === undefined ? "" : ` at ${advertiser}`}`);
  if (others.length > 0) throw new Refusal(`${matching.map((each) => each.advertiser).join(" and ")} each have a campaign "${name}": choose one with --advertiser`);
  return only;
}

async function runMove(name: string, options: JsonOption & { advertiser?: string }, to: Exclude<CampaignStatus, "draft">): Promise<void> {
  const { moveCampaignTo } = await import("../ads/campaigns/change-campaign.ts");
  const { campaign, outcome } = await withStore(async ({ store, nowMs }) => {
    const found = await findByName(store, name, options.advertiser);
    return { campaign: found, outcome: await moveCampaignTo(store, { id: found.id, to }, { actorAccountId: null, nowMs }) };
  });
  const isSo = outcome.kind === "not_from" && outcome.status === to;
  if (outcome.kind === "not_from" && !isSo) throw new Refusal(`the campaign "${campaign.name}" is ${outcome.status} and cannot become ${to}`);
  const { id, advertiser } = campaign;
  if (options.json) return printJson({ id, advertiser, name: campaign.name, status: to });
  return printLines([`${campaign.name} is ${isSo ? "already" : "now"} ${to}.`]);
}

/** By name, or by id. */
async function findCampaign(store: Store, nameOrId: string, advertiser: string | undefined) {
  const byId = nameOrId.startsWith("camp_") && advertiser === undefined ? await selectCampaign(store.db, nameOrId).executeTakeFirst() : undefined;
  return byId ?? findByName(store, nameOrId, advertiser);
}

async function runToken(nameOrId: string, options: JsonOption & { advertiser?: string }): Promise<void> {
  const { makeCampaignToken } = await import("../ads/conversions/campaign-token.ts");
  const { campaign, made } = await withStore(async ({ store, nowMs }) => {
    const found = await findCampaign(store, nameOrId, options.advertiser);
    return { campaign: found, made: await makeCampaignToken(store, found.id, { actorAccountId: null, nowMs }) };
  });
  if (!made) throw new Refusal(`no campaign is called "${nameOrId}"`);
  const { token, createdMs } = made;
  if (options.json) return printJson({ id: campaign.id, name: campaign.name, token, created_at: isoTime(createdMs) });
  return printLines([
    ...pairLines({ Campaign: campaign.id, Name: campaign.name, Token: token }),
    "The token is shown only once: just its hash is stored. A token made before no longer works.",
  ]);
}

export function addCampaignCommands(program: Command): void {
  const family = defineFamily(program, { name: "campaign", summary: "advertisers' campaigns" });
  defineCommand(family, {
    name: "import",
    summary: "import a file of campaigns, all or nothing",
    example: "campaign import acme/spring.json",
  })
    .argument("<file>", "a JSON file; images are paths relative to it. See docs/campaigns.md")
    .action(runImport);
  defineCommand(family, { name: "list", summary: "list all campaigns", example: "campaign list" }).action(runList);
  defineCommand(family, { name: "report", summary: "results and spend of each campaign", example: "campaign report --json" })
    .option("--house", "include house ads, which cost nothing")
    .action(runReport);
  const moves = [
    { name: "pause", to: "paused", summary: "stop serving a campaign until it is resumed" },
    { name: "resume", to: "active", summary: "serve a paused or drafted campaign" },
    { name: "end", to: "ended", summary: "end a campaign permanently" },
  ] as const;
  for (const { name, to, summary } of moves) {
    defineCommand(family, { name, summary, example: `campaign ${name} Spring` })
      .argument("<name>", "the campaign's name")
      .option("--advertiser <name>", "the advertiser, if several have a campaign of that name")
      .action((campaign: string, options: JsonOption & { advertiser?: string }) => runMove(campaign, options, to));
  }
  defineCommand(family, { name: "token", summary: "make the token to report conversions with", example: "campaign token Spring" })
    .argument("<campaign>", "the campaign's name or id")
    .option("--advertiser <name>", "the advertiser, if several have a campaign of that name")
    .action(runToken);
}
