import { sql } from "kysely";
import type {
  AdvertiserRow,
  CampaignRow,
  CampaignStatus,
  CreativeImageRow,
  CreativeRow,
  CreativeStatus,
  ImageRow,
  MinAttestation,
} from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

const campaignColumns = [
  "c.id",
  "c.advertiser_id",
  "a.name as advertiser",
  "c.name",
  "c.status",
  "c.house",
  "c.budget_micro",
  "c.daily_budget_micro",
  "c.bid_micro",
  "c.starts_at",
  "c.ends_at",
  "c.categories",
  "c.placements",
  "c.min_trust",
  "c.min_attestation",
  "c.pacing",
  "c.spent_micro",
  "c.active_since",
  "c.created_at",
  "c.changed_at",
] as const;

/** Changes no row if the name was taken meanwhile: read the advertiser by its name then. */
export function insertAdvertiser(db: Db, row: AdvertiserRow) {
  return db.insertInto("advertisers").values(row).onConflict((conflict) => conflict.doNothing());
}

/** Case-insensitive. */
export function selectAdvertiserByName(db: Db, name: string) {
  return db.selectFrom("advertisers").select(["id", "name", "created_at"]).where(sql<boolean>`lower(name) = lower(${name})`);
}

export function selectAdvertiser(db: Db, id: string) {
  return db.selectFrom("advertisers").select(["id", "name", "created_at"]).where("id", "=", id);
}

export function selectAdvertisers(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("advertisers")
    .select(["id", "name", "created_at"])
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

export function renameAdvertiser(db: Db, change: { id: string; name: string }) {
  return db.updateTable("advertisers").set({ name: change.name }).where("id", "=", change.id);
}

export type NewCampaignRow = CampaignRow & { active_since: number | null; min_attestation: MinAttestation };

export function insertCampaigns(db: Db, rows: readonly NewCampaignRow[]) {
  return db.insertInto("campaigns").values(rows);
}

export function insertCreatives(db: Db, rows: readonly CreativeRow[]) {
  return db.insertInto("creatives").values(rows);
}

/** Identical bytes are stored once. */
export function insertImages(db: Db, rows: readonly ImageRow[]) {
  return db
    .insertInto("images")
    .values(rows)
    .onConflict((conflict) => conflict.column("hash").doNothing());
}

export function insertCreativeImages(db: Db, rows: readonly CreativeImageRow[]) {
  return db.insertInto("creative_images").values(rows);
}

export function selectCampaign(db: Db, id: string) {
  return db
    .selectFrom("campaigns as c")
    .innerJoin("advertisers as a", "a.id", "c.advertiser_id")
    .select(campaignColumns)
    .where("c.id", "=", id);
}

export type CampaignView = NonNullable<Awaited<ReturnType<ReturnType<typeof selectCampaign>["executeTakeFirst"]>>>;

/** In the order of creation. */
export function selectCampaigns(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("campaigns as c")
    .innerJoin("advertisers as a", "a.id", "c.advertiser_id")
    .select(campaignColumns)
    .where("c.id", ">", page.afterId)
    .orderBy("c.id")
    .limit(page.limit);
}

/** Several advertisers may have a campaign of that name. */
export function selectCampaignsByName(db: Db, name: string) {
  return db
    .selectFrom("campaigns as c")
    .innerJoin("advertisers as a", "a.id", "c.advertiser_id")
    .select(["c.id", "c.name", "c.status", "a.name as advertiser"])
    .where(sql<boolean>`lower(c.name) = lower(${name})`)
    .orderBy("c.id");
}

export function selectNamesOfAdvertiser(db: Db, advertiserId: string) {
  return db.selectFrom("campaigns").select("name").where("advertiser_id", "=", advertiserId);
}

export type TermColumns = Pick<
  CampaignRow,
  "budget_micro" | "daily_budget_micro" | "bid_micro" | "starts_at" | "ends_at" | "categories" | "placements" | "min_trust" | "pacing"
> & { min_attestation: MinAttestation };

/**
 * Changes no row if the campaign changed since it was read (optimistic locking), or if the new budget is below the
 * spend: clicks raise `spent_micro` meanwhile, so the UPDATE checks it.
 */
export function changeCampaign(
  db: Db,
  change: { id: string; seenChangedAt: number; name: string; terms: TermColumns; nowMs: number },
) {
  return db
    .updateTable("campaigns")
    .set({ ...change.terms, name: change.name, changed_at: Math.max(change.nowMs, change.seenChangedAt + 1) })
    .where("id", "=", change.id)
    .where("changed_at", "=", change.seenChangedAt)
    .where("status", "<>", "ended")
    .where("spent_micro", "<=", change.terms.budget_micro);
}

/** Changes no row unless the status is one of `from`. */
export function moveCampaign(db: Db, move: { id: string; from: readonly CampaignStatus[]; to: CampaignStatus; nowMs: number }) {
  return db
    .updateTable("campaigns")
    .set({ status: move.to, changed_at: move.nowMs, ...(move.to === "active" && { active_since: move.nowMs }) })
    .where("id", "=", move.id)
    .where("status", "in", move.from);
}

export function moveCreative(db: Db, move: { id: string; from: CreativeStatus; to: CreativeStatus }) {
  return db.updateTable("creatives").set({ status: move.to }).where("id", "=", move.id).where("status", "=", move.from);
}

export function selectCreative(db: Db, id: string) {
  return db
    .selectFrom("creatives")
    .select(["id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"])
    .where("id", "=", id);
}

export function selectCreativesOf(db: Db, campaignId: string) {
  return db
    .selectFrom("creatives")
    .select(["id", "campaign_id", "format", "status", "headline", "description", "cta_text", "landing_url", "created_at"])
    .where("campaign_id", "=", campaignId)
    .orderBy("id");
}

export function selectImagesOf(db: Db, campaignId: string) {
  return db
    .selectFrom("creative_images as p")
    .innerJoin("creatives as r", "r.id", "p.creative_id")
    .innerJoin("images as i", "i.hash", "p.image_hash")
    .select(["p.creative_id", "p.placement", "p.image_hash", "p.width", "p.height", "i.content_type"])
    .where("r.campaign_id", "=", campaignId)
    .orderBy("p.creative_id")
    .orderBy("p.placement");
}

export function selectImage(db: Db, hash: string) {
  return db.selectFrom("images").select(["content_type", "bytes"]).where("hash", "=", hash);
}

export function selectHouseCampaigns(db: Db) {
  return db.selectFrom("campaigns").select(["id", "status"]).where("house", "=", 1).orderBy("id");
}

export function setHouseLanding(db: Db, landing: { from: string; to: string }) {
  return db
    .updateTable("creatives")
    .set({ landing_url: landing.to })
    .where("landing_url", "=", landing.from)
    .where("campaign_id", "in", (eb) => eb.selectFrom("campaigns").select("id").where("house", "=", 1));
}

export function selectHouseLandings(db: Db) {
  return db
    .selectFrom("creatives as r")
    .innerJoin("campaigns as c", "c.id", "r.campaign_id")
    .select("r.landing_url")
    .distinct()
    .where("c.house", "=", 1);
}

export function selectCampaignNames(db: Db, campaignIds: readonly string[]) {
  return db.selectFrom("campaigns").select(["id", "name"]).where("id", "in", campaignIds);
}
