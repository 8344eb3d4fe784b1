import { creativesPerCampaignMax } from "@assay/contract/dashboard/campaign-limits.ts";
import { CampaignName, CampaignTerms } from "@assay/contract/dashboard/campaigns.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { CampaignStatus, CreativeStatus, Placement } from "../../store/schema-ads.ts";
import type { Store } from "../../store/store.ts";
import { eventStatements, operators } from "../../webhooks/events/write-events.ts";
import {
  type CampaignView,
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
import { describeCampaign } from "./describe-campaign.ts";
import { placementsServed, prepareCard, prepareImage } from "./prepare-image.ts";
import { type CampaignInput, type CreativeInput, type Fault, validateCampaign } from "./validate-campaign.ts";
import { type Actor, insertRows, campaignRow, creativeImageRows, creativeRow, storeImages, termColumns, writeIfGuardHolds, writeInventory } from "./write-inventory.ts";

/** Concurrent edits of a campaign are retried one after the other. More collisions than this are not chance. */
const triesMax = 5;

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

/** Creates a draft: it serves once it is active and has an approved creative. */
export async function createCampaign(
  store: Store,
  { advertiserId, input }: { advertiserId: string; input: CampaignInput },
  actor: Actor,
): Promise<CampaignOutcome> {
  if (!(await selectAdvertiser(store.db, advertiserId).executeTakeFirst())) return { kind: "unknown" };
  const row = campaignRow(input, { advertiserId, house: false, status: "draft", nowMs: actor.nowMs });
  const note = { ...actor, action: "campaign.create", subject: row.id, detail: { name: input.name, budget_micro: input.budgetMicroUsd, bid_micro: input.bidMicroUsd } };
  return guardName(async () => {
    await writeInventory(store, insertRows(store, { campaigns: [row], creatives: [], images: [] }), note);
    return { kind: "saved", id: row.id };
  });
}

/** Both databases name the index that was violated. */
const saysNameTaken = (error: unknown): boolean => error instanceof Error && error.message.includes("campaigns_name");

async function guardName<Outcome>(work: () => Promise<Outcome | CampaignOutcome>): Promise<Outcome | CampaignOutcome> {
  try {
    return await work();
  } catch (error) {
    if (saysNameTaken(error)) return { kind: "name_taken" };
    throw error;
  }
}

const fieldNames = new Set([...Object.keys(CampaignName.properties), ...Object.keys(CampaignTerms.properties)]);

/** The campaign as a request would describe it, with the changed fields: creation and change share one validation. */
function applyPatch(campaign: CampaignView, patch: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const described = Object.entries(describeCampaign(campaign)).filter(([name]) => fieldNames.has(name));
  return { ...Object.fromEntries(described), ...patch };
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

/** Changes the terms of a campaign that has not ended. */
export async function editCampaign(
  store: Store,
  edit: { id: string; patch: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<CampaignOutcome> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const campaign = await selectCampaign(store.db, edit.id).executeTakeFirst();
    if (!campaign) return { kind: "unknown" };
    const outcome = await tryEdit(store, { ...edit, campaign }, actor);
    if (outcome !== "changed_meanwhile") return outcome;
  }
  throw new Error(`campaign ${edit.id} changed ${triesMax} times while it was edited`);
}

async function tryEdit(
  store: Store,
  { campaign, patch }: { campaign: CampaignView; patch: Readonly<Record<string, unknown>> },
  actor: Actor,
): Promise<CampaignOutcome | "changed_meanwhile"> {
  const invalid = (path: string, message: string): CampaignOutcome => ({ kind: "invalid", faults: [{ path, message }] });
  if (campaign.status === "ended") return invalid("status", "the campaign has ended");
  if (campaign.house === 1) return invalid("house", "house ads have neither budget nor bid; pause or end them instead");
  const circumstances = { mayHaveEnded: !("ends" in patch), spentMicroUsd: campaign.spent_micro };
  const validated = validateCampaign(applyPatch(campaign, patch), actor.nowMs, circumstances);
  if (validated.kind === "invalid") return validated;
  const { name, ...terms } = validated.value;
  const faults = "placements" in patch ? await findMissingImages(store, campaign.id, terms.placements) : [];
  if (faults.length > 0) return { kind: "invalid", faults };
  const change = changeCampaign(store.db, { id: campaign.id, seenChangedAt: campaign.changed_at, name, terms: termColumns(terms), nowMs: actor.nowMs });
  const note = { ...actor, action: "campaign.edit", subject: campaign.id, detail: patch };
  return guardName(async () => {
    const outcome = await writeIfGuardHolds(store, change, note);
    return outcome === "written" ? { kind: "saved", id: campaign.id } : "changed_meanwhile";
  });
}

export type MoveOutcome = { kind: "moved" } | { kind: "unknown" } | { kind: "not_from"; status: CampaignStatus };

const statusesBefore: Record<Exclude<CampaignStatus, "draft">, readonly CampaignStatus[]> = {
  active: ["draft", "paused"],
  paused: ["active"],
  ended: ["draft", "active", "paused"],
};

/** draft → active ⇄ paused → ended. An ended campaign stays ended. */
export async function moveCampaignTo(
  store: Store,
  move: { id: string; to: Exclude<CampaignStatus, "draft"> },
  actor: Actor,
): Promise<MoveOutcome> {
  const campaign = await selectCampaign(store.db, move.id).executeTakeFirst();
  if (!campaign) return { kind: "unknown" };
  const from = statusesBefore[move.to];
  if (!from.includes(campaign.status)) return { kind: "not_from", status: campaign.status };
  const note = { ...actor, action: `campaign.${move.to}`, subject: move.id, detail: { from: campaign.status } };
  const outcome = await writeIfGuardHolds(store, moveCampaign(store.db, { ...move, from, nowMs: actor.nowMs }), note);
  if (outcome === "written") return { kind: "moved" };
  const { status } = await selectCampaign(store.db, move.id).executeTakeFirstOrThrow();
  return { kind: "not_from", status };
}

export type CreativeOutcome = { kind: "saved"; id: string } | { kind: "unknown" } | { kind: "ended" } | { kind: "too_many" };

/** Creates a pending creative: it serves once it is approved. Throws ImageRefused for an unusable image. */
export async function createCreative(
  store: Store,
  { campaignId, input, image }: { campaignId: string; input: CreativeInput; image: Uint8Array | undefined },
  actor: Actor,
): Promise<CreativeOutcome> {
  const campaign = await selectCampaign(store.db, campaignId).executeTakeFirst();
  if (!campaign) return { kind: "unknown" };
  if (campaign.status === "ended") return { kind: "ended" };
  if ((await selectCreativesOf(store.db, campaignId).execute()).length >= creativesPerCampaignMax) return { kind: "too_many" };
  const look = { format: input.format, placements: placementsServed(describeCampaign(campaign).placements) };
  const { headline, description, ctaText } = input;
  const images = await (image === undefined
    ? prepareCard({ advertiser: campaign.advertiser, headline, description, ctaText }, look)
    : prepareImage(image, look));
  await storeImages(store, images, actor.nowMs);
  const row = creativeRow(input, { campaignId, status: "pending", nowMs: actor.nowMs });
  const rows = { campaigns: [], creatives: [row], images: creativeImageRows(row.id, images) };
  const pending = eventStatements(store.db, { audience: operators, type: "creative.pending", data: { campaign_id: campaignId, creative_id: row.id } }, actor);
  await writeInventory(store, [...insertRows(store, rows), ...pending], { ...actor, action: "creative.create", subject: row.id, detail: { campaign_id: campaignId } });
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
