import { type Insertable, sql } from "kysely";
import type { FindingTable } from "../../store/schema-integrity.ts";
import type { Db } from "../../store/schema.ts";

const findingColumns = [
  "id",
  "account_id",
  "code",
  "detail",
  "statistic",
  "threshold",
  "days",
  "sessions",
  "opened_at",
  "opened_by",
  "answer",
  "answered_at",
  "accepted_at",
  "closed_at",
  "decision",
  "decided_by",
  "resolution",
] as const;

/** An account has at most one open finding per code: a second insert changes nothing. */
export function openFinding(db: Db, finding: Insertable<FindingTable>) {
  return db.insertInto("findings").values(finding).onConflict((conflict) => conflict.doNothing());
}

type Closing = { findingId: string; decision: "upheld" | "dismissed" | "accepted"; decidedBy: string | null; resolution: string; nowMs: number };

export function closeFinding(db: Db, change: Closing) {
  return db
    .updateTable("findings")
    .set({
      closed_at: change.nowMs,
      decision: change.decision,
      decided_by: change.decidedBy,
      resolution: change.resolution,
      ...(change.decision === "accepted" ? { accepted_at: change.nowMs } : {}),
    })
    .where("id", "=", change.findingId)
    .where("closed_at", "is", null);
}

/** It is overdue anew, counted from now on. */
export function reopenFinding(db: Db, change: { findingId: string; nowMs: number }) {
  return db
    .updateTable("findings")
    .set({ closed_at: null, decision: null, decided_by: null, resolution: null, alerted_at: null, opened_at: change.nowMs })
    .where("id", "=", change.findingId)
    .where("closed_at", "is not", null);
}

/** The last answer counts. Only the account itself answers, and only while the finding is open. */
export function answerFinding(db: Db, answer: { findingId: string; accountId: string; text: string; nowMs: number }) {
  return db
    .updateTable("findings")
    .set({ answer: answer.text, answered_at: answer.nowMs })
    .where("id", "=", answer.findingId)
    .where("account_id", "=", answer.accountId)
    .where("closed_at", "is", null);
}

/** Days and examples that were found since it was opened. */
export function extendFinding(db: Db, change: { findingId: string; days: string; sessions: string }) {
  return db.updateTable("findings").set({ days: change.days, sessions: change.sessions }).where("id", "=", change.findingId).where("closed_at", "is", null);
}

export function selectFinding(db: Db, findingId: string) {
  return db.selectFrom("findings").select(findingColumns).where("id", "=", findingId);
}

/** Open findings first, the oldest first; then closed ones, the newest first. */
export function selectFindings(db: Db, page: { accountId: string | undefined; limit: number }) {
  return db
    .selectFrom("findings")
    .select(findingColumns)
    .$if(page.accountId !== undefined, (query) => query.where("account_id", "=", page.accountId!))
    .orderBy(sql`closed_at IS NOT NULL`)
    .orderBy(sql`CASE WHEN closed_at IS NULL THEN opened_at ELSE -closed_at END`)
    .orderBy("id")
    .limit(page.limit);
}

/** Findings that were open at a time, oldest first. */
export function selectFindingsOpenAt(db: Db, place: { accountId: string; atMs: number }) {
  return db
    .selectFrom("findings")
    .select(["detail", "opened_at"])
    .where("account_id", "=", place.accountId)
    .where("opened_at", "<", place.atMs)
    .where((eb) => eb.or([eb("closed_at", "is", null), eb("closed_at", ">=", place.atMs)]))
    .orderBy("opened_at")
    .orderBy("id");
}

export function selectOpenFindings(db: Db, accountId: string) {
  return db.selectFrom("findings").select(findingColumns).where("account_id", "=", accountId).where("closed_at", "is", null);
}

/** When a finding of the account was last decided, and when it last accepted one. */
export function selectLastDecision(db: Db, accountId: string) {
  return db
    .selectFrom("findings")
    .select((eb) => [eb.fn.max("closed_at").as("closed_at"), eb.fn.max("accepted_at").as("accepted_at")])
    .where("account_id", "=", accountId);
}

/** Open findings from before a time; demo accounts aside, whose findings nobody must decide. */
export function selectOverdue(db: Db, overdue: { beforeMs: number }) {
  return db
    .selectFrom("findings as f")
    .innerJoin("accounts as a", "a.id", "f.account_id")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("f.opened_at").as("opened_at")])
    .where("f.closed_at", "is", null)
    .where("f.opened_at", "<", overdue.beforeMs)
    .where("a.demo", "=", 0);
}

/** Those that operators were not told about yet, the oldest first. */
export function selectUnalerted(db: Db, overdue: { beforeMs: number; limit: number }) {
  return db
    .selectFrom("findings as f")
    .innerJoin("accounts as a", "a.id", "f.account_id")
    .select(["f.id", "f.account_id", "f.code", "f.opened_at", "a.email"])
    .where("f.closed_at", "is", null)
    .where("f.opened_at", "<", overdue.beforeMs)
    .where("f.alerted_at", "is", null)
    .where("a.demo", "=", 0)
    .orderBy("f.opened_at")
    .limit(overdue.limit);
}

export function markAlerted(db: Db, alert: { findingId: string; nowMs: number }) {
  return db.updateTable("findings").set({ alerted_at: alert.nowMs }).where("id", "=", alert.findingId).where("closed_at", "is", null).where("alerted_at", "is", null);
}

/** The developer's own words are erased with the account. */
export function eraseAnswers(db: Db, accountId: string) {
  return db.updateTable("findings").set({ answer: null }).where("account_id", "=", accountId).where("answer", "is not", null);
}

/** In id order. */
export function selectAccountsUnderFinding(db: Db, page: { afterId: string; limit: number }) {
  return db.selectFrom("findings").select("account_id").distinct().where("closed_at", "is", null).where("account_id", ">", page.afterId).orderBy("account_id").limit(page.limit);
}
