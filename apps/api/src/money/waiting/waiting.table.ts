import { type Insertable, sql } from "kysely";
import type { WaitingAllowanceRow, WaitingEarningRow } from "../../store/schema-integrity.ts";
import type { Db } from "../../store/schema.ts";

/** Those that are about calls. Waiting clicks are counted by themselves: each of them may be reversed alone. */
const callReasons = ["repeated_session", "unexamined"] as const;

const waitingColumns = [
  "w.id",
  "w.account_id",
  "w.day",
  "w.reason",
  "w.items",
  "w.developer_micro",
  "w.detail",
  "w.at",
  "w.statement",
  "w.stated_at",
  "w.decision",
  "w.resolution",
  "w.decided_by",
  "w.decided_at",
] as const;

/** What waits of a day and for a reason is found once: a second insert changes nothing. */
export function insertWaiting(db: Db, row: Insertable<WaitingEarningRow>) {
  return db
    .insertInto("waiting_earnings")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "day", "reason"]).doNothing());
}

export function selectWaiting(db: Db, waitingId: string) {
  return db.selectFrom("waiting_earnings as w").select(waitingColumns).where("w.id", "=", waitingId);
}

/** What nobody has decided comes first, then the newest. */
export function selectWaitingOfAccount(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("waiting_earnings as w")
    .select(waitingColumns)
    .where("w.account_id", "=", page.accountId)
    .orderBy(sql`CASE WHEN w.decision IS NULL THEN 0 ELSE 1 END`)
    .orderBy("w.day", "desc")
    .orderBy("w.id")
    .limit(page.limit);
}

/** What nobody has decided, of all accounts, the largest first. */
export function selectUndecided(db: Db, page: { limit: number }) {
  return db
    .selectFrom("waiting_earnings as w")
    .innerJoin("accounts as a", "a.id", "w.account_id")
    .select([...waitingColumns, "a.email"])
    .where("w.decision", "is", null)
    // However many small ones somebody makes, none hides a large one.
    .orderBy("w.developer_micro", "desc")
    .orderBy("w.at")
    .orderBy("w.id")
    .limit(page.limit);
}

/** What nobody has decided of closing accounts that gave their balance up. An account of which something waits is not erased. */
export function selectGivenUp(db: Db, page: { limit: number }) {
  return db
    .selectFrom("waiting_earnings as w")
    .innerJoin("account_closures as c", "c.account_id", "w.account_id")
    .select("w.id")
    .where("w.decision", "is", null)
    .where("c.forfeited", "=", 1)
    .orderBy("w.id")
    .limit(page.limit);
}

/** What waits of an account's calls of days that are not settled yet. */
export function selectWaitingCallsOfDays(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("waiting_earnings as w")
    .select(["w.id", "w.day", "w.reason", "w.items", "w.developer_micro", "w.detail"])
    .where("w.account_id", "=", span.accountId)
    .where("w.day", ">=", span.fromMs)
    .where("w.day", "<", span.toMs)
    .where("w.reason", "in", callReasons)
    .where("w.decision", "is", null)
    .orderBy("w.day")
    .orderBy("w.id");
}

/** Never more. */
export function reduceWaiting(db: Db, change: { waitingId: string; items: number; developerMicroUsd: number }) {
  return db
    .updateTable("waiting_earnings")
    .set({ items: change.items, developer_micro: change.developerMicroUsd })
    .where("id", "=", change.waitingId)
    .where("developer_micro", ">=", change.developerMicroUsd)
    .where("decision", "is", null);
}

/** Only the account itself states, and only while nobody has decided. The last statement counts; the same again changes no row. */
export function stateWaiting(db: Db, statement: { waitingId: string; accountId: string; text: string; nowMs: number }) {
  return db
    .updateTable("waiting_earnings")
    .set({ statement: statement.text, stated_at: statement.nowMs })
    .where("id", "=", statement.waitingId)
    .where("account_id", "=", statement.accountId)
    .where("decision", "is", null)
    .where((eb) => eb.or([eb("statement", "is", null), eb("statement", "!=", statement.text)]));
}

