import type { Kysely } from "kysely";
import { locksRows } from "../store/locks-rows.ts";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

/** What the trust of an ad request is verified by. */
export function selectSessionScore(db: Db, session: { accountId: string; sessionId: string }) {
  return db
    .selectFrom("session_records")
    .select(["service_score", "at", "mode"])
    .where("account_id", "=", session.accountId)
    .where("id", "=", session.sessionId);
}

/** Where a click on the offer leads, for those who are only sent on. */
export function selectLanding(db: Db, offerId: string) {
  return db
    .selectFrom("offers as o")
    .innerJoin("creatives as c", "c.id", "o.creative_id")
    .select("c.landing_url")
    .where("o.id", "=", offerId);
}

/** Offers with what decides about their clicks. Locks nothing: `verdict` may be another one a moment later. */
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

/** What happened to the offers so far. Locks them, in the order of their ids. */
export function lockOffers(db: Db, ids: readonly string[]) {
  return db
    .selectFrom("offers")
    .select(["id", "impressed_at", "clicked_at", "verdict"])
    .where("id", "in", ids)
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

/** The ids of clicks that have waited for their impressions for long enough. */
export function selectAwaiting(db: Db, wait: { clickedBeforeMs: number; limit: number }) {
  return db
    .selectFrom("offers")
    .select("id")
    .where("verdict", "=", "awaiting_impression")
    .where("clicked_at", "<", wait.clickedBeforeMs)
    .orderBy("clicked_at")
    .limit(wait.limit);
}
