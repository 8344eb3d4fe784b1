import type { Dialect } from "./migration.ts";

/**
 * Remembers which of an authenticator's codes was used last. Both databases add a column that may be empty without
 * touching a row; the lock lasts for that one entry in the catalogue, whatever the size of the table.
 */
export function codesWorkOnce(dialect: Dialect): string[] {
  return [`ALTER TABLE second_factors ADD COLUMN last_step ${dialect === "sqlite" ? "INTEGER" : "BIGINT"}`];
}
