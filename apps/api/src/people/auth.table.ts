/**
 * Queries of better-auth's adapter. It names tables and columns at run time; both come from the lists in auth-adapter.ts,
 * never from a request.
 */
import type { Kysely } from "kysely";
import type { Db, Schema } from "../store/schema.ts";

export const authColumns = {
  sign_ins: ["id", "token", "account_id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"],
  sign_in_challenges: ["id", "identifier", "value", "created_at", "updated_at", "expires_at"],
  second_factors: ["id", "account_id", "secret", "recovery_codes", "verified", "failures", "locked_until"],
} as const satisfies { [Name in "sign_ins" | "sign_in_challenges" | "second_factors"]: readonly (keyof Schema[Name])[] };

export type AuthTable = keyof typeof authColumns;
export type AuthRow = Record<string, string | number | null>;
export type AuthCondition = { column: string; operator: "=" | "!=" | "<" | "<=" | ">" | ">=" | "in"; value: string | number | null | string[] };
type Rows = { table: AuthTable; where: readonly AuthCondition[] };

type LooseDb = Kysely<Record<AuthTable, AuthRow>>;
const loose = (db: Db) => db as unknown as LooseDb;

export function insertAuthRow(db: Db, { table, row }: { table: AuthTable; row: AuthRow }) {
  return loose(db).insertInto(table).values(row);
}

export function selectAuthRows(db: Db, { table, where, newestFirst, limit }: Rows & { limit: number; newestFirst: boolean }) {
  let query = loose(db).selectFrom(table).select([...authColumns[table]]);
  for (const { column, operator, value } of where) query = query.where(column, operator, value);
  return (newestFirst ? query.orderBy("created_at", "desc") : query).limit(limit);
}

/** One statement assigns and adds where the conditions hold, so concurrent increments are not lost. */
export function updateAuthRows(db: Db, { table, where, set, add }: Rows & { set: AuthRow; add: Record<string, number> }) {
  let query = loose(db)
    .updateTable(table)
    .set((eb) => ({ ...set, ...Object.fromEntries(Object.entries(add).map(([column, delta]) => [column, eb(column, "+", delta)])) }));
  for (const { column, operator, value } of where) query = query.where(column, operator, value);
  return query.returning([...authColumns[table]]);
}

export function deleteAuthRows(db: Db, { table, where }: Rows) {
  let query = loose(db).deleteFrom(table);
  for (const { column, operator, value } of where) query = query.where(column, operator, value);
  return query.returning([...authColumns[table]]);
}

/** Two-factor is on when there is a verified second factor; there is no flag that could disagree. */
export function selectSignInAccount(db: Db, by: { column: "id" | "email"; value: string }) {
  return db
    .selectFrom("accounts as a")
    .select((eb) => [
      "a.id",
      "a.email",
      "a.password_hash",
      "a.status",
      "a.verified_at",
      "a.operator",
      "a.created_at",
      eb
        .selectFrom("second_factors as f")
        .select((factors) => factors.fn.countAll<number>().as("count"))
        .whereRef("f.account_id", "=", "a.id")
        .where("f.verified", "=", 1)
        .as("second_factors"),
    ])
    .where(by.column === "id" ? "a.id" : "a.email", "=", by.value);
}
