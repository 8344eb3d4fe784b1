import type { Db, SessionHourRow } from "../../store/schema.ts";

export function selectHours(db: Db, page: { accountId: string; fromMs: number; toMs: number; limit: number }) {
  return db
    .selectFrom("session_hours")
    .select(["hour", "summary"])
    .where("account_id", "=", page.accountId)
    .where("hour", ">=", page.fromMs)
    .where("hour", "<", page.toMs)
    .orderBy("hour")
    .limit(page.limit);
}

export function selectSomeHours(db: Db, some: { accountId: string; hours: readonly number[] }) {
  return db.selectFrom("session_hours").select(["hour", "summary"]).where("account_id", "=", some.accountId).where("hour", "in", some.hours);
}

/** A concurrent insert changes nothing: both counted the same sessions. */
export function insertHours(db: Db, hours: SessionHourRow[]) {
  return db
    .insertInto("session_hours")
    .values(hours)
    .onConflict((conflict) => conflict.columns(["account_id", "hour"]).doNothing());
}

/** Hours in which the account had billed calls and that have no summary yet. */
export function selectHoursToSum(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("usage_rollups as u")
    .leftJoin("session_hours as h", (join) => join.onRef("h.account_id", "=", "u.account_id").onRef("h.hour", "=", "u.hour"))
    .select("u.hour")
    .distinct()
    .where("u.account_id", "=", span.accountId)
    .where("u.hour", ">=", span.fromMs)
    .where("u.hour", "<", span.toMs)
    .where("h.hour", "is", null)
    .orderBy("u.hour");
}

export function deleteHoursBefore(db: Db, old: { hourMs: number; limit: number }) {
  return db
    .deleteFrom("session_hours")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "hour"),
        "in",
        eb
          .selectFrom("session_hours as h")
          .innerJoin("accounts as a", "a.id", "h.account_id")
          .select(["h.account_id", "h.hour"])
          .where("h.hour", "<", old.hourMs)
          .limit(old.limit)
          .$asTuple("account_id", "hour"),
      ),
    );
}
