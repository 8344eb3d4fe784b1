import type { TierRequestRow } from "../store/schema-dashboard.ts";
import type { Db } from "../store/schema.ts";

export function selectPendingTierRequest(db: Db, accountId: string) {
  return db.selectFrom("tier_requests").select(["id", "tier", "requested_at"]).where("account_id", "=", accountId).where("state", "=", "pending");
}

/** Withdrawn ones as well, since a time. */
export function selectUndecidedTierRequests(db: Db, { accountId, sinceMs }: { accountId: string; sinceMs: number }) {
  return db
    .selectFrom("tier_requests")
    .select(["tier", "state"])
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("state", "=", "pending"), eb.and([eb("state", "=", "withdrawn"), eb("requested_at", ">", sinceMs)])]));
}

/** A new request replaces the pending one: an account has at most one. */
export function withdrawTierRequest(db: Db, change: { accountId: string; nowMs: number }) {
  return db
    .updateTable("tier_requests")
    .set({ state: "withdrawn", decided_at: change.nowMs })
    .where("account_id", "=", change.accountId)
    .where("state", "=", "pending");
}

export function insertTierRequest(db: Db, row: TierRequestRow) {
  return db.insertInto("tier_requests").values(row);
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
