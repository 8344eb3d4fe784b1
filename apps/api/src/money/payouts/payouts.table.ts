import { type Insertable, type Selectable, sql } from "kysely";
import { locksRows } from "../../store/locks-rows.ts";
import type { PayoutStatus, PayoutTable } from "../../store/schema-payouts.ts";
import type { Db } from "../../store/schema.ts";
import type { Pool } from "../ledger/pools.ts";

const payoutColumns = [
  "id",
  "account_id",
  "month",
  "amount_micro",
  "status",
  "proposed_at",
  "approved_at",
  "exported_at",
  "paid_at",
  "returned_at",
  "note",
  "payout_seq",
  "returned_seq",
  "cancelled_at",
  "proposed_by",
  "approved_by",
  "export_id",
] as const;

const fundingLockId = 1_496_081_742;
const openStatuses: readonly PayoutStatus[] = ["proposed", "approved", "exported"];
/** Without those that were cancelled or came back. */
const countedStatuses: readonly PayoutStatus[] = [...openStatuses, "paid"];

/** What decides about payouts of accounts other than holds, payees and links: sums, status and open findings. */
function selectMoney(db: Db, monthEndMs: number) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("ledger_heads as h", "h.account_id", "a.id")
    .leftJoin("call_settlements as s", "s.account_id", "a.id")
    .select((eb) => {
      const earned = sql<number>`coalesce(sum(developer_micro), 0)`.as("sum");
      // What the developer pays for and deposits is a purse of its own: the rest of the balance.
      const calls = eb.selectFrom("usage_rollups as u").select(earned).whereRef("u.account_id", "=", "a.id").where("u.payer", "<>", "developer");
      const movements = eb.selectFrom("movement_hours as m").select(earned).whereRef("m.account_id", "=", "a.id").where("m.payer", "<>", "developer");
      const movementsSince = movements.where("m.hour", ">=", monthEndMs);
      const pendingSum = sql<number>`coalesce(sum(c.developer_micro), 0)`.as("sum");
      const pending = eb.selectFrom("clicks as c").select(pendingSum).whereRef("c.account_id", "=", "a.id").where("c.status", "=", "pending").where("c.waiting_id", "is", null);
      const unsettledFrom = sql<number>`coalesce(s.confirmed_to, 0)`;
      const pendingCalls = calls.where("u.payer", "=", "platform").where("u.hour", ">=", unsettledFrom);
      const reversedCalls = eb.selectFrom("call_days as d").select(sql<number>`coalesce(sum(d.reversed_developer_micro), 0)`.as("sum")).whereRef("d.account_id", "=", "a.id");
      const reversedOfPending = reversedCalls.where("d.day", ">=", unsettledFrom);
      const payouts = eb.selectFrom("payouts as o").whereRef("o.account_id", "=", "a.id");
      const openPayouts = payouts.where("o.status", "in", openStatuses);
      return [
        "a.id",
        "a.email",
        "a.status",
        "a.demo",
        "h.balance_micro",
        "h.spendable_micro",
        calls.where("u.hour", "<", monthEndMs).as("calls_at_end"),
        movements.where("m.hour", "<", monthEndMs).as("movements_at_end"),
        calls.where("u.hour", ">=", monthEndMs).as("calls_since"),
        movementsSince.as("movements_since"),
        movementsSince.where("m.kind", "in", ["payout", "payout_returned", "reversal"]).as("out_since"),
        movementsSince.where("m.kind", "=", "adjustment").where("m.developer_micro", "<", 0).as("taken_since"),
        movements.where("m.kind", "in", ["payout", "payout_returned"]).as("paid_out"),
        pending.where("c.at", "<", monthEndMs).as("pending_before_end"),
        pending.as("pending"),
        pendingCalls.as("pending_calls"),
        pendingCalls.where("u.hour", "<", monthEndMs).as("pending_calls_before_end"),
        reversedOfPending.as("reversed_of_pending"),
        reversedOfPending.where("d.day", "<", monthEndMs).as("reversed_of_pending_before_end"),
        reversedCalls.where("d.day", ">=", monthEndMs).as("reversed_calls_since"),
        eb
          .selectFrom("clicks as r")
          .select(sql<number>`coalesce(sum(r.developer_micro), 0)`.as("sum"))
          .whereRef("r.account_id", "=", "a.id")
          .where("r.status", "=", "reversed")
          .where("r.at", ">=", monthEndMs)
          .as("reversed_clicks_since"),
        openPayouts.select(sql<number>`coalesce(sum(o.amount_micro), 0)`.as("sum")).as("in_payout"),
        payouts.where("o.status", "in", countedStatuses).select(sql<number>`coalesce(sum(o.unreviewed_micro), 0)`.as("sum")).as("unreviewed_promised"),
        payouts.where("o.status", "in", countedStatuses).select((max) => max.fn.max("o.month").as("month")).as("paid_month"),
        eb.selectFrom("ledger_entries as e").select("e.at").whereRef("e.account_id", "=", "a.id").where("e.seq", "=", 1).as("first_at"),
      ];
    });
}

