import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { CampaignStatus, CreativeImageRow, CreativeRow, CreativeStatus } from "../../store/schema-ads.ts";
import type { ClosedWrite, Store } from "../../store/store.ts";
import {
  insertCampaigns,
  insertCreativeImages,
  insertCreatives,
  insertImages,
  type NewCampaignRow,
  type TermColumns,
} from "./campaigns.table.ts";
import { raiseInventoryEpoch } from "./inventory.table.ts";
import type { PreparedImage } from "./prepare-image.ts";
import type { CampaignInput, CampaignTerms, CreativeInput } from "./validate-campaign.ts";
import type { InventoryWrite } from "./write-inventory.work.ts";

/** Well below both databases' limits on parameters per statement. */
const rowsPerInsert = 500;
/** Images are written in small batches: the writer also bills calls. */
const imageBytesPerWrite = 1024 * 1024;

export type Actor = { actorAccountId: string | null; nowMs: number };

export function termColumns(terms: CampaignTerms): TermColumns {
  return {
    budget_micro: terms.budgetMicroUsd,
    daily_budget_micro: terms.dailyBudgetMicroUsd ?? null,
    bid_micro: terms.bidMicroUsd,
    starts_at: terms.startsMs,
    ends_at: terms.endsMs ?? null,
    categories: JSON.stringify(terms.categories),
    placements: JSON.stringify(terms.placements),
    min_trust: terms.minTrust,
    min_attestation: terms.minAttestation,
    pacing: terms.pacing,
  };
}

export type NewCampaign = {
  advertiserId: string;
  house: boolean;
  status: Extract<CampaignStatus, "draft" | "active">;
  nowMs: number;
};

export function campaignRow(input: CampaignInput, made: NewCampaign): NewCampaignRow {
  const { nowMs } = made;
  return {
    id: timeOrderedId("camp", nowMs),
    advertiser_id: made.advertiserId,
    name: input.name,
    status: made.status,
    house: Number(made.house),
    ...termColumns(input),
    spent_micro: 0,
    created_at: nowMs,
    changed_at: nowMs,
    active_since: made.status === "active" ? nowMs : null,
  };
}

export function creativeRow(input: Omit<CreativeInput, "image">, made: { campaignId: string; status: CreativeStatus; nowMs: number }): CreativeRow {
  return {
    id: timeOrderedId("crea", made.nowMs),
    campaign_id: made.campaignId,
    format: input.format,
    status: made.status,
    headline: input.headline,
    description: input.description,
    cta_text: input.ctaText,
    landing_url: input.landingUrl,
    created_at: made.nowMs,
  };
}

export const creativeImageRows = (creativeId: string, images: readonly PreparedImage[]): CreativeImageRow[] =>
  images.map(({ placement, hash, width, height }) => ({ creative_id: creativeId, placement, image_hash: hash, width, height }));

/** Stores images before the creatives that show them. Until then nothing refers to them, and storing is idempotent. */
export async function storeImages(store: Store, images: readonly PreparedImage[], nowMs: number): Promise<void> {
  const distinct = new Map(images.map(({ placement: _placement, ...image }) => [image.hash, { ...image, created_at: nowMs }]));
  let batch: Parameters<typeof insertImages>[1][number][] = [];
  let bytes = 0;
  for (const image of distinct.values()) {
    if (batch.length > 0 && bytes + image.bytes.length > imageBytesPerWrite) {
      await store.write([insertImages(store.db, batch)]);
      batch = [];
      bytes = 0;
    }
    batch.push(image);
    bytes += image.bytes.length;
  }
  if (batch.length > 0) await store.write([insertImages(store.db, batch)]);
}

const inChunks = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / rowsPerInsert) }, (_, index) => rows.slice(index * rowsPerInsert, (index + 1) * rowsPerInsert));

export type InventoryRows = { campaigns: readonly NewCampaignRow[]; creatives: readonly CreativeRow[]; images: readonly CreativeImageRow[] };

/** The statements that insert the rows. Images must be stored before. */
export function insertRows(store: Store, rows: InventoryRows): ClosedWrite {
  return [
    ...inChunks(rows.campaigns).map((chunk) => insertCampaigns(store.db, chunk)),
    ...inChunks(rows.creatives).map((chunk) => insertCreatives(store.db, chunk)),
    ...inChunks(rows.images).map((chunk) => insertCreativeImages(store.db, chunk)),
  ];
}

export type Note = Actor & { action: string; subject: string; detail: Readonly<Record<string, unknown>> };

const workModule = new URL("./write-inventory.work.ts", import.meta.url);

/**
 * Every change of the inventory goes through here. One transaction holds the change, the epoch, by which nodes notice
 * the change, and its audit log entry. They come last, so that their rows are locked only briefly; the lock makes the
 * order of epochs the order of commits.
 */
function write(store: Store, statements: ClosedWrite, { isGuarded, note }: { isGuarded: boolean; note: Note }) {
  const all = [...statements, raiseInventoryEpoch(store.db), noteAction(store.db, note)].map((each) => each.compile());
  const payload: InventoryWrite = { statements: all.map(({ sql, parameters }) => ({ sql, parameters })), isGuarded };
  return store.transact<InventoryWrite, "written" | "guard_failed">(workModule, payload);
}

export async function writeInventory(store: Store, statements: ClosedWrite, note: Note): Promise<void> {
  await write(store, statements, { isGuarded: false, note });
}

/** For a statement that checks its own condition: if it changes no row, nothing is written and nothing logged. */
export const writeIfGuardHolds = (store: Store, guarded: ClosedWrite[number], note: Note): Promise<"written" | "guard_failed"> =>
  write(store, [guarded], { isGuarded: true, note });
