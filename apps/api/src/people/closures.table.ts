import { sql } from "kysely";
import type { Db } from "../store/schema.ts";

/** Closing twice changes nothing but that the balance may be given up the second time. */
export function upsertClosure(db: Db, order: { accountId: string; forfeited: boolean; nowMs: number }) {
  const forfeited = Number(order.forfeited);
  return db
    .insertInto("account_closures")
    .values({ account_id: order.accountId, requested_at: order.nowMs, forfeited, erased_at: null })
    .onConflict((conflict) =>
      conflict.column("account_id").doUpdateSet((eb) => ({ forfeited: sql<number>`case when ${eb.ref("excluded.forfeited")} = 1 then 1 else account_closures.forfeited end` })),
    );
}

/** Closing accounts that nothing is owed to or by, or that gave up what was owed to them. */
export function selectErasable(db: Db, limit: number) {
  return db
    .selectFrom("account_closures as c")
    .innerJoin("ledger_heads as h", "h.account_id", "c.account_id")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .select(["c.account_id", "a.email"])
    .where("c.erased_at", "is", null)
    .where((eb) => eb.or([eb("h.balance_micro", "=", 0), eb.and([eb("c.forfeited", "=", 1), eb("h.balance_micro", ">", 0)])]))
    .orderBy("c.requested_at")
    .limit(limit);
}

export function markErased(db: Db, order: { accountId: string; nowMs: number }) {
  return db
    .updateTable("account_closures")
    .set({ erased_at: order.nowMs })
    .where("account_id", "=", order.accountId)
    .where("erased_at", "is", null);
}
