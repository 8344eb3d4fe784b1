import { sql } from "kysely";
import type { Db, TierRow } from "../store/schema.ts";

const tierColumns = ["name", "per_hour", "per_minute", "share_bps"] as const;

export function selectTiers(db: Db) {
  return db.selectFrom("tiers").select(tierColumns).orderBy("per_hour").orderBy("name");
}

/** Case-insensitive. */
export function selectTierByName(db: Db, name: string) {
  return db.selectFrom("tiers").select(tierColumns).where(sql<boolean>`lower(name) = lower(${name})`);
}

export function upsertTier(db: Db, row: TierRow) {
  const { per_hour, per_minute, share_bps } = row;
  return db
    .insertInto("tiers")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ per_hour, per_minute, share_bps }));
}
