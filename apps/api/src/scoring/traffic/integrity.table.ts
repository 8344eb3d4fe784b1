import { sql } from "kysely";
import { msPerDay } from "../../formats/time.ts";
import type { IntegrityMarkRow } from "../../store/schema-integrity.ts";
import type { Db } from "../../store/schema.ts";

/** Accounts with calls of a day that the platform pays for and that a check has not seen yet, in id order. */
export function selectAccountsToWatch(db: Db, page: { day: number; check: string; afterId: string; limit: number }) {
  const { day, check } = page;
  return db
    .selectFrom("ledger_heads as h")
    .select("h.account_id")
    .where("h.account_id", ">", page.afterId)
    .where("h.at", ">=", day)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("usage_rollups as u")
          .select(sql<number>`1`.as("one"))
          .whereRef("u.account_id", "=", "h.account_id")
          .where("u.hour", ">=", day)
          .where("u.hour", "<", day + msPerDay)
          .where("u.payer", "=", "platform"),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("integrity_evidence as e")
            .select(sql<number>`1`.as("one"))
            .whereRef("e.account_id", "=", "h.account_id")
            .where("e.check_name", "=", check)
            .where("e.day", "=", day),
        ),
      ),
    )
    .orderBy("h.account_id")
    .limit(page.limit);
}

/** The oldest day with unsettled calls that the platform pays and that one of the checks has not seen. Reads all rollups: once per installation. */
export function selectFirstUncheckedDay(db: Db, checks: readonly string[]) {
  const day = sql<number>`u.hour - u.hour % ${msPerDay}`;
  return db
    .selectFrom("usage_rollups as u")
    .leftJoin("call_settlements as s", "s.account_id", "u.account_id")
    .select((eb) => eb.fn.min(day).as("day"))
    .where("u.payer", "=", "platform")
    .where("u.hour", ">=", sql<number>`coalesce(s.confirmed_to, 0)`)
    .where((eb) =>
      eb(
        eb
          .selectFrom("integrity_evidence as e")
          .select(sql<number>`count(*)`.as("count"))
          .whereRef("e.account_id", "=", "u.account_id")
          .where("e.check_name", "in", checks)
          .where("e.day", "=", day),
        "<",
        checks.length,
      ),
    );
}

/** The first session of a mark stays. */
export function insertMarks(db: Db, rows: readonly IntegrityMarkRow[]) {
  return db
    .insertInto("integrity_marks")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["mark", "account_id"]).doNothing());
}

/** An account's new marks of a day. */
export function countMarks(db: Db, place: { accountId: string; day: number }) {
  return db
    .selectFrom("integrity_marks")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("day", "=", place.day)
    .where("account_id", "=", place.accountId);
}

/** Those that another account had sent before. Ids of sessions are in chronological order. */
export function selectSharedMarks(db: Db, place: { accountId: string; day: number }) {
  return db
    .selectFrom("integrity_marks as m")
    .select(["m.mark", "m.session_id"])
    .where("m.day", "=", place.day)
    .where("m.account_id", "=", place.accountId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("integrity_marks as o")
          .select(sql<number>`1`.as("one"))
          .whereRef("o.mark", "=", "m.mark")
          .whereRef("o.account_id", "<>", "m.account_id")
          .whereRef("o.session_id", "<", "m.session_id"),
      ),
    )
    .orderBy("m.session_id");
}

export function deleteMarksBefore(db: Db, old: { day: number; limit: number }) {
  return db
    .deleteFrom("integrity_marks")
    .where((eb) =>
      eb(
        eb.refTuple("mark", "account_id"),
        "in",
        eb.selectFrom("integrity_marks as m").select(["m.mark", "m.account_id"]).where("m.day", "<", old.day).limit(old.limit).$asTuple("mark", "account_id"),
      ),
    );
}