/** The pool's accounts with a balance, in id order. */
export function selectPayoutCandidates(db: Db, page: Pool & { afterId: string; limit: number; monthEndMs: number }) {
  return selectMoney(db, page.monthEndMs)
    .where("a.id", ">", page.afterId)
    .where("a.demo", "=", Number(page.demo))
    .where("h.balance_micro", ">", 0)
    .orderBy("a.id")
    .limit(page.limit);
}

export function selectMoneyOfAccounts(db: Db, options: { accountIds: readonly string[]; monthEndMs: number }) {
  return selectMoney(db, options.monthEndMs).where("a.id", "in", options.accountIds);
}

/** What all accounts of the pool together have a claim to at most. */
export function sumBalances(db: Db, pool: Pool) {
  return db
    .selectFrom("ledger_heads as h")
    .innerJoin("accounts as a", "a.id", "h.account_id")
    .select(sql<number>`coalesce(sum(h.balance_micro), 0)`.as("balance_micro"))
    .where("a.demo", "=", Number(pool.demo))
    .where("h.balance_micro", ">", 0);
}

/**
 * Transactions that promise money in hand run one after the other. This lock comes before all others, and nothing else
 * takes it: it cannot be part of a deadlock with transactions that lock chains only. PostgreSQL only: SQLite has one writer.
 */
export function lockFunding(db: Db) {
  const lock = locksRows(db) ? sql`pg_advisory_xact_lock(${fundingLockId})` : sql`1`;
  return db.selectNoFrom(lock.as("locked"));
}

/** An account has at most one open payout: a second one is not inserted. */
export function insertPayouts(db: Db, rows: readonly Insertable<PayoutTable>[]) {
  return db.insertInto("payouts").values(rows).onConflict((conflict) => conflict.doNothing()).returning("id");
}

