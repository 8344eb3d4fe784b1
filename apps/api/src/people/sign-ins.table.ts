import type { Db } from "../store/schema.ts";

export function selectSignIns(db: Db, page: { accountId: string; nowMs: number; limit: number }) {
  return db
    .selectFrom("sign_ins")
    .select(["id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"])
    .where("account_id", "=", page.accountId)
    .where("expires_at", ">", page.nowMs)
    .orderBy("updated_at", "desc")
    .limit(page.limit);
}

export function deleteSignIn(db: Db, signIn: { accountId: string; id: string }) {
  return db.deleteFrom("sign_ins").where("account_id", "=", signIn.accountId).where("id", "=", signIn.id);
}

export function deleteSignIns(db: Db, { accountId, exceptId }: { accountId: string; exceptId: string | undefined }) {
  const all = db.deleteFrom("sign_ins").where("account_id", "=", accountId);
  return exceptId === undefined ? all : all.where("id", "!=", exceptId);
}

/** Sign-ins that wait for the second factor. */
export function deleteChallengesOfAccount(db: Db, accountId: string) {
  return db.deleteFrom("sign_in_challenges").where("value", "=", accountId);
}

export function deleteSecondFactor(db: Db, accountId: string) {
  return db.deleteFrom("second_factors").where("account_id", "=", accountId);
}

/** Marks a time step and all earlier ones as used. Of two concurrent requests with the same step one changes the row. */
export function spendStep(db: Db, { factorId, step }: { factorId: string; step: number }) {
  return db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("id", "=", factorId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", step)]));
}

export function deleteSignInsExpiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("sign_ins").where("expires_at", "<", atMs);
}

export function deleteChallengesExpiredBefore(db: Db, atMs: number) {
  return db.deleteFrom("sign_in_challenges").where("expires_at", "<", atMs);
}
