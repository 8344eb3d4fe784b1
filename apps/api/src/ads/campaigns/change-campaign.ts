import type { CampaignStatus, CreativeStatus, Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import {
  changeCampaign,
  insertAdvertiser,
  moveCampaign,
  moveCreative,
  renameAdvertiser,
  selectAdvertiser,
  selectAdvertiserByName,
  selectCampaign,
  selectCreative,
  selectCreativesOf,
  selectImagesOf,
} from "./campaigns.table.ts";
import { placementsServed, prepareCard, prepareImage } from "./prepare-image.ts";
import { type CampaignTerms, type CampaignWish, type CreativeWish, type Fault, findClashes, validateCampaign } from "./validate-campaign.ts";
import { type Actor, addRows, campaignRow, creativeImageRows, creativeRow, storeImages, termColumns, writeIfGuardHolds, writeInventory } from "./write-inventory.ts";

/** Edits that meet at the same campaign are made one after the other; more than this many do not meet by chance. */
const triesMax = 5;

export type CampaignView = NonNullable<Awaited<ReturnType<ReturnType<typeof selectCampaign>["executeTakeFirst"]>>>;

export type AdvertiserOutcome = { kind: "saved"; id: string; name: string } | { kind: "name_taken" } | { kind: "unknown" };

export async function createAdvertiser(store: Store, name: string, actor: Actor): Promise<AdvertiserOutcome> {
  const id = timeOrderedId("adv", actor.nowMs);
  const note = { ...actor, action: "advertiser.create", subject: id, detail: { name } };
  if (await selectAdvertiserByName(store.db, name).executeTakeFirst()) return { kind: "name_taken" };
  const outcome = await writeIfGuardHolds(store, insertAdvertiser(store.db, { id, name, created_at: actor.nowMs }), note);
  return outcome === "written" ? { kind: "saved", id, name } : { kind: "name_taken" };
}

export async function changeAdvertiser(store: Store, change: { id: string; name: string }, actor: Actor): Promise<AdvertiserOutcome> {
  if (!(await selectAdvertiser(store.db, change.id).executeTakeFirst())) return { kind: "unknown" };
  const holder = await selectAdvertiserByName(store.db, change.name).executeTakeFirst();
  if (holder && holder.id !== change.id) return { kind: "name_taken" };
  const note = { ...actor, action: "advertiser.rename", subject: change.id, detail: { name: change.name } };
  try {
    await writeInventory(store, [renameAdvertiser(store.db, change)], note);
  } catch (error) {
    if ((await selectAdvertiserByName(store.db, change.name).executeTakeFirst())?.id !== change.id) return { kind: "name_taken" };
    throw error;
  }
  return { kind: "saved", ...change };
}

export type CampaignOutcome =
  | { kind: "saved"; id: string }
  | { kind: "unknown" }
  | { kind: "name_taken" }
  | { kind: "invalid"; faults: Fault[] };

/** As a draft: it serves once it is made active and has an approved creative. */
export async function createCampaign(
  store: Store,
  order: { advertiserId: string; wish: Omit<CampaignWish, "creatives"> },
  actor: Actor,
): Promise<CampaignOutcome> {
  const { advertiserId, wish } = order;
  if (!(await selectAdvertiser(store.db, advertiserId).executeTakeFirst())) return { kind: "unknown" };
  const row = campaignRow(wish, { advertiserId, house: false, status: "draft", nowMs: actor.nowMs });
  const note = { ...actor, action: "campaign.create", subject: row.id, detail: { name: wish.name, budget_micro: wish.budgetMicroUsd, bid_micro: wish.bidMicroUsd } };
  return guardName(async () => {
    await writeInventory(store, addRows(store, { campaigns: [row], creatives: [], images: [] }), note);
    return { kind: "saved", id: row.id };
  });
}

/** Both databases say so in their own words; the index's name is in neither's way. */
const saysNameTaken = (error: unknown): boolean =>
  error instanceof Error && (/UNIQUE constraint failed: index 'campaigns_name'/.test(error.message) || /campaigns_name/.test(error.message));

async function guardName<Outcome>(work: () => Promise<Outcome | CampaignOutcome>): Promise<Outcome | CampaignOutcome> {
  try {
    return await work();
  } catch (error) {
    if (saysNameTaken(error)) return { kind: "name_taken" };
    throw error;
  }
}

function termsOf(campaign: CampaignView): CampaignTerms {
  return {
    budgetMicroUsd: campaign.budget_micro,
    dailyBudgetMicroUsd: campaign.daily_budget_micro ?? undefined,
    bidMicroUsd: campaign.bid_micro,
    startsMs: campaign.starts_at,
    endsMs: campaign.ends_at ?? undefined,
    categories: JSON.parse(campaign.categories) as string[],
    placements: JSON.parse(campaign.placements) as Placement[],
    minTrust: campaign.min_trust,
    pacing: campaign.pacing,
  };
}

const usd = (microUsd: number): number => microUsd / 1_000_000;
const iso = (atMs: number | undefined): string | null => (atMs === undefined ? null : new Date(atMs).toISOString());

/** A campaign in the words of the import, with some of them replaced: one validation serves both. */
function merged(campaign: CampaignView, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const terms = termsOf(campaign);
  return {
    name: campaign.name,
    budget_usd: usd(terms.budgetMicroUsd),
    daily_budget_usd: terms.dailyBudgetMicroUsd === undefined ? null : usd(terms.dailyBudgetMicroUsd),
    bid_usd: usd(terms.bidMicroUsd),
    starts: iso(terms.startsMs),
    ends: iso(terms.endsMs),
    categories: terms.categories,
    placements: terms.placements,
    min_trust: terms.minTrust,
    pacing: terms.pacing,
    ...patch,
  };
}

/** Every creative must have an image for every placement that the campaign serves in. */
async function findMissingImages(store: Store, campaignId: string, wanted: readonly Placement[]): Promise<Fault[]> {
  const [creatives, images] = await Promise.all([
    selectCreativesOf(store.db, campaignId).execute(),
    selectImagesOf(store.db, campaignId).execute(),
  ]);
  const has = new Set(images.map((image) => `${image.creative_id} ${image.placement}`));
  const missing = placementsServed(wanted).filter((placement) => creatives.some(({ id, status }) => status !== "rejected" && !has.has(`${id} ${placement}`)));
  return missing.length === 0 ? [] : [{ path: "placements", message: `not every creative has an image for ${missing.join(" and ")}; add them to a new campaign` }];
}

/** Changes the terms of a campaign that has not ended, one edit after the other. */
export async function editCampaign(
  store: Store,
  order: { id: string; patch: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<CampaignOutcome> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const campaign = await selectCampaign(store.db, order.id).executeTakeFirst();
    if (!campaign) return { kind: "unknown" };
    const outcome = await tryEdit(store, { ...order, campaign }, actor);
    if (outcome !== "changed_meanwhile") return outcome;
  }
  throw new Error(`campaign ${order.id} changed ${triesMax} times while it was edited`);
}

async function tryEdit(
  store: Store,
  order: { campaign: CampaignView; patch: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<CampaignOutcome | "changed_meanwhile"> {
  const { campaign, patch } = order;
  const invalid = (path: string, message: string): CampaignOutcome => ({ kind: "invalid", faults: [{ path, message }] });
  if (campaign.status === "ended") return invalid("status", "the campaign has ended");
  if (campaign.house === 1) return invalid("house", "house ads have neither budget nor bid; pause or end them instead");
  // An end that has passed may stay as it is while something else is changed.
  const validated = validateCampaign(merged(campaign, patch), "ends" in patch ? actor.nowMs : 0);
  if (validated.kind === "invalid") return validated;
  const { name, ...terms } = validated.wish;
  if (patch["starts"] === null) terms.startsMs = actor.nowMs;
  if (terms.budgetMicroUsd < campaign.spent_micro) return invalid("budget_usd", `must not be below what is spent: ${usd(campaign.spent_micro)}`);
  const faults = [...findClashes(terms, (each) => each), ...("placements" in patch ? await findMissingImages(store, campaign.id, terms.placements) : [])];
  if (faults.length > 0) return { kind: "invalid", faults };
  const change = changeCampaign(store.db, { id: campaign.id, seenChangedAt: campaign.changed_at, name, terms: termColumns(terms), nowMs: actor.nowMs });
  const note = { ...actor, action: "campaign.edit", subject: campaign.id, detail: patch };
  return guardName(async () => {
    const outcome = await writeIfGuardHolds(store, change, note);
    return outcome === "written" ? { kind: "saved", id: campaign.id } : "changed_meanwhile";
  });
}

export type MoveOutcome = { kind: "moved" } | { kind: "unknown" } | { kind: "not_from"; status: CampaignStatus };

const leadsTo: Record<Exclude<CampaignStatus, "draft">, readonly CampaignStatus[]> = {
  active: ["draft", "paused"],
  paused: ["active"],
  ended: ["draft", "active", "paused"],
};

/** draft → active ⇄ paused → ended; what has ended stays so. */
export async function moveCampaignTo(
  store: Store,
  move: { id: string; to: Exclude<CampaignStatus, "draft"> },
  actor: Actor,
): Promise<MoveOutcome> {
  const campaign = await selectCampaign(store.db, move.id).executeTakeFirst();
  if (!campaign) return { kind: "unknown" };
  const from = leadsTo[move.to];
  if (!from.includes(campaign.status)) return { kind: "not_from", status: campaign.status };
  const note = { ...actor, action: `campaign.${move.to}`, subject: move.id, detail: { from: campaign.status } };
  const outcome = await writeIfGuardHolds(store, moveCampaign(store.db, { ...move, from, nowMs: actor.nowMs }), note);
  if (outcome === "written") return { kind: "moved" };
  const { status } = await selectCampaign(store.db, move.id).executeTakeFirstOrThrow();
  return { kind: "not_from", status };
}

export type CreativeOutcome = { kind: "saved"; id: string } | { kind: "unknown" } | { kind: "ended" } | { kind: "too_many" };

const creativesMax = 50;

/** Waits for approval. Throws ImageRefused for an image that cannot be taken. */
export async function createCreative(
  store: Store,
  order: { campaignId: string; wish: CreativeWish; image: Uint8Array | undefined },
  actor: Actor,
): Promise<CreativeOutcome> {
  const { campaignId, wish, image } = order;
  const campaign = await selectCampaign(store.db, campaignId).executeTakeFirst();
  if (!campaign) return { kind: "unknown" };
  if (campaign.status === "ended") return { kind: "ended" };
  if ((await selectCreativesOf(store.db, campaignId).execute()).length >= creativesMax) return { kind: "too_many" };
  const look = { format: wish.format, placements: placementsServed(termsOf(campaign).placements) };
  const { headline, description, ctaText } = wish;
  const images = await (image === undefined
    ? prepareCard({ advertiser: campaign.advertiser, headline, description, ctaText }, look)
    : prepareImage(image, look));
  await storeImages(store, images, actor.nowMs);
  const row = creativeRow(wish, { campaignId, status: "pending", nowMs: actor.nowMs });
  const rows = { campaigns: [], creatives: [row], images: creativeImageRows(row.id, images) };
  await writeInventory(store, addRows(store, rows), { ...actor, action: "creative.create", subject: row.id, detail: { campaign_id: campaignId } });
  return { kind: "saved", id: row.id };
}

export type JudgeOutcome = { kind: "judged" } | { kind: "unknown" } | { kind: "not_pending"; status: CreativeStatus };

export async function judgeCreative(
  store: Store,
  verdict: { id: string; to: Extract<CreativeStatus, "approved" | "rejected"> },
  actor: Actor,
): Promise<JudgeOutcome> {
  const creative = await selectCreative(store.db, verdict.id).executeTakeFirst();
  if (!creative) return { kind: "unknown" };
  if (creative.status !== "pending") return { kind: "not_pending", status: creative.status };
  const note = { ...actor, action: `creative.${verdict.to}`, subject: verdict.id, detail: { campaign_id: creative.campaign_id } };
  const outcome = await writeIfGuardHolds(store, moveCreative(store.db, { ...verdict, from: "pending" }), note);
  if (outcome === "written") return { kind: "judged" };
  const { status } = await selectCreative(store.db, verdict.id).executeTakeFirstOrThrow();
  return { kind: "not_pending", status };
}