export function selectPayouts(db: Db, page: { status: PayoutStatus | undefined; accountId: string | undefined; limit: number }) {
  return db
    .selectFrom("payouts")
    .select(payoutColumns)
    .$if(page.status !== undefined, (query) => query.where("status", "=", page.status!))
    .$if(page.accountId !== undefined, (query) => query.where("account_id", "=", page.accountId!))
    .orderBy("proposed_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit);
}

/** Whether money was, or is being, paid out to the account. */
export function selectSettledPayout(db: Db, accountId: string) {
  return db.selectFrom("payouts").select("id").where("account_id", "=", accountId).where("status", "in", ["exported", "paid"]).limit(1);
}

export function selectPayoutById(db: Db, payoutId: string) {
  return db.selectFrom("payouts").select(payoutColumns).where("id", "=", payoutId);
}

/** The payees that an account's payouts were made out to, cancelled ones aside. */
export function selectKeptPayees(db: Db, accountId: string) {
  return db.selectFrom("payouts").select(["payee", "proposed_at"]).where("account_id", "=", accountId).where("status", "!=", "cancelled").where("payee", "is not", null).orderBy("proposed_at");
}

export function lockPayout(db: Db, payoutId: string) {
  return selectPayoutById(db, payoutId)
    .select("payee")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function movePayout(
  db: Db,
  change: { payoutId: string; from: PayoutStatus; to: PayoutStatus; set: Partial<Omit<Selectable<PayoutTable>, "id" | "account_id" | "amount_micro" | "status">> },
) {
  return db
    .updateTable("payouts")
    .set({ ...change.set, status: change.to })
    .where("id", "=", change.payoutId)
    .where("status", "=", change.from);
}

/** What an export writes: the payouts of one run. The payee is the one of the proposal; null in rows of earlier versions. */
export function selectPayoutsOfExport(db: Db, run: { exportId: string; limit: number }) {
  return db
    .selectFrom("payouts as o")
    .innerJoin("accounts as a", "a.id", "o.account_id")
    .select(["o.id", "o.account_id", "o.month", "o.amount_micro", "o.payee", "a.demo"])
    .where("o.export_id", "=", run.exportId)
    .orderBy("o.id")
    .limit(run.limit);
}

export function selectLastExport(db: Db) {
  return db.selectFrom("payouts").select("export_id").where("export_id", "is not", null).orderBy("exported_at", "desc").orderBy("export_id", "desc").limit(1);
}

/** In id order; of both pools if none is named. */
export function selectPayoutIds(db: Db, page: Partial<Pool> & { status: PayoutStatus; limit: number }) {
  return db
    .selectFrom("payouts as o")
    .innerJoin("accounts as a", "a.id", "o.account_id")
    .select("o.id")
    .where("o.status", "=", page.status)
    .$if(page.demo !== undefined, (query) => query.where("a.demo", "=", Number(page.demo)))
    .orderBy("o.id")
    .limit(page.limit);
}

/** For rows of earlier versions, which were proposed without one. */
export function setPayee(db: Db, change: { payoutId: string; payee: string }) {
  return db.updateTable("payouts").set({ payee: change.payee }).where("id", "=", change.payoutId).where("payee", "is", null);
}

export function sumPayoutsByStatus(db: Db, pool: Pool) {
  return db
    .selectFrom("payouts as o")
    .innerJoin("accounts as a", "a.id", "o.account_id")
    .select(["o.status", sql<number>`count(*)`.as("payouts"), sql<number>`coalesce(sum(o.amount_micro), 0)`.as("amount_micro")])
    .where("a.demo", "=", Number(pool.demo))
    .groupBy("o.status");
}

/** What payouts of one month promise to never reviewed accounts for their calls. Under the lock on funding nothing is added to it. */
export function sumUnreviewed(db: Db, of: { month: string; pool: Pool }) {
  return db
    .selectFrom("payouts as o")
    .innerJoin("accounts as a", "a.id", "o.account_id")
    .select(sql<number>`coalesce(sum(o.unreviewed_micro), 0)`.as("unreviewed_micro"))
    .where("a.demo", "=", Number(of.pool.demo))
    .where("o.month", "=", of.month)
    .where("o.status", "in", countedStatuses);
}

/** Payouts that no file for the bank contains yet; an account has at most one. */
export function selectCancellablePayouts(db: Db, accountId: string) {
  return db.selectFrom("payouts").select(["id", "account_id", "month", "amount_micro", "status"]).where("account_id", "=", accountId).where("status", "in", ["proposed", "approved"]);
}

export function cancelOpenPayouts(db: Db, change: { accountId: string; note: string; nowMs: number }) {
  return db
    .updateTable("payouts")
    .set({ status: "cancelled", cancelled_at: change.nowMs, note: change.note })
    .where("account_id", "=", change.accountId)
    .where("status", "in", ["proposed", "approved"]);
}

/** After the last of an account's payouts is over. */
export function erasePayeesOfPayouts(db: Db, accountId: string) {
  return db.updateTable("payouts").set({ payee: null }).where("account_id", "=", accountId).where("payee", "is not", null);
}
