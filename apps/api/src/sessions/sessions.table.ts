import { type Kysely, sql } from "kysely";
import type { Mode, Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;
type SessionKey = { accountId: string; sessionId: string };

/** One session with what its call earned and the last outcome that was reported. */
export function selectSession(db: Db, session: SessionKey) {
  return db
    .selectFrom("session_records as r")
    .leftJoin("ledger_entries as e", (join) =>
      join.onRef("e.account_id", "=", "r.account_id").onRef("e.seq", "=", "r.ledger_seq"),
    )
    .select((eb) => [
      "r.id",
      "r.mode",
      "r.endpoint",
      "r.at",
      "r.user_engagement",
      "r.session_duration",
      "r.scroll_depth",
      "r.interaction_count",
      "r.page_views",
      "r.return_visitor",
      "r.service_score",
      "r.confidence",
      "r.recommendation",
      "r.model_version",
      "r.processing_time_ms",
      "e.developer_micro",
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

/** Adds an outcome behind those that the session has; no row for a session that is not there. */
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

/** The latest outcomes of an account, the newest first; `before` is the last row of the page before. */
export function selectLatestOutcomes(
  db: Db,
  page: { accountId: string; mode: Mode; limit: number; before: { at: number; session_id: string; seq: number } | undefined },
) {
  const { before } = page;
  return db
    .selectFrom("session_outcomes")
    .select(["session_id", "seq", "outcome", "service_score", "at"])
    .where("account_id", "=", page.accountId)
    .where("mode", "=", page.mode)
    .$if(before !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("at", "session_id", "seq"), "<", eb.tuple(before!.at, before!.session_id, before!.seq)),
      ),
    )
    .orderBy("at", "desc")
    .orderBy("session_id", "desc")
    .orderBy("seq", "desc")
    .limit(page.limit);
}