export function eraseStatements(db: Db, accountId: string) {
  return db.updateTable("waiting_earnings").set({ statement: null }).where("account_id", "=", accountId).where("statement", "is not", null);
}

export function decideWaiting(db: Db, change: { waitingId: string; decision: "settled" | "reversed"; resolution: string; decidedBy: string | null; nowMs: number }) {
  return db
    .updateTable("waiting_earnings")
    .set({ decision: change.decision, resolution: change.resolution, decided_by: change.decidedBy, decided_at: change.nowMs })
    .where("id", "=", change.waitingId)
    .where("decision", "is", null);
}

/* Sums */

/** What waits of calls in settled days, by reason, and the part of it that is due. Waiting in other days is pending. */
export function sumWaitingCalls(db: Db, of: { accountIds: readonly string[]; monthEndMs: number }) {
  return db
    .selectFrom("waiting_earnings as w")
    .innerJoin("call_settlements as s", "s.account_id", "w.account_id")
    .select([
      "w.account_id",
      "w.reason",
      sql<number>`sum(w.developer_micro)`.as("developer_micro"),
      sql<number>`sum(CASE WHEN w.day < ${sql.val(of.monthEndMs)} THEN w.developer_micro ELSE 0 END)`.as("due_micro"),
    ])
    .where("w.account_id", "in", of.accountIds)
    .where("w.decision", "is", null)
    .where("w.reason", "in", callReasons)
    .whereRef("w.day", "<", "s.confirmed_to")
    .groupBy(["w.account_id", "w.reason"]);
}

/** The same of clicks that wait and that nobody has reversed. */
export function sumWaitingClicks(db: Db, of: { accountIds: readonly string[]; monthEndMs: number }) {
  return db
    .selectFrom("clicks as c")
    .select([
      "c.account_id",
      sql<number>`sum(c.developer_micro)`.as("developer_micro"),
      sql<number>`sum(CASE WHEN c.at < ${sql.val(of.monthEndMs)} THEN c.developer_micro ELSE 0 END)`.as("due_micro"),
    ])
    .where("c.account_id", "in", of.accountIds)
    .where("c.waiting_id", "is not", null)
    .where("c.status", "=", "pending")
    .groupBy("c.account_id");
}

/* Clicks */

/** An account's paid clicks of a day, with how many came from the same network before. */
export function selectClickOrders(db: Db, span: { accountId: string; fromMs: number; toMs: number }) {
  return db
    .selectFrom("clicks")
    .select(["offer_id", "status", "waiting_id", "developer_micro", "network_order", "described"])
    .where("account_id", "=", span.accountId)
    .where("at", ">=", span.fromMs)
    .where("at", "<", span.toMs)
    .orderBy("at")
    .orderBy("offer_id");
}

export function markWaiting(db: Db, some: { offerIds: readonly string[]; waitingId: string }) {
  return db.updateTable("clicks").set({ waiting_id: some.waitingId }).where("offer_id", "in", some.offerIds).where("status", "=", "pending");
}

export function unmarkWaiting(db: Db, waitingId: string) {
  return db.updateTable("clicks").set({ waiting_id: null }).where("waiting_id", "=", waitingId);
}

export function selectWaitingClicks(db: Db, waitingId: string) {
  return db.selectFrom("clicks").select(["offer_id", "developer_micro"]).where("waiting_id", "=", waitingId).where("status", "=", "pending").orderBy("offer_id");
}

/* What settles by itself from now on */

export function putAllowance(db: Db, row: WaitingAllowanceRow) {
  const { account_id: _accountId, reason: _reason, ...rest } = row;
  return db
    .insertInto("waiting_allowances")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "reason"]).doUpdateSet(rest));
}

export function selectAllowances(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("waiting_allowances").select(["account_id", "reason", "daily_micro", "note", "set_by", "set_at"]).where("account_id", "in", accountIds).orderBy("account_id").orderBy("reason");
}
