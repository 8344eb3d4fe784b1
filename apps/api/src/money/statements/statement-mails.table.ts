import type { StatementMailRow } from "../../store/schema-payouts.ts";
import type { Db } from "../../store/schema.ts";

/**
 * Accounts whose money moved in the month and that were not told yet. Not those of nobody (demo), of nobody any more
 * (closed), or of nobody known (unverified). Both sums have the account first in their key, so each is one look-up.
 */
export function selectAccountsToMail(db: Db, page: { month: string; fromMs: number; toMs: number; afterId: string; limit: number }) {
  return db
    .selectFrom("accounts as a")
    .select(["a.id", "a.email"])
    .where("a.id", ">", page.afterId)
    .where("a.status", "!=", "closed")
    .where("a.demo", "=", 0)
    .where("a.verified_at", "is not", null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("statement_mails as s").select("s.month").whereRef("s.account_id", "=", "a.id").where("s.month", "=", page.month),
        ),
      ),
    )
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom("usage_rollups as u")
            .select("u.hour")
            .whereRef("u.account_id", "=", "a.id")
            .where("u.hour", ">=", page.fromMs)
            .where("u.hour", "<", page.toMs),
        ),
        eb.exists(
          eb
            .selectFrom("movement_hours as m")
            .select("m.hour")
            .whereRef("m.account_id", "=", "a.id")
            .where("m.hour", ">=", page.fromMs)
            .where("m.hour", "<", page.toMs),
        ),
      ]),
    )
    .orderBy("a.id")
    .limit(page.limit);
}

/** Whoever comes second changes nothing, and has nothing to mail. */
export function insertStatementMail(db: Db, row: StatementMailRow) {
  return db
    .insertInto("statement_mails")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "month"]).doNothing());
}
