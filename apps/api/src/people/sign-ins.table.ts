import type { Db } from "../store/schema.ts";

export function selectSignIns(db: Db, order: { accountId: string; nowMs: number; limit: number }) {
  return db
    .selectFrom("sign_ins")
    .select(["id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"])
    .where("account_id", "=", order.accountId)
    .where("expires_at", ">", order.nowMs)
    .orderBy("updated_at", "desc")
    .limit(order.limit);
}

export function deleteSignIn(db: Db, order: { accountId: string; id: string }) {
  return db.deleteFrom("sign_ins").where("account_id", "=", order.accountId).where("id", "=", order.id);
}

/** Signs every browser out, but for one when it is named. */
export function deleteSignIns(db: Db, order: { accountId: string; exceptId: string | undefined }) {
  const all = db.deleteFrom("sign_ins").where("account_id", "=", order.accountId);
  return order.exceptId === undefined ? all : all.where("id", "!=", order.exceptId);
}

/** Sign-ins that wait for the account's second factor. */
export function deleteChallengesOfAccount(db: Db, accountId: string) {
  return db.deleteFrom("sign_in_challenges").where("value", "=", accountId);
}

export function deleteSecondFactor(db: Db, accountId: string) {
  return db.deleteFrom("second_factors").where("account_id", "=", accountId);
}

/** Uses a time step and all before it up. Of two who bring the same one at once, one changes the row. */
export function spendStep(db: Db, order: { factorId: string; step: number }) {
  return db
    .updateTable("second_factors")
    .set({ last_step: order.step })
    .where("id", "=", order.factorId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", order.step)]));
}

export function deleteSignInsExpiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("sign_ins").where("expires_at", "<", atMs);
}

export function deleteChallengesExpiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("sign_in_challenges").where("expires_at", "<", atMs);
}
