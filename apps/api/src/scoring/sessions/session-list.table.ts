import { sql } from "kysely";
import type { Db, Mode } from "../../store/schema.ts";

export const recordColumns = [
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
  "r.attested",
  "r.attestation_issues",
  "r.calibration",
] as const;

const shownColumns = [
  "s.id",
  "s.mode",
  "s.endpoint",
  "s.at",
  "s.user_engagement",
  "s.session_duration",
  "s.scroll_depth",
  "s.interaction_count",
  "s.page_views",
  "s.return_visitor",
  "s.service_score",
  "s.confidence",
  "s.recommendation",
  "s.attested",
  "s.attestation_issues",
  "s.calibration",
  "s.outcome",
] as const;

export type SessionFilter = {
  mode: Mode | undefined;
  /** Scores from (included) and to (excluded). */
  scores: { from: number; to: number } | undefined;
  /** `none`: without an outcome. */
  outcome: string | undefined;
};

/**
 * The newest sessions below an id that pass the filter, among the `scan` newest: a filter that matches nothing must not
 * read the account's whole history.
 */
export function selectSessions(
  db: Db,
  page: { accountId: string; fromId: string; toId: string; scan: number; limit: number; filter: SessionFilter },
) {
  const { mode, scores, outcome } = page.filter;
  const scanned = db
    .selectFrom("session_records as r")
    .select(recordColumns)
    .select((eb) =>
      eb
        .selectFrom("session_outcomes as o")
        .select("o.outcome")
        .where("o.account_id", "=", page.accountId)
        .whereRef("o.session_id", "=", "r.id")
        .orderBy("o.seq", "desc")
        .limit(1)
        .as("outcome"),
    )
    .where("r.account_id", "=", page.accountId)
    .where("r.id", ">=", page.fromId)
    .where("r.id", "<", page.toId)
    .orderBy("r.id", "desc")
    .limit(page.scan);
  return db
    .selectFrom(scanned.as("s"))
    .select(shownColumns)
    .$if(mode !== undefined, (query) => query.where("s.mode", "=", mode!))
    .$if(scores !== undefined, (query) => query.where("s.service_score", ">=", scores!.from).where("s.service_score", "<", scores!.to))
    .$if(outcome === "none", (query) => query.where("s.outcome", "is", null))
    .$if(outcome !== undefined && outcome !== "none", (query) => query.where("s.outcome", "=", outcome!))
    .orderBy("s.id", "desc")
    .limit(page.limit);
}

/** The last id that a scan reaches; no row when fewer sessions are left. */
export function selectScanEnd(db: Db, page: { accountId: string; fromId: string; toId: string; scan: number }) {
  return db
    .selectFrom("session_records")
    .select("id")
    .where("account_id", "=", page.accountId)
    .where("id", ">=", page.fromId)
    .where("id", "<", page.toId)
    .orderBy("id", "desc")
    .offset(page.scan - 1)
    .limit(1);
}

export function selectOutcomes(db: Db, page: { accountId: string; sessionId: string; limit: number }) {
  return db
    .selectFrom("session_outcomes")
    .select(["outcome", "at"])
    .where("account_id", "=", page.accountId)
    .where("session_id", "=", page.sessionId)
    .orderBy("seq", "desc")
    .limit(page.limit);
}

/** The receipt of the session's ledger entry; no row for a test session. */
export function selectReceipt(db: Db, session: { accountId: string; sessionId: string }) {
  return db
    .selectFrom("session_records as r")
    .innerJoin("ledger_entries as e", (join) => join.onRef("e.account_id", "=", "r.account_id").onRef("e.seq", "=", "r.ledger_seq"))
    .select(sql<string>`e.seq || '.' || e.hash`.as("receipt"))
    .where("r.account_id", "=", session.accountId)
    .where("r.id", "=", session.sessionId);
}
