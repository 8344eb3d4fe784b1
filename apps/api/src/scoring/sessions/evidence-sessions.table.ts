import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

const columns = [
  "account_id",
  "id",
  "endpoint",
  "at",
  "user_engagement",
  "session_duration",
  "scroll_depth",
  "interaction_count",
  "page_views",
  "return_visitor",
  "service_score",
  "ledger_seq",
  "attested",
] as const;

const watched = ["id", "at", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor", "service_score", "attested"] as const;

type DayPage = { accountId: string; afterId: string; toId: string; limit: number };

/** As `selectBilledSessions`, without what stores of earlier versions lack: nothing says what was attested. */
export function selectBilledSignals(db: Db, page: DayPage) {
  return db
    .selectFrom("session_records")
    .select(watched.filter((column) => column !== "attested"))
    .select(sql<null>`NULL`.as("attested"))
    .where("account_id", "=", page.accountId)
    .where("id", ">", page.afterId)
    .where("id", "<", page.toId)
    .where("ledger_seq", "is not", null)
    .orderBy("id")
    .limit(page.limit);
}

/** Sessions whose calls were billed, the oldest first. */
export function selectBilledSessions(db: Db, page: DayPage) {
  return db
    .selectFrom("session_records")
    .select(watched)
    .where("account_id", "=", page.accountId)
    .where("id", ">", page.afterId)
    .where("id", "<", page.toId)
    .where("ledger_seq", "is not", null)
    .orderBy("id")
    .limit(page.limit);
}

/** The same of those that are kept as evidence. */
export function selectEvidenceSessions(db: Db, page: DayPage) {
  return db
    .selectFrom("evidence_sessions")
    .select(watched)
    .where("account_id", "=", page.accountId)
    .where("id", ">", page.afterId)
    .where("id", "<", page.toId)
    .orderBy("id")
    .limit(page.limit);
}

/**
 * Copies an account's next billed sessions that are not kept yet, the oldest first. What another node copied meanwhile
 * is passed over.
 */
export function copyEvidence(db: Db, page: DayPage) {
  return db
    .insertInto("evidence_sessions")
    .columns(columns)
    .expression((eb) =>
      eb
        .selectFrom("session_records as r")
        .select((row) => columns.map((column) => row.ref(`r.${column}`).$notNull().as(column)))
        .where("r.account_id", "=", page.accountId)
        .where("r.id", ">", page.afterId)
        .where("r.id", "<", page.toId)
        .where("r.ledger_seq", "is not", null)
        .orderBy("r.id")
        .limit(page.limit),
    )
    .onConflict((conflict) => conflict.columns(["account_id", "id"]).doNothing());
}

/** The last id of the page that `copyEvidence` copies; null when nothing is left. */
export function selectEvidencePageEnd(db: Db, page: DayPage) {
  return db
    .selectFrom((eb) => selectBilledSessions(eb as unknown as Db, page).as("p"))
    .select(sql<string | null>`max(p.id)`.as("id"));
}

/** Accounts with kept sessions, and the first and last of them. */
export function selectEvidenceSpans(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("evidence_sessions")
    .select((eb) => ["account_id", eb.fn.min("id").as("first_id")])
    .where("account_id", ">", page.afterId)
    .groupBy("account_id")
    .orderBy("account_id")
    .limit(page.limit);
}

export function deleteEvidenceSessions(db: Db, old: { accountId: string; beforeId: string; limit: number }) {
  return db.deleteFrom("evidence_sessions").where("account_id", "=", old.accountId).where("id", "in", (eb) =>
    eb
      .selectFrom("evidence_sessions as e")
      .select("e.id")
      .where("e.account_id", "=", old.accountId)
      .where("e.id", "<", old.beforeId)
      .orderBy("e.id")
      .limit(old.limit),
  );
}
