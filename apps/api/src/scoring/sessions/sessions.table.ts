import { signalNames } from "@assay/scoring/signals.ts";
import { sql } from "kysely";
import type { Db, Mode } from "../../store/schema.ts";
import { recordColumns } from "./session-list.table.ts";

type SessionKey = { accountId: string; sessionId: string };

/** One session with what its call earned and its last outcome. */
export function selectSession(db: Db, session: SessionKey) {
  return db
    .selectFrom("session_records as r")
    .leftJoin("ledger_entries as e", (join) =>
      join.onRef("e.account_id", "=", "r.account_id").onRef("e.seq", "=", "r.ledger_seq"),
    )
    .select((eb) => [
      ...recordColumns,
      "r.model_version",
      "r.processing_time_ms",
      "e.developer_micro",
      "e.at as billed_at",
      "e.payer",
      eb
        .selectFrom("session_outcomes as o")
        .select("o.outcome")
        .whereRef("o.account_id", "=", "r.account_id")
        .whereRef("o.session_id", "=", "r.id")
        .orderBy("o.seq", "desc")
        .limit(1)
        .as("outcome"),
    ])
    .where("r.account_id", "=", session.accountId)
    .where("r.id", "=", session.sessionId);
}

/** Appends an outcome; no row for an unknown session. */
export function insertOutcome(db: Db, report: SessionKey & { outcome: string; nowMs: number }) {
  return db
    .insertInto("session_outcomes")
    .columns(["account_id", "session_id", "seq", "mode", "outcome", "service_score", "at"])
    .expression((eb) =>
      eb
        .selectFrom("session_records as r")
        .select((row) => [
          "r.account_id",
          "r.id",
          row
            .selectFrom("session_outcomes as o")
            .select(sql<number>`coalesce(max(o.seq), 0) + 1`.as("next"))
            .whereRef("o.account_id", "=", "r.account_id")
            .whereRef("o.session_id", "=", "r.id")
            .as("seq"),
          "r.mode",
          sql<string>`cast(${report.outcome} as text)`.as("outcome"),
          "r.service_score",
          sql<number>`cast(${report.nowMs} as bigint)`.as("at"),
        ])
        .where("r.account_id", "=", report.accountId)
        .where("r.id", "=", report.sessionId),
    )
    .returning("at");
}

/** Of sessions that have a record. The newest first; `before` is the last row of the previous page. */
export function selectLatestOutcomes(
  db: Db,
  page: {
    accountId: string;
    mode: Mode;
    limit: number;
    before: { at: number; session_id: string; seq: number } | undefined;
    fromMs?: number | undefined;
    toMs?: number | undefined;
  },
) {
  const { before, fromMs, toMs } = page;
  return db
    .selectFrom("session_outcomes as o")
    .innerJoin("session_records as r", (join) => join.onRef("r.account_id", "=", "o.account_id").onRef("r.id", "=", "o.session_id"))
    .select(["o.session_id", "o.seq", "o.outcome", "o.service_score", "o.at", "r.calibration", ...signalNames.map((name) => `r.${name}` as const)])
    .where("o.account_id", "=", page.accountId)
    .where("o.mode", "=", page.mode)
    .$if(fromMs !== undefined, (query) => query.where("o.at", ">=", fromMs!))
    .$if(toMs !== undefined, (query) => query.where("o.at", "<", toMs!))
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("o.at", "o.session_id", "o.seq"), "<", eb.tuple(before!.at, before!.session_id, before!.seq)),
      ),
    )
    .orderBy("o.at", "desc")
    .orderBy("o.session_id", "desc")
    .orderBy("o.seq", "desc")
    .limit(page.limit);
}

/** Accounts that reported an outcome since a time. */
export function selectAccountsWithOutcomes(db: Db, page: { afterId: string; fromMs: number; limit: number }) {
  return db
    .selectFrom("accounts as a")
    .select("a.id as account_id")
    .where("a.id", ">", page.afterId)
    .where("a.status", "=", "active")
    .where("a.demo", "=", 0)
    .where((eb) =>
      eb.exists(eb.selectFrom("session_outcomes as o").select("o.seq").whereRef("o.account_id", "=", "a.id").where("o.mode", "=", "live").where("o.at", ">=", page.fromMs)),
    )
    .orderBy("a.id")
    .limit(page.limit);
}

