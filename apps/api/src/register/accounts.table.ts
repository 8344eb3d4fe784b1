import { locksRows } from "../store/locks-rows.ts";
import type { AccountRow, AccountStatus, Db } from "../store/schema.ts";

const accountColumns = ["id", "email", "tier", "status", "verified_at", "operator", "demo", "created_at"] as const;

export function insertAccount(db: Db, row: AccountRow & { at_first_start?: number }) {
  return db.insertInto("accounts").values(row);
}

export function selectAccountByEmail(db: Db, email: string) {
  return db.selectFrom("accounts").select(accountColumns).where("email", "=", email);
}

/** Those of the accounts that the first start on this machine has made. */
export function selectAtFirstStart(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("accounts").select("id").where("id", "in", accountIds).where("at_first_start", "=", 1);
}

export function selectAccounts(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("accounts")
    .select(accountColumns)
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

export function selectActiveOperators(db: Db, page: { limit: number }) {
  return db
    .selectFrom("accounts")
    .select(["id", "email"])
    .where("operator", "=", 1)
    .where("status", "=", "active")
    .orderBy("id")
    .limit(page.limit);
}

/**
 * The account if it is mailed at all: not closed, not a demo, and its address is verified. Inside a transaction the row is
 * locked, so that it is not closed meanwhile.
 */
export function selectMailed(db: Db, account: { accountId: string; isLocked: boolean }) {
  return db
    .selectFrom("accounts")
    .select(["id", "email", "operator"])
    .where("id", "=", account.accountId)
    .where("status", "!=", "closed")
    .where("verified_at", "is not", null)
    .where("demo", "=", 0)
    .$if(account.isLocked && locksRows(db), (query) => query.forShare());
}

/** Undefined for a closed account. The row is locked, so that what is written for it is not written after its erasure. */
export function lockOpenAccount(db: Db, accountId: string) {
  return db
    .selectFrom("accounts")
    .select(["id", "operator"])
    .where("id", "=", accountId)
    .where("status", "!=", "closed")
    .$if(locksRows(db), (query) => query.forShare());
}

/** What counts its own rows and adds one waits here for others that do, and for a change of the account. */
export function lockAccount(db: Db, accountId: string) {
  return db
    .selectFrom("accounts")
    .select(["id", "status", "verified_at"])
    .where("id", "=", accountId)
    .$if(locksRows(db), (query) => query.forNoKeyUpdate());
}

/** Those who run the installation, if they are mailed at all. */
export function selectMailedOperators(db: Db, page: { limit: number; isLocked: boolean }) {
  return db
    .selectFrom("accounts")
    .select(["id", "email", "operator"])
    .where("operator", "=", 1)
    .where("status", "=", "active")
    .where("verified_at", "is not", null)
    .where("demo", "=", 0)
    .orderBy("id")
    .limit(page.limit)
    .$if(page.isLocked && locksRows(db), (query) => query.forShare());
}

/** Always in the same order, so that two transactions cannot wait for each other. */
export function lockActiveOperators(db: Db) {
  return db
    .selectFrom("accounts")
    .select("id")
    .where("operator", "=", 1)
    .where("status", "=", "active")
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forNoKeyUpdate());
}

export function clearOperator(db: Db, accountId: string) {
  return db.updateTable("accounts").set({ operator: 0 }).where("id", "=", accountId).where("operator", "=", 1);
}

export function countAccounts(db: Db) {
  return db.selectFrom("accounts").select((eb) => eb.fn.countAll<number>().as("count"));
}

/** When the first real account was made; null where there is none. */
export function selectFirstAccount(db: Db) {
  return db.selectFrom("accounts").select((eb) => eb.fn.min("created_at").as("created_at")).where("demo", "=", 0);
}

export function setAccountTier(db: Db, change: { accountId: string; tier: string }) {
  return db.updateTable("accounts").set({ tier: change.tier }).where("id", "=", change.accountId);
}

/** Compare-and-set: a closed account stays closed. */
export function moveAccountStatus(db: Db, change: { accountId: string; from: AccountStatus; to: AccountStatus }) {
  return db
    .updateTable("accounts")
    .set({ status: change.to })
    .where("id", "=", change.accountId)
    .where("status", "=", change.from);
}

export function setPasswordHash(db: Db, change: { accountId: string; passwordHash: string }) {
  return db
    .updateTable("accounts")
    .set({ password_hash: change.passwordHash })
    .where("id", "=", change.accountId);
}

