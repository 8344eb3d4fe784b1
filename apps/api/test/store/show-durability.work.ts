import { sql } from "kysely";
import type { TransactionWork } from "../../src/store/store.ts";

/** What the connection that runs the work says about the durability of its commit. */
export const work: TransactionWork<object, string> = async (tx) => {
  const show = tx.dialect === "postgres" ? sql<Record<string, unknown>>`SHOW synchronous_commit` : sql<Record<string, unknown>>`PRAGMA synchronous`;
  const [row] = await tx.run({ compile: () => show.compile(tx.db) });
  return String(Object.values(row!)[0]);
};
