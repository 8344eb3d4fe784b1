import type { SecondFactorRow } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

export function selectSecondFactor(db: Db, accountId: string) {
  return db.selectFrom("second_factors").select(["id", "secret", "recovery_codes", "verified", "locked_until"]).where("account_id", "=", accountId);
}

/** Does nothing if the account has one. */
export function insertSecondFactor(db: Db, row: SecondFactorRow) {
  return db.insertInto("second_factors").values(row).onConflict((conflict) => conflict.column("account_id").doNothing());
}

export function deleteSecondFactor(db: Db, accountId: string) {
  return db.deleteFrom("second_factors").where("account_id", "=", accountId);
}

/** One that was set up and never confirmed with a code. */
export function deleteUnverifiedFactor(db: Db, accountId: string) {
  return db.deleteFrom("second_factors").where("account_id", "=", accountId).where("verified", "=", 0);
}

/** Of two concurrent requests one changes the row. */
export function setFactorVerified(db: Db, factorId: string) {
  return db.updateTable("second_factors").set({ verified: 1 }).where("id", "=", factorId).where("verified", "=", 0);
}

/** Marks a time step and all earlier ones as used. Of two concurrent requests with the same step one changes the row. */
export function spendStep(db: Db, { factorId, step }: { factorId: string; step: number }) {
  return db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("id", "=", factorId)
    .where((eb) => eb.or([eb("last_step", "is", null), eb("last_step", "<", step)]));
}

/** Changes the row only if its codes are still those that were read. */
export function replaceRecoveryCodes(db: Db, codes: { factorId: string; before: string; after: string }) {
  return db.updateTable("second_factors").set({ recovery_codes: codes.after }).where("id", "=", codes.factorId).where("recovery_codes", "=", codes.before);
}

export function setRecoveryCodes(db: Db, codes: { factorId: string; sealed: string }) {
  return db.updateTable("second_factors").set({ recovery_codes: codes.sealed }).where("id", "=", codes.factorId);
}

/** The three statements that count a wrong code before the code is checked; the second changes no row while the factor is locked. */
export function unlockFactor(db: Db, factor: { id: string; nowMs: number }) {
  return db.updateTable("second_factors").set({ failures: 0, locked_until: null }).where("id", "=", factor.id).where("locked_until", "<=", factor.nowMs);
}

export function countFactorTry(db: Db, factorId: string) {
  return db
    .updateTable("second_factors")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("id", "=", factorId)
    .where("locked_until", "is", null);
}

export function lockFactor(db: Db, factor: { id: string; failuresMax: number; untilMs: number }) {
  return db
    .updateTable("second_factors")
    .set({ locked_until: factor.untilMs })
    .where("id", "=", factor.id)
    .where("failures", ">=", factor.failuresMax)
    .where("locked_until", "is", null);
}

/** The code was right: only wrong ones in a row count. */
export function clearFactorTries(db: Db, factorId: string) {
  return db.updateTable("second_factors").set({ failures: 0, locked_until: null }).where("id", "=", factorId);
}

/** Those with a part that the current secret did not seal. */
export function selectFactorsOfOthers(db: Db, page: { currentPrefix: string; afterId: string; limit: number }) {
  const pattern = `${page.currentPrefix}%`;
  return db
    .selectFrom("second_factors")
    .select(["id", "account_id", "secret", "recovery_codes"])
    .where((eb) => eb.or([eb("secret", "not like", pattern), eb("recovery_codes", "not like", pattern)]))
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

/** Changes the row only if it is still as it was read. */
export function replaceFactor(db: Db, factor: { id: string; before: FactorTexts; after: FactorTexts }) {
  return db
    .updateTable("second_factors")
    .set(factor.after)
    .where("id", "=", factor.id)
    .where("secret", "=", factor.before.secret)
    .where("recovery_codes", "=", factor.before.recovery_codes);
}

export type FactorTexts = Pick<SecondFactorRow, "secret" | "recovery_codes">;
