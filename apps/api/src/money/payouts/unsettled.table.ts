import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

const rowCount = sql<number>`count(*)`.as("count");

/** An account with all that its money, its marks and its personal data may have to wait for. */
export function selectUnsettled(db: Db, accountId: string) {
  return db
    .selectFrom("accounts as a")
    .select((eb) => {
      const payouts = eb.selectFrom("payouts as o").whereRef("o.account_id", "=", "a.id");
      const clicks = eb.selectFrom("clicks as c").whereRef("c.account_id", "=", "a.id").where("c.status", "=", "pending");
      return [
        "a.email",
        "a.status",
        eb.selectFrom("money_holds as h").select(rowCount).whereRef("h.account_id", "=", "a.id").where("h.lifted_at", "is", null).as("open_holds"),
        eb.selectFrom("findings as f").select(rowCount).whereRef("f.account_id", "=", "a.id").where("f.closed_at", "is", null).as("open_findings"),
        payouts.select(rowCount).where("o.status", "!=", "cancelled").as("payouts_made"),
        payouts.select(rowCount).where("o.status", "in", ["proposed", "approved", "exported"]).as("open_payouts"),
        payouts.select(sql<number>`coalesce(sum(o.amount_micro), 0)`.as("sum")).where("o.status", "=", "exported").as("exported_micro"),
        clicks.select(rowCount).as("pending_clicks"),
        clicks.select(sql<number>`coalesce(sum(c.developer_micro), 0)`.as("sum")).as("pending_micro"),
      ];
    })
    .where("a.id", "=", accountId);
}
