import { sql } from "kysely";
import type { Db } from "../store/schema.ts";

/** A second request can only forfeit the balance. */
export function upsertClosure(db: Db, closure: { accountId: string; forfeited: boolean; nowMs: number }) {
  const forfeited = Number(closure.forfeited);
  return db
    .insertInto("account_closures")
    .values({ account_id: closure.accountId, requested_at: closure.nowMs, forfeited, erased_at: null })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((eb) => ({ forfeited: sql<number>`case when ${eb.ref("excluded.forfeited")} = 1 then 1 else account_closures.forfeited end` })),
    );
}

export function selectClosure(db: Db, accountId: string) {
  return db.selectFrom("account_closures").select(["forfeited", "erased_at"]).where("account_id", "=", accountId);
}

/** Closing accounts with a balance of 0, or with a positive balance that they forfeited. Whether something else is open is decided one by one. */
export function selectErasable(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("account_closures as c")
    .innerJoin("ledger_heads as h", "h.account_id", "c.account_id")
    .select("c.account_id")
    .where("c.account_id", ">", page.afterId)
    .where("c.erased_at", "is", null)
    .where((eb) => eb.or([eb("h.balance_micro", "=", 0), eb.and([eb("c.forfeited", "=", 1), eb("h.balance_micro", ">", 0)])]))
    .orderBy("c.account_id")
    .limit(page.limit);
}

/**
 * Erased accounts with a balance: a call that was under way, or a click on an ad that was shown before. A payout that
 * the bank returned after the erasure is not among them: an operator decides what becomes of it.
 */
export function selectLeftovers(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("account_closures as c")
    .innerJoin("ledger_heads as h", "h.account_id", "c.account_id")
    .select("c.account_id")
    .where("c.account_id", ">", page.afterId)
    .where("c.erased_at", "is not", null)
    .where("h.balance_micro", ">", 0)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom("payouts as o").select("o.id").whereRef("o.account_id", "=", "c.account_id").whereRef("o.returned_at", ">", "c.erased_at"),
        ),
      ),
    )
    .orderBy("c.account_id")
    .limit(page.limit);
}

export function markErased(db: Db, closure: { accountId: string; nowMs: number }) {
  return db
    .updateTable("account_closures")
    .set({ erased_at: closure.nowMs })
    .where("account_id", "=", closure.accountId)
    .where("erased_at", "is", null);
}
