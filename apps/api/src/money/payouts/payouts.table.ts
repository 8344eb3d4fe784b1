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

/** What entries add to a balance, summed: the developer's part, less the price where the developer pays. */
const balanceSum = sql<number>`coalesce(sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end), 0)`;

/** Accounts with a balance, with all that decides on their payout; a page in the order of their ids. */
export function selectPayoutCandidates(db: Db, page: { afterId: string; limit: number; monthEndMs: number }) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("ledger_heads as h", "h.account_id", "a.id")
    .select((eb) => [
      "a.id",
      "a.email",
      "a.status",
      "a.demo",
      "h.balance_micro",
      eb
        .selectFrom("usage_rollups as u")
        .select(balanceSum.as("sum"))
        .whereRef("u.account_id", "=", "a.id")
        .where("u.hour", "<", page.monthEndMs)
        .as("calls_at_end"),
      eb
        .selectFrom("movement_hours as m")
        .select(balanceSum.as("sum"))
        .whereRef("m.account_id", "=", "a.id")
        .where("m.hour", "<", page.monthEndMs)
        .as("movements_at_end"),
      eb
        .selectFrom("movement_hours as m")
        .select(balanceSum.as("sum"))
        .whereRef("m.account_id", "=", "a.id")
        .where("m.hour", ">=", page.monthEndMs)
        .where("m.kind", "in", ["payout", "payout_returned", "reversal"])
        .as("out_since"),
      eb
        .selectFrom("movement_hours as m")
        .select(balanceSum.as("sum"))
        .whereRef("m.account_id", "=", "a.id")
        .where("m.hour", ">=", page.monthEndMs)
        .where("m.kind", "=", "adjustment")
        .where("m.developer_micro", "<", 0)
        .as("taken_since"),
      eb
        .selectFrom("clicks as c")
        .select(sql<number>`coalesce(sum(c.developer_micro), 0)`.as("sum"))
        .whereRef("c.account_id", "=", "a.id")
        .where("c.status", "=", "pending")
        .where("c.at", "<", page.monthEndMs)
        .as("pending_before_end"),
      eb
        .selectFrom("clicks as c")
        .select(sql<number>`coalesce(sum(c.developer_micro), 0)`.as("sum"))
        .whereRef("c.account_id", "=", "a.id")
        .where("c.status", "=", "pending")
        .as("pending"),
      eb
        .selectFrom("payee_profiles as p")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("p.account_id", "=", "a.id")
        .as("payees"),
      eb
        .selectFrom("findings as f")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("f.account_id", "=", "a.id")
        .where("f.closed_at", "is", null)
        .as("open_findings"),
      eb
        .selectFrom("payouts as o")
        .select(sql<number>`count(*)`.as("count"))
        .whereRef("o.account_id", "=", "a.id")
        .where("o.status", "in", openStatuses)
        .as("open_payouts"),
    ])
    .where("a.id", ">", page.afterId)
    .where("h.balance_micro", ">", 0)
    .orderBy("a.id")
    .limit(page.limit);
}

/** At most one open payout of an account: a second one is not inserted. */
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

/** Only from the state it must be in. */
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

/** With whom to pay, for the bank: the newest profile counts. */
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
