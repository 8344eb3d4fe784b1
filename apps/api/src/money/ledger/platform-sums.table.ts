import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";

/** Hours of a span, `toMs` excluded; undefined: all there are. */
export type HourSpan = { fromMs: number; toMs: number } | undefined;

/** What moved, by kind: of all accounts but demo ones, and of the platform's own chain. */
export function sumAllMovements(db: Db, span: HourSpan) {
  return db
    .selectFrom("movement_hours as m")
    .leftJoin("accounts as a", "a.id", "m.account_id")
    .select([
      "m.kind",
      sql<number>`coalesce(sum(m.gross_micro), 0)`.as("gross_micro"),
      sql<number>`coalesce(sum(m.developer_micro), 0)`.as("developer_micro"),
      sql<number>`coalesce(sum(m.platform_micro), 0)`.as("platform_micro"),
    ])
    .where((eb) => eb.or([eb("a.demo", "is", null), eb("a.demo", "=", 0)]))
    .$if(span !== undefined, (query) => query.where("m.hour", ">=", span!.fromMs).where("m.hour", "<", span!.toMs))
    .groupBy("m.kind");
}

/** What the operator put in, ever. */
export function sumFunding(db: Db) {
  return db
    .selectFrom("movement_hours")
    .select(sql<number>`coalesce(sum(gross_micro), 0)`.as("gross_micro"))
    .where("account_id", "=", platformChain)
    .where("kind", "=", "funding");
}

/** Billed calls, by who pays: of all accounts but demo ones. */
export function sumAllCalls(db: Db, span: HourSpan) {
  return db
    .selectFrom("usage_rollups as u")
    .innerJoin("accounts as a", "a.id", "u.account_id")
    .select([
      "u.payer",
      sql<number>`coalesce(sum(u.calls), 0)`.as("calls"),
      sql<number>`coalesce(sum(u.gross_micro), 0)`.as("gross_micro"),
      sql<number>`coalesce(sum(u.developer_micro), 0)`.as("developer_micro"),
      sql<number>`coalesce(sum(u.platform_micro), 0)`.as("platform_micro"),
    ])
    .where("a.demo", "=", 0)
    .$if(span !== undefined, (query) => query.where("u.hour", ">=", span!.fromMs).where("u.hour", "<", span!.toMs))
    .groupBy("u.payer");
}

/** Pending clicks of all accounts but demo ones. */
export function sumPendingClicks(db: Db) {
  return db
    .selectFrom("clicks as c")
    .innerJoin("accounts as a", "a.id", "c.account_id")
    .select([
      sql<number>`coalesce(sum(c.developer_micro), 0)`.as("developer_micro"),
      sql<number>`coalesce(sum(c.price_micro), 0)`.as("price_micro"),
    ])
    .where("c.status", "=", "pending")
    .where("a.demo", "=", 0);
}

/** The chain of what the operator puts in; no account has this id. */
export const platformChain = "platform";
