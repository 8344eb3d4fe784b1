import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

type AccountsPage = { search: string | undefined; afterId: string; limit: number; isAskingForTier?: boolean };

/** In the order of ids; `search` is a part of the address, or an id. */
export function selectOperatedAccounts(db: Db, page: AccountsPage) {
  // Escapes % and _: they are not wildcards here.
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
