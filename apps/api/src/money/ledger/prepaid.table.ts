import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

/** What calls take from prepaid money, net of the developer's share. */
const callSum = sql<number>`coalesce(sum(developer_micro - gross_micro), 0)`;
const movementSum = sql<number>`coalesce(sum(developer_micro - case when kind in ('deposit', 'adjustment') then 0 else gross_micro end), 0)`;

/** An account's prepaid money: everything that names the developer as payer, before a time. Shares count at once here. */
export function sumPrepaid(db: Db, place: { accountId: string; beforeMs: number }) {
  return db
    .selectFrom("ledger_heads as h")
    .select((eb) => [
      eb
        .selectFrom("usage_rollups")
        .select(callSum.as("sum"))
        .whereRef("account_id", "=", "h.account_id")
        .where("payer", "=", "developer")
        .where("hour", "<", place.beforeMs)
        .as("calls_micro"),
      eb
        .selectFrom("movement_hours")
        .select(movementSum.as("sum"))
        .whereRef("account_id", "=", "h.account_id")
        .where("payer", "=", "developer")
        .where("hour", "<", place.beforeMs)
        .as("movements_micro"),
    ])
    .where("h.account_id", "=", place.accountId);
}

export function selectAnyDeveloperCall(db: Db) {
  return db.selectFrom("usage_rollups").select("account_id").where("payer", "=", "developer").limit(1);
}

/** Accounts whose spendable money is not kept yet. */
export function selectAccountsBeforePrepaid(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads as h")
    .innerJoin("accounts as a", "a.id", "h.account_id")
    .select(["a.id", "a.email", "a.status", "a.demo"])
    .where("h.spendable_micro", "is", null)
    .where("h.account_id", ">", page.afterId)
    .orderBy("h.account_id")
    .limit(page.limit);
}

/** Heads with entries whose shares may have to be confirmed. */
export function selectHeadsToConfirm(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads")
    .select(["account_id", "share_confirmed_seq"])
    .where("spendable_micro", "is not", null)
    .whereRef("share_confirmed_seq", "<", "seq")
    .where("account_id", ">", page.afterId)
    .orderBy("account_id")
    .limit(page.limit);
}

/** The shares of developer-paid calls after an entry and before a time, at most `limit` entries on; null when there is no entry. */
export function sumShares(db: Db, span: { accountId: string; afterSeq: number; beforeMs: number; limit: number }) {
  return db
    .selectFrom("ledger_entries")
    .select([
      sql<number | null>`max(seq)`.as("seq"),
      sql<number>`coalesce(sum(case when kind = 'call' and payer = 'developer' then developer_micro else 0 end), 0)`.as("developer_micro"),
    ])
    .where("account_id", "=", span.accountId)
    .where("seq", ">", span.afterSeq)
    .where("seq", "<=", span.afterSeq + span.limit)
    .where("at", "<", span.beforeMs);
}

/** Compare-and-set: whoever confirms the same shares at the same time changes nothing. */
export function confirmShares(db: Db, shares: { accountId: string; fromSeq: number; toSeq: number; microUsd: number }) {
  return db
    .updateTable("ledger_heads")
    .set((eb) => ({ spendable_micro: eb("spendable_micro", "+", shares.microUsd), share_confirmed_seq: shares.toSeq }))
    .where("account_id", "=", shares.accountId)
    .where("share_confirmed_seq", "=", shares.fromSeq)
    .where("spendable_micro", "is not", null);
}

/** Active accounts whose prepaid money is below a sum, with the number of their last deposit's entry. Those that never had one have none to run out of. */
export function selectLowBalances(db: Db, page: { belowMicroUsd: number; afterId: string; limit: number }) {
  return db
    .selectFrom("ledger_heads as h")
    .innerJoin("accounts as a", "a.id", "h.account_id")
    .innerJoin("corrections as c", "c.account_id", "h.account_id")
    .select((eb) => ["h.account_id", "h.spendable_micro", eb.fn.max("c.ledger_seq").as("deposit_seq")])
    .where("c.kind", "=", "deposit")
    .where("h.spendable_micro", "<", page.belowMicroUsd)
    .where("a.status", "=", "active")
    .where("a.demo", "=", 0)
    .where("h.account_id", ">", page.afterId)
    .groupBy(["h.account_id", "h.spendable_micro"])
    .orderBy("h.account_id")
    .limit(page.limit)
    .$narrowType<{ spendable_micro: number }>();
}
