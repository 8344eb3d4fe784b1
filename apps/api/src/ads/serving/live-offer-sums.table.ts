import type { LiveOfferSumsRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

export function upsertSums(db: Db, row: LiveOfferSumsRow) {
  return db
    .insertInto("live_offer_sums")
    .values(row)
    .onConflict((conflict) => conflict.column("node_id").doUpdateSet({ at: row.at, sums: row.sums }));
}

/** Newest first. */
export function selectSumsOfOthers(db: Db, page: { nodeId: string; sinceMs: number; limit: number }) {
  return db
    .selectFrom("live_offer_sums")
    .select(["at", "sums"])
    .where("node_id", "!=", page.nodeId)
    .where("at", ">=", page.sinceMs)
    .orderBy("at", "desc")
    .limit(page.limit);
}

export function deleteSumsBefore(db: Db, atMs: number) {
  return db.deleteFrom("live_offer_sums").where("at", "<", atMs);
}
