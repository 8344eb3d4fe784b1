import { sql } from "kysely";
import type { CampaignTokenRow } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

export function selectToken(db: Db, campaignId: string) {
  return db.selectFrom("campaign_tokens").select(["token_hash", "created_at"]).where("campaign_id", "=", campaignId);
}

/** Replaces the campaign's token. Changes no row if there is no such campaign. */
export function upsertToken(db: Db, { campaign_id, token_hash, created_at }: CampaignTokenRow) {
  return db
    .insertInto("campaign_tokens")
    .columns(["campaign_id", "token_hash", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("campaigns")
        .select(["id", sql<string>`cast(${token_hash} as text)`.as("token_hash"), sql<number>`cast(${created_at} as bigint)`.as("created_at")])
        .where("id", "=", campaign_id),
    )
    .onConflict((conflict) => conflict.column("campaign_id").doUpdateSet({ token_hash, created_at }));
}
