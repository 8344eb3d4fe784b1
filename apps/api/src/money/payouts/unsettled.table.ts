import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

const rowCount = sql<number>`count(*)`.as("count");

/** An account with all that its money, its marks and its personal data may have to wait for. */
export function selectUnsettled(db: Db, accountId: string) {
  return db
    .selectFrom("accounts as a")
    .leftJoin("call_settlements as s", "s.account_id", "a.id")
    .select((eb) => {
      const unsettledFrom = sql<number>`coalesce(s.confirmed_to, 0)`;
      const calls = eb.selectFrom("usage_rollups as u").whereRef("u.account_id", "=", "a.id").where("u.payer", "=", "platform").where("u.hour", ">=", unsettledFrom);
      const reversed = eb.selectFrom("call_days as d").whereRef("d.account_id", "=", "a.id").where("d.day", ">=", unsettledFrom);
      const sumOf = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)`.as("sum");
      const payouts = eb.selectFrom("payouts as o").whereRef("o.account_id", "=", "a.id");
      const clicks = eb.selectFrom("clicks as c").whereRef("c.account_id", "=", "a.id").where("c.status", "=", "pending");
      const waiting = eb
        .selectFrom("waiting_earnings as w")
        .whereRef("w.account_id", "=", "a.id")
        .where("w.decision", "is", null)
        .where("w.reason", "<>", "crowded_network")
        .where("w.day", "<", unsettledFrom);
      return [
        "a.email",
        "a.status",
        eb.selectFrom("money_holds as h").select(rowCount).whereRef("h.account_id", "=", "a.id").where("h.lifted_at", "is", null).as("open_holds"),
        eb.selectFrom("findings as f").select(rowCount).whereRef("f.account_id", "=", "a.id").where("f.closed_at", "is", null).as("open_findings"),
        payouts.select(rowCount).where("o.status", "!=", "cancelled").as("payouts_made"),
        payouts.select(rowCount).where("o.status", "in", ["proposed", "approved", "exported"]).as("open_payouts"),
        payouts.select(sumOf("o.amount_micro")).where("o.status", "=", "exported").as("exported_micro"),
        clicks.select(rowCount).as("pending_clicks"),
        clicks.select(sumOf("c.developer_micro")).as("pending_clicks_micro"),
        calls.select(sumOf("u.calls")).as("unsettled_calls"),
        calls.select(sumOf("u.developer_micro")).as("unsettled_calls_micro"),
        waiting.select(sumOf("w.items")).as("waiting_calls"),
        waiting.select(sumOf("w.developer_micro")).as("waiting_calls_micro"),
        reversed.select(sumOf("d.reversed_calls")).as("reversed_calls"),
        reversed.select(sumOf("d.reversed_developer_micro")).as("reversed_calls_micro"),
      ];
    })
    .where("a.id", "=", accountId);
}
