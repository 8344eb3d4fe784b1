import { type ExpressionBuilder, sql } from "kysely";
import { msPerDay } from "../../formats/time.ts";
import type { CallDayRow, CallReversalRow, ReversedCallRow } from "../../store/schema-integrity.ts";
import type { Db, Schema } from "../../store/schema.ts";
import type { Pool } from "../ledger/pools.ts";

const dayColumns = [
  "account_id",
  "day",
  "state",
  "calls",
  "gross_micro",
  "developer_micro",
  "reversed_calls",
  "reversed_gross_micro",
  "reversed_developer_micro",
  "reversals",
  "settled_at",
] as const;

const reversalColumns = ["ref", "ledger_seq", "day", "share_bps", "calls", "gross_micro", "developer_micro", "reason", "at"] as const;

/** Without a row nothing is settled yet. */
export function selectSettlement(db: Db, accountId: string) {
  return db.selectFrom("call_settlements").select("confirmed_to").where("account_id", "=", accountId);
}

/** Settlement never goes back. The caller has locked the account's chain. */
export function moveSettlement(db: Db, settlement: { accountId: string; confirmedToMs: number }) {
  const { accountId, confirmedToMs } = settlement;
  return db
    .insertInto("call_settlements")
    .values({ account_id: accountId, confirmed_to: confirmedToMs })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ confirmed_to: confirmedToMs }).where("call_settlements.confirmed_to", "<", confirmedToMs));
}

/** Accounts that made calls in days before `toMs` that are not settled; by id. */
export function selectAccountsToSettle(db: Db, page: { toMs: number; afterId: string; limit: number }) {
  const confirmedTo = sql<number>`coalesce(s.confirmed_to, 0)`;
  return db
    .selectFrom("ledger_heads as h")
    .leftJoin("call_settlements as s", "s.account_id", "h.account_id")
    .select("h.account_id")
    .where("h.account_id", ">", page.afterId)
    // Nearly all accounts are passed over without a look at their calls.
    .where(confirmedTo, "<", page.toMs)
    .whereRef("h.at", ">=", confirmedTo)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("usage_rollups as u")
          .select(sql<number>`1`.as("one"))
          .whereRef("u.account_id", "=", "h.account_id")
          .whereRef("u.hour", ">=", confirmedTo)
          .where("u.hour", "<", page.toMs),
      ),
    )
    .orderBy("h.account_id")
    .limit(page.limit);
}

/** What calls of days that are not settled earned, and what was reversed of those, of one account or of all accounts of the pool. */
export function sumPendingCalls(db: Db, whose: Pool | { accountId: string }) {
  const unsettledFrom = sql<number>`coalesce(s.confirmed_to, 0)`;
  const accounts = () => {
    const all = db.selectFrom("accounts as a").leftJoin("call_settlements as s", "s.account_id", "a.id");
    return "demo" in whose ? all.where("a.demo", "=", Number(whose.demo)) : all.where("a.id", "=", whose.accountId);
  };
  const calls = accounts()
    .innerJoin("usage_rollups as u", (join) => join.onRef("u.account_id", "=", "a.id").on("u.hour", ">=", unsettledFrom).on("u.payer", "=", "platform"))
    .select(sql<number>`coalesce(sum(u.developer_micro), 0)`.as("sum"));
  const reversed = accounts()
    .innerJoin("call_days as d", (join) => join.onRef("d.account_id", "=", "a.id").on("d.day", ">=", unsettledFrom))
    .select(sql<number>`coalesce(sum(d.reversed_developer_micro), 0)`.as("sum"));
  return db.selectNoFrom([calls.as("developer_micro"), reversed.as("reversed_micro")]).$narrowType<{ developer_micro: number; reversed_micro: number }>();
}

/** In order of days; `toMs` is excluded. */
export function selectCallDays(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("call_days")
    .select(dayColumns)
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs)
    .orderBy("day");
}

/** A day that is settled stays as it is. The caller has locked the account's chain. */
export function putCallDay(db: Db, row: CallDayRow) {
  const { account_id: _accountId, day: _day, ...rest } = row;
  return db
    .insertInto("call_days")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "day"]).doUpdateSet(rest).where("call_days.settled_at", "is", null));
}

/** What waited of a settled day was reversed. The caller has locked the account's chain. */
export function changeSettledDay(db: Db, row: CallDayRow) {
  return db
    .updateTable("call_days")
    .set({
      reversed_calls: row.reversed_calls,
      reversed_gross_micro: row.reversed_gross_micro,
      reversed_developer_micro: row.reversed_developer_micro,
      reversals: row.reversals,
    })
    .where("account_id", "=", row.account_id)
    .where("day", "=", row.day)
    .where("settled_at", "is not", null);
}

export function insertCallReversals(db: Db, rows: readonly CallReversalRow[]) {
  return db.insertInto("call_reversals").values(rows);
}

/** What was reversed of one day, by share. */
export function sumReversalsOfDay(db: Db, place: { accountId: string; day: number }) {
  return db
    .selectFrom("call_reversals")
    .select([
      "share_bps",
      sql<number>`sum(calls)`.as("calls"),
      sql<number>`sum(gross_micro)`.as("gross_micro"),
      sql<number>`sum(developer_micro)`.as("developer_micro"),
    ])
    .where("account_id", "=", place.accountId)
    .where("day", "=", place.day)
    .groupBy("share_bps");
}

/** What reversals before a time took back of days in a span; `toMs` is excluded. */
export function sumReversalsByDay(db: Db, span: { accountId: string; fromMs: number; toMs: number; beforeMs: number }) {
  return db
    .selectFrom("call_reversals")
    .select(["day", sql<number>`sum(developer_micro)`.as("developer_micro")])
    .where("account_id", "=", span.accountId)
    .where("day", ">=", span.fromMs)
    .where("day", "<", span.toMs)
    .where("at", "<", span.beforeMs)
    .groupBy("day");
}

