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

/** An account has one second factor at most; one that is being set up is not verified and asks for nothing yet. */
export function selectVerifiedFactor(db: Db, accountId: string) {
  return db.selectFrom("second_factors").select(["id", "secret", "recovery_codes"]).where("account_id", "=", accountId).where("verified", "=", 1);
}

/** Compare-and-set: of two concurrent uses of a recovery code one changes the row. */
export function replaceRecoveryCodes(db: Db, change: { factorId: string; from: string; to: string }) {
  return db
    .updateTable("second_factors")
    .set({ recovery_codes: change.to })
    .where("id", "=", change.factorId)
    .where("recovery_codes", "=", change.from);
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
