import { sql } from "kysely";
import type { Db, Mode } from "../../store/schema.ts";

const recordColumns = [
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
  "s.outcome",
] as const;

export type SessionFilter = {
  mode: Mode | undefined;
  /** Scores from (included) and to (excluded). */
  scores: { from: number; to: number } | undefined;
  /** `none`: no outcome was reported. */
  outcome: string | undefined;
};

/**
 * The newest sessions below an id that pass the filter, out of the `scan` newest at most: a filter that
 * nothing passes must not read an account's whole history.
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

/** The last id that a scan of so many sessions reaches; none when fewer are left. */
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

export function selectOutcomes(db: Db, wish: { accountId: string; sessionId: string; limit: number }) {
  return db
    .selectFrom("session_outcomes")
    .select(["outcome", "at"])
    .where("account_id", "=", wish.accountId)
    .where("session_id", "=", wish.sessionId)
    .orderBy("seq", "desc")
    .limit(wish.limit);
}

/** The place in the ledger of what a session was billed with; none for a test session. */
export function selectReceipt(db: Db, wish: { accountId: string; sessionId: string }) {
  return db
    .selectFrom("session_records as r")
    .innerJoin("ledger_entries as e", (join) => join.onRef("e.account_id", "=", "r.account_id").onRef("e.seq", "=", "r.ledger_seq"))
    .select(sql<string>`e.seq || '.' || e.hash`.as("receipt"))
    .where("r.account_id", "=", wish.accountId)
    .where("r.id", "=", wish.sessionId);
}
