import { sql } from "kysely";
import type { CorrectionRow, Db, InstallationDate } from "../../store/schema.ts";
import type { Pool } from "../ledger/pools.ts";

const correctionColumns = ["account_id", "ref", "kind", "payer", "amount_micro", "reason", "actor_account_id", "at", "ledger_seq"] as const;

export function insertCorrections(db: Db, rows: readonly CorrectionRow[]) {
  return db.insertInto("corrections").values(rows);
}

/** Newest first. */
export function selectCorrections(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("corrections")
    .select(correctionColumns)
    .where("account_id", "=", page.accountId)
    .orderBy("ledger_seq", "desc")
    .limit(page.limit);
}

/** In the order of their entries. */
export function selectCorrectionsIn(db: Db, range: { accountId: string; fromSeq: number; toSeq: number; limit: number }) {
  return db
    .selectFrom("corrections")
    .select(correctionColumns)
    .where("account_id", "=", range.accountId)
    .where("ledger_seq", ">=", range.fromSeq)
    .where("ledger_seq", "<=", range.toSeq)
    .orderBy("ledger_seq")
    .limit(range.limit);
}

/** What was taken from prepaid money, such as refunds of deposits, over all accounts of the pool; 0 or less. */
export function sumRefunds(db: Db, pool: Pool) {
  return db
    .selectFrom("corrections as c")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .select(sql<number>`coalesce(sum(c.amount_micro), 0)`.as("amount_micro"))
    .where("c.payer", "=", "developer")
    .where("c.amount_micro", "<", 0)
    .where("a.demo", "=", Number(pool.demo));
}

/** The first one to set a date decides. */
export function insertDate(db: Db, date: { name: InstallationDate; at: number }) {
  return db.insertInto("installation_dates").values(date).onConflict((conflict) => conflict.column("name").doNothing());
}

/** The versions of the model that this installation has scored with, the latest first. */
export function selectModelDates(db: Db) {
  return db.selectFrom("installation_dates").select(["name", "at"]).where("name", "like", "model:%").orderBy("at", "desc");
}

/** Never back. */
export function moveDate(db: Db, date: { name: InstallationDate; at: number }) {
  return db
    .insertInto("installation_dates")
    .values(date)
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ at: date.at }).where("installation_dates.at", "<", date.at));
}

export function selectDate(db: Db, name: InstallationDate) {
  return db.selectFrom("installation_dates").select("at").where("name", "=", name);
}
