import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";
import { fundingChainOf, type Pool } from "./pools.ts";

/** `toMs` is excluded; undefined: all hours. */
type HourSpan = { fromMs: number; toMs: number } | undefined;

const sumOf = <Column extends string>(table: string, column: Column) => sql<number>`coalesce(sum(${sql.ref(`${table}.${column}`)}), 0)`.as(column);

/** Movements by kind and payer, of all accounts of the pool and of its funding. */
export function sumAllMovements(db: Db, pool: Pool, span: HourSpan) {
  return db
    .selectFrom("movement_hours as m")
    .leftJoin("accounts as a", "a.id", "m.account_id")
    .select(["m.kind", "m.payer", sumOf("m", "gross_micro"), sumOf("m", "developer_micro"), sumOf("m", "platform_micro")])
    .where((eb) => eb.or([eb("m.account_id", "=", fundingChainOf(pool)), eb("a.demo", "=", Number(pool.demo))]))
    .$if(span !== undefined, (query) => query.where("m.hour", ">=", span!.fromMs).where("m.hour", "<", span!.toMs))
    .groupBy(["m.kind", "m.payer"]);
}

/** All funding of the pool. */
export function sumFunding(db: Db, pool: Pool) {
  return db
    .selectFrom("movement_hours")
    .select(sql<number>`coalesce(sum(gross_micro), 0)`.as("gross_micro"))
    .where("account_id", "=", fundingChainOf(pool))
    .where("kind", "=", "funding");
}

/** Billed calls by payer, of all accounts of the pool. */
export function sumAllCalls(db: Db, pool: Pool, span: HourSpan) {
  return db
    .selectFrom("usage_rollups as u")
    .innerJoin("accounts as a", "a.id", "u.account_id")
    .select(["u.payer", sumOf("u", "calls"), sumOf("u", "gross_micro"), sumOf("u", "developer_micro"), sumOf("u", "platform_micro")])
    .where("a.demo", "=", Number(pool.demo))
    .$if(span !== undefined, (query) => query.where("u.hour", ">=", span!.fromMs).where("u.hour", "<", span!.toMs))
    .groupBy("u.payer");
}

/** Pending clicks of all accounts of the pool. Of developers' shares without those that wait for a decision, as in each account's balance. */
export function sumPendingClicks(db: Db, pool: Pool) {
  return db
    .selectFrom("clicks as c")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .select([sql<number>`coalesce(sum(CASE WHEN c.waiting_id IS NULL THEN c.developer_micro ELSE 0 END), 0)`.as("developer_micro"), sumOf("c", "price_micro")])
    .where("c.status", "=", "pending")
    .where("a.demo", "=", Number(pool.demo));
}
