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

/** Does nothing if there is a tier of this name, however it is spelled. */
export function insertTier(db: Db, row: TierRow) {
  return db.insertInto("tiers").values(row).onConflict((conflict) => conflict.doNothing());
}

export function changeTierLimits(db: Db, { name, per_hour, per_minute, share_bps }: TierRow) {
  return db
    .updateTable("tiers")
    .set({ per_hour, per_minute, share_bps })
    .where(sql<boolean>`lower(name) = lower(${name})`);
}