export function selectLatestSession(db: Db, accountId: string) {
  return db
    .selectFrom("session_records")
    .select(["id", "at", "mode", "service_score"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(1);
}

export function selectAnyOutcome(db: Db, accountId: string) {
  return db.selectFrom("session_outcomes").select("seq").where("account_id", "=", accountId).limit(1);
}

type OldSessions = { accountId: string; beforeId: string; limit: number };

export function deleteSessionsOfAccount(db: Db, old: OldSessions) {
  return db.deleteFrom("session_records").where("account_id", "=", old.accountId).where("id", "in", (eb) =>
    eb
      .selectFrom("session_records as r")
      .select("r.id")
      .where("r.account_id", "=", old.accountId)
      .where("r.id", "<", old.beforeId)
      .orderBy("r.id")
      .limit(old.limit),
  );
}

/** Only of sessions whose records are deleted: a trigger refuses any other. */
export function deleteOutcomesOfAccount(db: Db, old: OldSessions) {
  return db
    .deleteFrom("session_outcomes")
    .where("account_id", "=", old.accountId)
    .where((eb) =>
      eb(
        eb.refTuple("session_id", "seq"),
        "in",
        eb
          .selectFrom("session_outcomes as o")
          .select(["o.session_id", "o.seq"])
          .where("o.account_id", "=", old.accountId)
          .where("o.session_id", "<", old.beforeId)
          .orderBy("o.session_id")
          .limit(old.limit)
          .$asTuple("session_id", "seq"),
      ),
    );
}

/** Ids are ordered by time, so an id is a point in time; each account's oldest records are read first. */
export function deleteRecordsBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_records")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "id"),
        "in",
        eb
          .selectFrom("session_records as r")
          .innerJoin("accounts as a", "a.id", "r.account_id")
          .select(["r.account_id", "r.id"])
          .where("r.id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "id"),
      ),
    );
}

/** Only of sessions whose records are deleted: a trigger refuses any other. */
export function deleteOutcomesBefore(db: Db, old: { id: string; limit: number }) {
  return db
    .deleteFrom("session_outcomes")
    .where((eb) =>
      eb(
        eb.refTuple("account_id", "session_id", "seq"),
        "in",
        eb
          .selectFrom("session_outcomes as o")
          .innerJoin("accounts as a", "a.id", "o.account_id")
          .select(["o.account_id", "o.session_id", "o.seq"])
          .where("o.session_id", "<", old.id)
          .limit(old.limit)
          .$asTuple("account_id", "session_id", "seq"),
      ),
    );
}

/** Verifies the trust of an ad request. */
export function selectSessionScore(db: Db, session: SessionKey) {
  return db
    .selectFrom("session_records")
    .select(["service_score", "at", "mode", "attested", ...signalNames])
    .where("account_id", "=", session.accountId)
    .where("id", "=", session.sessionId);
}

type SessionSpan = { accountId: string; afterId: string; toId: string };

/** Live sessions with what they were scored from, the oldest first; `toId` is excluded. */
export function selectScoredSessions(db: Db, page: SessionSpan & { limit: number }) {
  return db
    .selectFrom("session_records")
    .select(["id", "at", ...signalNames, "service_score"])
    .where("account_id", "=", page.accountId)
    .where("id", ">", page.afterId)
    .where("id", "<", page.toId)
    .where("mode", "=", "live")
    .orderBy("id")
    .limit(page.limit);
}

/** A row if there are more than `count` such sessions. */
export function selectSessionBeyond(db: Db, span: SessionSpan & { count: number }) {
  return db
    .selectFrom("session_records")
    .select("id")
    .where("account_id", "=", span.accountId)
    .where("id", ">", span.afterId)
    .where("id", "<", span.toId)
    .where("mode", "=", "live")
    .orderBy("id")
    .limit(1)
    .offset(span.count);
}

/** The newest first; `toId` is excluded. Both modes, so that the page size equals the rows read. */
export function selectLatestSessions(db: Db, page: { accountId: string; fromId: string; toId: string; limit: number }) {
  return db
    .selectFrom("session_records")
    .select(["id", "mode", "at", ...signalNames, "service_score", "model_version", "calibration"])
    .where("account_id", "=", page.accountId)
    .where("id", ">=", page.fromId)
    .where("id", "<", page.toId)
    .orderBy("id", "desc")
    .limit(page.limit);
}
