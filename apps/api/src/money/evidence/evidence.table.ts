import type { IntegrityEvidenceRow, IntegrityNoticeRow } from "../../store/schema-integrity.ts";
import type { Db } from "../../store/schema.ts";

const evidenceColumns = ["check_name", "day", "tested", "hits", "detail", "log_factor", "ordinal", "log_started", "log_evidence", "at"] as const;

/** A day's factor of a check is computed once: a second insert changes nothing. */
export function insertEvidence(db: Db, rows: readonly IntegrityEvidenceRow[]) {
  return db
    .insertInto("integrity_evidence")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["account_id", "check_name", "day"]).doNothing());
}

/** The last day of each of an account's checks. */
export function selectLatestEvidence(db: Db, accountId: string) {
  return db
    .selectFrom("integrity_evidence as e")
    .select(["e.check_name", "e.day", "e.log_factor", "e.ordinal", "e.log_started", "e.log_evidence", "e.at"])
    .where("e.account_id", "=", accountId)
    .where("e.day", "=", (eb) =>
      eb
        .selectFrom("integrity_evidence as l")
        .select((last) => last.fn.max("l.day").as("day"))
        .where("l.account_id", "=", accountId)
        .whereRef("l.check_name", "=", "e.check_name"),
    );
}

/** The newest first. */
export function selectEvidenceOfCheck(db: Db, page: { accountId: string; check: string; limit: number }) {
  return db
    .selectFrom("integrity_evidence")
    .select(evidenceColumns)
    .where("account_id", "=", page.accountId)
    .where("check_name", "=", page.check)
    .orderBy("day", "desc")
    .limit(page.limit);
}

/** All checks of an account from a day on, in order of days. */
export function selectEvidenceFrom(db: Db, span: { accountId: string; fromDay: number }) {
  return db
    .selectFrom("integrity_evidence")
    .select(evidenceColumns)
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromDay)
    .orderBy("day")
    .orderBy("check_name");
}

export function deleteEvidenceBefore(db: Db, old: { day: number; limit: number }) {
  return db
    .deleteFrom("integrity_evidence")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "check_name", "day"),
        "in",
        eb
          .selectFrom("integrity_evidence as e")
          .innerJoin("accounts as a", "a.id", "e.account_id")
          .select(["e.account_id", "e.check_name", "e.day"])
          .where("e.day", "<", old.day)
          .limit(old.limit)
          .$asTuple("account_id", "check_name", "day"),
      ),
    );
}

export function selectAccountsWithEvidence(db: Db, place: { check: string; day: number }) {
  return db.selectFrom("integrity_evidence").select("account_id").where("check_name", "=", place.check).where("day", "=", place.day);
}

/** A notice of the same code and day says the same. */
export function insertNotices(db: Db, rows: readonly IntegrityNoticeRow[]) {
  return db
    .insertInto("integrity_notices")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["account_id", "code", "day"]).doNothing());
}

/** The newest first. */
export function selectNotices(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("integrity_notices")
    .select(["day", "code", "statistic", "message"])
    .where("account_id", "=", page.accountId)
    .orderBy("day", "desc")
    .orderBy("code")
    .limit(page.limit);
}

export function deleteNoticesBefore(db: Db, old: { day: number; limit: number }) {
  return db
    .deleteFrom("integrity_notices")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "code", "day"),
        "in",
        eb
          .selectFrom("integrity_notices as n")
          .innerJoin("accounts as a", "a.id", "n.account_id")
          .select(["n.account_id", "n.code", "n.day"])
          .where("n.day", "<", old.day)
          .limit(old.limit)
          .$asTuple("account_id", "code", "day"),
      ),
    );
}
