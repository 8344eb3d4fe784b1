/** Indexes on PostgreSQL's large tables, built while calls go on writing to them. */
import type { Client } from "pg";
import { changeTables } from "./change-tables.ts";
import type { IndexPlan } from "./migrations/migration.ts";

const definitionOf = ({ columns, where }: IndexPlan): string => `(${columns})${where === undefined ? "" : ` WHERE ${where}`}`;

/** On the embedded store, whose writer is alone with the file, an index is built with everything else. */
export const createSqliteIndex = (plan: IndexPlan): string => `CREATE INDEX IF NOT EXISTS ${plan.name} ON ${plan.table} ${definitionOf(plan)}`;

async function isValid(client: Client, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)", [name]);
  return rows[0]?.valid;
}

/** An index that was given up half-way stays behind, is kept up to date, and is used by nobody: it goes first. */
async function buildOn(client: Client, plan: IndexPlan): Promise<void> {
  const valid = await isValid(client, plan.name);
  if (valid === true) return;
  if (valid === false) await client.query(`DROP INDEX CONCURRENTLY ${plan.name}`);
  await client.query(`CREATE INDEX CONCURRENTLY ${plan.name} ON ${plan.table} ${definitionOf(plan)}`);
}

/**
 * A partitioned table gets an index that is only a name; each partition builds its own and is attached to it. Partitions
 * that come meanwhile have theirs from the beginning.
 */
async function buildOnPartitions(client: Client, plan: IndexPlan): Promise<void> {
  await changeTables(client, [`CREATE INDEX IF NOT EXISTS ${plan.name} ON ONLY ${plan.table} ${definitionOf(plan)}`]);
  const { rows } = await client.query<{ partition: string }>(
    `SELECT i.inhrelid::regclass::text AS partition FROM pg_inherits i WHERE i.inhparent = to_regclass($1)
       AND NOT EXISTS (SELECT 1 FROM pg_inherits a JOIN pg_index x ON x.indexrelid = a.inhrelid WHERE a.inhparent = to_regclass($2) AND x.indrelid = i.inhrelid)
     ORDER BY 1`,
    [plan.table, plan.name],
  );
  for (const { partition } of rows) {
    const name = `${partition}_${plan.name}`;
    await buildOn(client, { ...plan, name, table: partition });
    await changeTables(client, [`ALTER INDEX ${plan.name} ATTACH PARTITION ${name}`]);
  }
}

/**
 * Builds the index if it is not there, whole. Never in a transaction: it waits for those that are open, and whoever
 * writes goes on. Cut short, it is begun anew by the next start.
 */
export async function buildIndex(client: Client, plan: IndexPlan): Promise<void> {
  const { rows } = await client.query<{ kind: string }>("SELECT relkind AS kind FROM pg_class WHERE oid = to_regclass($1)", [plan.table]);
  if (rows[0]?.kind !== "p") await buildOn(client, plan);
  else if ((await isValid(client, plan.name)) !== true) await buildOnPartitions(client, plan);
}
