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

/** Closing accounts with a balance of 0, or with a positive balance that they forfeited. */
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

export function markErased(db: Db, closure: { accountId: string; nowMs: number }) {
  return db
    .updateTable("account_closures")
    .set({ erased_at: closure.nowMs })
    .where("account_id", "=", closure.accountId)
    .where("erased_at", "is", null);
}