/** In the order of their entries. */
export function selectReversalsIn(db: Db, range: { accountId: string; fromSeq: number; toSeq: number; limit: number }) {
  return db
    .selectFrom("call_reversals")
    .select(reversalColumns)
    .where("account_id", "=", range.accountId)
    .where("ledger_seq", ">=", range.fromSeq)
    .where("ledger_seq", "<=", range.toSeq)
    .orderBy("ledger_seq")
    .limit(range.limit);
}

/** Of days from `fromMs` on, in the order of their entries. */
export function selectReversalsOfDays(db: Db, place: { accountId: string; fromMs: number }) {
  return db
    .selectFrom("call_reversals")
    .select(reversalColumns)
    .where("account_id", "=", place.accountId)
    .where("day", ">=", place.fromMs)
    .orderBy("ledger_seq");
}

/** A call is reversed at most once: the key refuses a second row. */
export function insertReversedCalls(db: Db, rows: readonly ReversedCallRow[]) {
  return db.insertInto("reversed_calls").values(rows);
}

export function selectReversedCalls(db: Db, some: { accountId: string; sessionIds: readonly string[] }) {
  return db
    .selectFrom("reversed_calls")
    .select("session_id")
    .where("account_id", "=", some.accountId)
    .where("session_id", "in", some.sessionIds);
}

/** Where the calls of sessions are in the chain. Kept evidence answers for records that retention has removed. */
export function selectSeqsOfSessions(db: Db, some: { accountId: string; sessionIds: readonly string[] }) {
  return db
    .selectFrom("session_records")
    .select("ledger_seq as seq")
    .where("account_id", "=", some.accountId)
    .where("id", "in", some.sessionIds)
    .where("ledger_seq", "is not", null)
    .union(
      db.selectFrom("evidence_sessions").select("ledger_seq as seq").where("account_id", "=", some.accountId).where("id", "in", some.sessionIds),
    )
    .$narrowType<{ seq: number }>();
}

const signalColumns = ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"] as const;

/** What these sessions sent, in the order of a vector's signals. Kept evidence answers for records that retention has removed. */
export function selectSignalsOfSessions(db: Db, some: { accountId: string; sessionIds: readonly string[] }) {
  const columns = ["id", "attested", ...signalColumns] as const;
  return db
    .selectFrom("session_records")
    .select(columns)
    .where("account_id", "=", some.accountId)
    .where("id", "in", some.sessionIds)
    .union(db.selectFrom("evidence_sessions").select(columns).where("account_id", "=", some.accountId).where("id", "in", some.sessionIds));
}

/** Calls of asserted sessions with exactly these signals, in a range of ids without `toId`, that are not reversed by name: the oldest first. */
export function selectSeqsOfVector(db: Db, of: { accountId: string; fromId: string; toId: string; vector: readonly (number | null)[]; limit: number }) {
  const isSame = (eb: ExpressionBuilder<Schema, "session_records"> | ExpressionBuilder<Schema, "evidence_sessions">) => {
    const some = eb as ExpressionBuilder<Schema, "session_records">;
    return some.and([
      some("account_id", "=", of.accountId),
      some("id", ">=", of.fromId),
      some("id", "<", of.toId),
      some("ledger_seq", "is not", null),
      some.or([some("attested", "is", null), some("attested", "=", 0)]),
      ...signalColumns.map((column, index) => {
        const value = of.vector[index] ?? null;
        return value === null ? some(column, "is", null) : some(column, "=", value);
      }),
    ]);
  };
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom("session_records")
        .select(["id", "ledger_seq as seq"])
        .where((records) => isSame(records))
        .union(eb.selectFrom("evidence_sessions").select(["id", "ledger_seq as seq"]).where((kept) => isSame(kept)))
        .as("s"),
    )
    .select("s.seq")
    .where((eb) => eb.not(eb.exists(eb.selectFrom("reversed_calls as r").select("r.ref").where("r.account_id", "=", of.accountId).whereRef("r.session_id", "=", "s.id"))))
    .orderBy("s.id")
    .limit(of.limit)
    .$narrowType<{ seq: number }>();
}

/** All that decides what became of one call. */
export function selectSettlementOfCall(db: Db, call: { accountId: string; sessionId: string; wholeDayRef: string }) {
  const count = sql<number>`count(*)`.as("count");
  const { accountId, sessionId, wholeDayRef } = call;
  return db.selectNoFrom([
    db.selectFrom("call_settlements").select("confirmed_to").where("account_id", "=", accountId).as("confirmed_to"),
    db.selectFrom("reversed_calls").select(count).where("account_id", "=", accountId).where("session_id", "=", sessionId).as("reversed_alone"),
    db.selectFrom("call_reversals").select(count).where("account_id", "=", accountId).where("ref", "=", wholeDayRef).as("reversed_with_day"),
  ]);
}

/** The newest days with calls that the platform pays, newest first. */
export function selectNewestDays(db: Db, page: { accountId: string; limit: number }) {
  const day = sql<number>`hour - hour % ${sql.lit(msPerDay)}`;
  return db
    .selectFrom("usage_rollups")
    .select([day.as("day"), sql<number>`sum(calls)`.as("calls"), sql<number>`sum(developer_micro)`.as("developer_micro")])
    .where("account_id", "=", page.accountId)
    .where("payer", "=", "platform")
    .groupBy(day)
    .orderBy(day, "desc")
    .limit(page.limit);
}
