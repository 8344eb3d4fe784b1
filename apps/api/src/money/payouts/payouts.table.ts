import { sql } from "kysely";
import { locksRows } from "../../store/locks-rows.ts";
import type { PayoutRow, PayoutStatus } from "../../store/schema-payouts.ts";
import type { Db } from "../../store/schema.ts";

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
] as const;

const openStatuses: readonly PayoutStatus[] = ["proposed", "approved", "exported"];

/** What can be paid out: entries that name the developer as payer are prepaid money, which never is. */
const earningsSum = sql<number>`coalesce(sum(case when payer = 'developer' then 0 else developer_micro end), 0)`;
const prepaidCallsSum = sql<number>`coalesce(sum(developer_micro - gross_micro), 0)`;
const prepaidMovementsSum = sql<number>`coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0)`;
const rowCount = sql<number>`count(*)`.as("count");

/** Accounts with a balance, with everything that decides about their payout, in id order. */
export function selectPayoutCandidates(db: Db, page: { afterId: string; limit: number; monthEndMs: number }) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("ledger_heads as h", "h.account_id", "a.id")
    .select((eb) => {
      const calls = eb.selectFrom("usage_rollups as u").select(earningsSum.as("sum")).whereRef("u.account_id", "=", "a.id");
      const movements = eb.selectFrom("movement_hours as m").select(earningsSum.as("sum")).whereRef("m.account_id", "=", "a.id");
      const movementsSince = movements.where("m.hour", ">=", page.monthEndMs);
      const prepaidCalls = eb.selectFrom("usage_rollups as u").select(prepaidCallsSum.as("sum")).whereRef("u.account_id", "=", "a.id").where("u.payer", "=", "developer");
      const prepaidMovements = eb.selectFrom("movement_hours as m").select(prepaidMovementsSum.as("sum")).whereRef("m.account_id", "=", "a.id").where("m.payer", "=", "developer");
      const pendingSum = sql<number>`coalesce(sum(c.developer_micro), 0)`.as("sum");
      const pending = eb.selectFrom("clicks as c").select(pendingSum).whereRef("c.account_id", "=", "a.id").where("c.status", "=", "pending");
      const payees = eb.selectFrom("payee_profiles as p").select(rowCount).whereRef("p.account_id", "=", "a.id");
      const findings = eb.selectFrom("findings as f").select(rowCount).whereRef("f.account_id", "=", "a.id");
      const payouts = eb.selectFrom("payouts as o").select(rowCount).whereRef("o.account_id", "=", "a.id");
      return [
        "a.id",
        "a.email",
        "a.status",
        "a.demo",
        "h.balance_micro",
        prepaidCalls.as("prepaid_calls"),
        prepaidMovements.as("prepaid_movements"),
        calls.where("u.hour", "<", page.monthEndMs).as("calls_at_end"),
        movements.where("m.hour", "<", page.monthEndMs).as("movements_at_end"),
        movementsSince.where("m.kind", "in", ["payout", "payout_returned", "reversal"]).as("out_since"),
        movementsSince.where("m.kind", "=", "adjustment").where("m.developer_micro", "<", 0).as("taken_since"),
        pending.where("c.at", "<", page.monthEndMs).as("pending_before_end"),
        pending.as("pending"),
        payees.as("payees"),
        findings.where("f.closed_at", "is", null).as("open_findings"),
        payouts.where("o.status", "in", openStatuses).as("open_payouts"),
      ];
    })
    .where("a.id", ">", page.afterId)
    .where("h.balance_micro", ">", 0)
    .orderBy("a.id")
    .limit(page.limit);
}

/** An account has at most one open payout: a second one is not inserted. */
export function insertPayout(db: Db, row: PayoutRow) {
  return db.insertInto("payouts").values(row).onConflict((conflict) => conflict.doNothing());
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

export function selectPayoutById(db: Db, payoutId: string) {
  return db.selectFrom("payouts").select(payoutColumns).where("id", "=", payoutId);
}

export function lockPayout(db: Db, payoutId: string) {
  return selectPayoutById(db, payoutId).$if(locksRows(db), (query) => query.forUpdate());
}

export function movePayout(
  db: Db,
  change: { payoutId: string; from: PayoutStatus; to: PayoutStatus; set: Partial<Omit<PayoutRow, "id" | "account_id" | "amount_micro" | "status">> },
) {
  return db
    .updateTable("payouts")
    .set({ ...change.set, status: change.to })
    .where("id", "=", change.payoutId)
    .where("status", "=", change.from);
}

/** With the current payee profiles. */
export function selectPayoutsWithPayees(db: Db, page: { status: PayoutStatus; limit: number }) {
  return db
    .selectFrom("payouts as o")
    .leftJoin("payee_profiles as p", "p.account_id", "o.account_id")
    .select([
      "o.id",
      "o.account_id",
      "o.month",
      "o.amount_micro",
      "o.status",
      "p.legal_name",
      "p.address",
      "p.country",
      "p.tax_id",
      "p.method",
      "p.account",
      "p.bank_code",
    ])
    .where("o.status", "=", page.status)
    .orderBy("o.id")
    .limit(page.limit);
}

export function sumPayoutsByStatus(db: Db) {
  return db
    .selectFrom("payouts")
    .select(["status", sql<number>`count(*)`.as("payouts"), sql<number>`coalesce(sum(amount_micro), 0)`.as("amount_micro")])
    .groupBy("status");
}
