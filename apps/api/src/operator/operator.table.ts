import { type Kysely, sql } from "kysely";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

type AccountsPage = { search: string | undefined; afterId: string; limit: number; isAskingForTier?: boolean };

/** A page of accounts in the order of their ids; `search` is part of the address, or an id. */
export function selectOperatedAccounts(db: Db, page: AccountsPage) {
  // % and _ of what was typed are meant as they stand.
  const part = `%${(page.search ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return db
    .selectFrom("accounts as a")
    .leftJoin("ledger_heads as h", "h.account_id", "a.id")
    .leftJoin("tier_requests as r", (join) => join.onRef("r.account_id", "=", "a.id").on("r.state", "=", "pending"))
    .select((eb) => [
      "a.id",
      "a.email",
      "a.tier",
      "a.status",
      "a.verified_at",
      "a.operator",
      "a.demo",
      "a.created_at",
      "h.balance_micro",
      "r.tier as requested_tier",
      "r.id as tier_request_id",
      eb
        .selectFrom("findings as f")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("f.account_id", "=", "a.id")
        .where("f.closed_at", "is", null)
        .as("open_findings"),
    ])
    .where("a.id", ">", page.afterId)
    .$if(page.isAskingForTier === true, (query) => query.where("r.id", "is not", null))
    .$if(page.search !== undefined, (query) =>
      query.where((eb) => eb.or([eb("a.id", "=", page.search!), eb("a.email", "like", sql<string>`${part} escape '\\'`)])),
    )
    .orderBy("a.id")
    .limit(page.limit);
}

export function selectEmails(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("accounts").select(["id", "email"]).where("id", "in", accountIds);
}

export function selectCampaignNames(db: Db, campaignIds: readonly string[]) {
  return db.selectFrom("campaigns").select(["id", "name"]).where("id", "in", campaignIds);
}

/** The newest entries of one chain. */
export function selectNewestEntries(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(["seq", "at", "ref", "gross_micro", "hash"])
    .where("account_id", "=", page.accountId)
    .orderBy("seq", "desc")
    .limit(page.limit);
}

export function selectTierRequest(db: Db, requestId: string) {
  return db.selectFrom("tier_requests").select(["id", "account_id", "tier", "state"]).where("id", "=", requestId);
}

export function decideTierRequest(db: Db, decision: { requestId: string; state: "applied" | "refused"; nowMs: number }) {
  return db
    .updateTable("tier_requests")
    .set({ state: decision.state, decided_at: decision.nowMs })
    .where("id", "=", decision.requestId)
    .where("state", "=", "pending");
}

export function countMailsByState(db: Db) {
  return db.selectFrom("mails").select(["state", sql<number>`count(*)`.as("mails")]).groupBy("state");
}

export function selectTrackingKeys(db: Db) {
  return db.selectFrom("tracking_keys").select(["id", "created_at", "retired_at"]).orderBy("created_at", "desc");
}
