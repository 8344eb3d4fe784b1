import { sql } from "kysely";
import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { Db } from "../../store/schema.ts";
import { entryColumns } from "./chain-entry.ts";

type Span = { accountId: string; fromMs: number; toMs: number };

const sumOf = <Column extends string>(column: Column) => sql<number>`sum(${sql.ref(column)})`.as(column);

/** Writers have locked the account's head, so there are no concurrent writes to a row. */
export function addToMovementHours(db: Db, row: MovementHourRow) {
  return db
    .insertInto("movement_hours")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["account_id", "hour", "kind", "payer"]).doUpdateSet((eb) => ({
        entries: eb("movement_hours.entries", "+", eb.ref("excluded.entries")),
        gross_micro: eb("movement_hours.gross_micro", "+", eb.ref("excluded.gross_micro")),
        developer_micro: eb("movement_hours.developer_micro", "+", eb.ref("excluded.developer_micro")),
        platform_micro: eb("movement_hours.platform_micro", "+", eb.ref("excluded.platform_micro")),
      })),
    );
}

export function selectMovementsOfAccount(db: Db, accountId: string) {
  return db
    .selectFrom("movement_hours")
    .select(["hour", "kind", "payer", "entries", "gross_micro", "developer_micro", "platform_micro"])
    .where("account_id", "=", accountId);
}

/** Everything but calls in a span of hours, by kind and payer; `toMs` is excluded. */
export function sumMovements(db: Db, span: Span) {
  return db
    .selectFrom("movement_hours")
    .select(["kind", "payer", sumOf("entries"), sumOf("gross_micro"), sumOf("developer_micro"), sumOf("platform_micro")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy(["kind", "payer"])
    .orderBy("kind")
    .orderBy("payer");
}

/** The same by time: one row per `bucketMs`, kind and payer. */
export function sumMovementsByTime(db: Db, span: Span & { bucketMs: number }) {
  const start = sql<number>`hour - hour % ${sql.lit(span.bucketMs)}`;
  return db
    .selectFrom("movement_hours")
    .select([start.as("start"), "kind", "payer", sumOf("entries"), sumOf("gross_micro"), sumOf("developer_micro")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy([start, "kind", "payer"])
    .orderBy(start);
}

export function sumCallsByTimeAndPayer(db: Db, span: Span & { bucketMs: number }) {
  const start = sql<number>`hour - hour % ${sql.lit(span.bucketMs)}`;
  return db
    .selectFrom("usage_rollups")
    .select([start.as("start"), "payer", sumOf("calls"), sumOf("gross_micro"), sumOf("developer_micro")])
    .where("account_id", "=", span.accountId)
    .where("hour", ">=", span.fromMs)
    .where("hour", "<", span.toMs)
    .groupBy([start, "payer"])
    .orderBy(start);
}

/** As balanceChangeOf in the contract's ledger-chain.ts. */
const callBalance = sql<number | null>`sum(developer_micro - case when payer = 'developer' then gross_micro else 0 end)`;
const movementBalance = sql<number | null>`sum(developer_micro - case when payer = 'developer' and kind not in ('deposit', 'adjustment') then gross_micro else 0 end)`;

/** What calls before a time added to the balance. */
export function sumCallBalanceBefore(db: Db, place: { accountId: string; beforeMs: number }) {
  return db
    .selectFrom("usage_rollups")
    .select(callBalance.as("balance_micro"))
    .where("account_id", "=", place.accountId)
    .where("hour", "<", place.beforeMs);
}

export function sumMovementBalanceBefore(db: Db, place: { accountId: string; beforeMs: number }) {
  return db
    .selectFrom("movement_hours")
    .select(movementBalance.as("balance_micro"))
    .where("account_id", "=", place.accountId)
    .where("hour", "<", place.beforeMs);
}

/** An entry's time and hash. */
export function selectEntryPlace(db: Db, entry: { accountId: string; seq: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(["seq", "at", "hash"])
    .where("account_id", "=", entry.accountId)
    .where("seq", "=", entry.seq);
}

/** The developer's share of clicks in a range of entries with this status, each of which has its own index. What waits for a decision is not pending: its hold is over. */
export function sumClicksOf(db: Db, range: { accountId: string; fromSeq: number; toSeq: number; status: "pending" | "reversed" }) {
  return db
    .selectFrom("clicks")
    .select(sql<number | null>`sum(developer_micro)`.as("developer_micro"))
    .where("account_id", "=", range.accountId)
    .where("ledger_seq", ">=", range.fromSeq)
    .where("ledger_seq", "<=", range.toSeq)
    .where("status", "=", sql.lit(range.status))
    .$if(range.status === "pending", (query) => query.where("waiting_id", "is", null));
}

/** An account's entries below a seq, newest first. */
export function selectEntriesBefore(db: Db, page: { accountId: string; beforeSeq: number; limit: number }) {
  return db
    .selectFrom("ledger_entries")
    .select(entryColumns)
    .where("account_id", "=", page.accountId)
    .where("seq", "<", page.beforeSeq)
    .orderBy("seq", "desc")
    .limit(page.limit);
}
