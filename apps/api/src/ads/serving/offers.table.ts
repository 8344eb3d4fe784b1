import { locksRows } from "../../store/locks-rows.ts";
import type { StoredVerdict } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

/** The landing page of the offer's creative, for redirects without a decision. */
export function selectLanding(db: Db, offerId: string) {
  return db
    .selectFrom("offers as o")
    .innerJoin("creatives as c", "c.id", "o.creative_id")
    .select("c.landing_url")
    .where("o.id", "=", offerId);
}

/** Offers with everything that decides their clicks. Takes no locks, so `verdict` may change right after. */
export function selectOffers(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("offers as o")
    .innerJoin("accounts as a", "a.id", "o.account_id")
    .innerJoin("creatives as c", "c.id", "o.creative_id")
    .innerJoin("campaigns as g", "g.id", "o.campaign_id")
    .select([
      "o.id",
      "o.account_id",
      "o.mode",
      "o.campaign_id",
      "o.creative_id",
      "o.format",
      "o.placement",
      "o.category",
      "o.trust_band",
      "o.price_micro",
      "o.share_bps",
      "o.developer_micro",
      "o.at",
      "o.expires_at",
      "o.verdict",
      "g.house",
      "a.status as account_status",
      "c.landing_url",
    ])
    .where("o.id", "in", ids)
    .orderBy("o.id");
}

/** Locks the offers in the order of their ids. */
export function lockOffers(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("offers")
    .select(["id", "impressed_at", "clicked_at", "verdict"])
    .where("id", "in", ids)
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

/** Offers whose click has awaited its impression since before `clickedBeforeMs`. */
export function selectAwaiting(db: Db, wait: { clickedBeforeMs: number; limit: number }) {
  return db
    .selectFrom("offers")
    .select("id")
    .where("verdict", "=", "awaiting_impression")
    .where("clicked_at", "<", wait.clickedBeforeMs)
    .orderBy("clicked_at")
    .limit(wait.limit);
}

export function deleteOffersBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("offers")
    .where("id", "in", (eb) => eb.selectFrom("offers").select("id").where("id", "<", old.id).orderBy("id").limit(old.limit));
}

/** Session ids are ordered by time. */
export function deleteSessionOffersBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_offers")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "session_id"),
        "in",
        eb
          .selectFrom("session_offers as s")
          .innerJoin("accounts as a", "a.id", "s.account_id")
          .select(["s.account_id", "s.session_id"])
          .where("s.session_id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "session_id"),
      ),
    );
}

/** Records the first click of each offer. Changes fewer rows if one of them was clicked before. */
export function noteFirstClicks(db: Db, first: { offerIds: readonly string[]; clickedMs: number; verdict: StoredVerdict }) {
  return db
    .updateTable("offers")
    .set({ clicked_at: first.clickedMs, verdict: first.verdict })
    .where("id", "in", first.offerIds)
    .where("clicked_at", "is", null);
}

export function settleAwaiting(db: Db, settled: { offerIds: readonly string[]; verdict: StoredVerdict }) {
  return db
    .updateTable("offers")
    .set({ verdict: settled.verdict })
    .where("id", "in", settled.offerIds)
    .where("verdict", "=", "awaiting_impression");
}

export function noteImpressions(db: Db, seen: { offerIds: readonly string[]; impressedMs: number }) {
  return db
    .updateTable("offers")
    .set({ impressed_at: seen.impressedMs })
    .where("id", "in", seen.offerIds)
    .where("impressed_at", "is", null);
}

/** No row once the offer is past retention. */
export function selectCategoryOfOffer(db: Db, offerId: string) {
  return db.selectFrom("offers").select("category").where("id", "=", offerId);
}