/** Sign-ins that began before are refused. Waits for those that are being opened. */
export function raiseSignInEpoch(db: Db, accountId: string) {
  return db
    .updateTable("accounts")
    .set((eb) => ({ sign_in_epoch: eb("sign_in_epoch", "+", 1) }))
    .where("id", "=", accountId);
}

/** A guard that changes nothing: it counts a row if the epoch is still this one, and keeps it so until the write is over. */
export function holdSignInEpoch(db: Db, { accountId, epoch }: { accountId: string; epoch: number }) {
  return db.updateTable("accounts").set({ sign_in_epoch: epoch }).where("id", "=", accountId).where("sign_in_epoch", "=", epoch);
}

/** As the account was created. */
export function resetSettings(db: Db, accountId: string) {
  return db
    .updateTable("accounts")
    .set({ house_ads: 1, session_retention_days: null, model_version: null, calibration_version: null })
    .where("id", "=", accountId);
}

/** An address is verified once. A closed account has no address, so it never matches. */
export function setVerified(db: Db, change: { accountId: string; email: string; nowMs: number }) {
  return db
    .updateTable("accounts")
    .set({ verified_at: change.nowMs })
    .where("id", "=", change.accountId)
    .where("email", "=", change.email)
    .where("verified_at", "is", null);
}

/** Only if the address is still the one from when the change was requested. */
export function setEmail(db: Db, change: { accountId: string; from: string; to: string; nowMs: number }) {
  return db
    .updateTable("accounts")
    .set({ email: change.to, verified_at: change.nowMs })
    .where("id", "=", change.accountId)
    .where("email", "=", change.from);
}

/** Cannot be undone: a demo account stays outside all totals, and is paid with demo money only. */
export function markDemo(db: Db, accountId: string) {
  return db.updateTable("accounts").set({ demo: 1 }).where("id", "=", accountId);
}

export function selectOwnAccount(db: Db, accountId: string) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("tiers as t", "t.name", "a.tier")
    .select([
      "a.id",
      "a.email",
      "a.tier",
      "a.status",
      "a.verified_at",
      "a.operator",
      "a.demo",
      "a.created_at",
      "a.house_ads",
      "a.session_retention_days",
      "a.model_version",
      "t.per_hour",
      "t.per_minute",
    ])
    .where("a.id", "=", accountId);
}

export function setHouseAds(db: Db, change: { accountId: string; houseAds: boolean }) {
  return db.updateTable("accounts").set({ house_ads: Number(change.houseAds) }).where("id", "=", change.accountId);
}

export function setSessionRetention(db: Db, change: { accountId: string; days: number | null }) {
  return db.updateTable("accounts").set({ session_retention_days: change.days }).where("id", "=", change.accountId);
}

export function setPinnedModel(db: Db, change: { accountId: string; version: string | null }) {
  return db.updateTable("accounts").set({ model_version: change.version }).where("id", "=", change.accountId);
}

export function countPinnedModels(db: Db) {
  return db
    .selectFrom("accounts")
    .select((eb) => ["model_version", eb.fn.countAll<number>().as("count")])
    .where("model_version", "is not", null)
    .where("status", "!=", "closed")
    .groupBy("model_version")
    .$narrowType<{ model_version: string }>();
}

/** Pages of accounts with what decides which model scores them. */
export function selectModelChoosers(db: Db, page: { afterId: string; limit: number }) {
  return db.selectFrom("accounts").select(["id", "status", "demo", "created_at", "model_version"]).where("id", ">", page.afterId).orderBy("id").limit(page.limit);
}

export function selectShorterRetentions(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("accounts")
    .select(["id", "session_retention_days"])
    .where("session_retention_days", "is not", null)
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

export function selectEmails(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("accounts").select(["id", "email"]).where("id", "in", accountIds);
}

/** Those of the accounts that are demo accounts. */
export function selectDemoIds(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("accounts").select("id").where("id", "in", accountIds).where("demo", "=", 1);
}

/** A closed account runs nothing. */
export function closeAccountStatus(db: Db, accountId: string) {
  return db.updateTable("accounts").set({ status: "closed", operator: 0 }).where("id", "=", accountId);
}

/** Only the id remains. `closed:…` is not a valid address, so nobody can sign up with it. */
export function eraseAccountRow(db: Db, accountId: string) {
  return db
    .updateTable("accounts")
    .set({ email: `closed:${accountId}`, password_hash: null, verified_at: null, operator: 0 })
    .where("id", "=", accountId);
}
