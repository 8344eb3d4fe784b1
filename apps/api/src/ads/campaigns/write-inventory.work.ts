/** Runs on the writer thread if the store is SQLite: see store.ts. */
import type { Transaction, TransactionWork } from "../../store/store.ts";

export type InventoryWrite = {
  statements: readonly { sql: string; parameters: readonly unknown[] }[];
  /** If the first statement changes no row, nothing is written. */
  isGuarded: boolean;
};

type Query = Parameters<Transaction["change"]>[0];

export const work: TransactionWork<InventoryWrite, "written" | "guard_failed"> = async (tx, { statements, isGuarded }) => {
  for (const [index, statement] of statements.entries()) {
    const changed = await tx.change({ compile: () => statement } as unknown as Query);
    if (isGuarded && index === 0 && changed === 0) return "guard_failed";
  }
  return "written";
};
