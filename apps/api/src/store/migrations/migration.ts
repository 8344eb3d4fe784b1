export type Dialect = "sqlite" | "postgres";

/** An index on a table that may be large: see build-index.ts. */
export type IndexPlan = {
  name: string;
  table: string;
  /** As SQL: names, perhaps with their order. */
  columns: string;
  /** As SQL; absent: all rows. */
  where?: string;
};

export type Migration = {
  name: string;
  /**
   * Nodes are replaced one by one, so for a while code of the version before works on the new tables, and may have to be
   * started again. "expand" leaves everything that it uses in place. "contract" takes something away, and is released only
   * after the version that no longer uses it: older code refuses to start once it was applied.
   */
  kind: "expand" | "contract";
  /** What it does to a database with 100 million rows that is in use: what it reads, what it locks, for how long. */
  onLargeTables: string;
  /** Applied together, in one transaction: all of them or none. */
  statements: (dialect: Dialect) => string[];
  /** Built behind the statements; on PostgreSQL while calls go on writing. */
  indexes?: readonly IndexPlan[];
};
