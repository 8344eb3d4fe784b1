/** DDL on a PostgreSQL database that is in use. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, ClientBase, Pool } from "pg";
import type { IndexPlan } from "./migrations/migration.ts";

/** All later statements on a table queue behind one that waits for its lock, so the wait is short and is repeated. */
const lockWaitMs = 500;
const pauseMs = 250;
const pauseMsMax = 5_000;
const triesDefault = 30;
/** lock_not_available and deadlock_detected: nothing was changed. */
const lockFailureCodes = new Set(["55P03", "40P01"]);

/**
 * Runs the statements in one transaction and one round trip, so that a client that stops in the middle holds no lock.
 * Waits only briefly for locks, and retries, by default for about two minutes.
 */
export async function changeTables(client: Pool | ClientBase, statements: readonly string[], triesMax = triesDefault): Promise<void> {
  const text = [`SET LOCAL lock_timeout = ${lockWaitMs}`, ...statements].join(";\n");
  for (let tries = 1; ; tries += 1) {
    try {
      // Without parameters several statements are sent together, and PostgreSQL runs them in one transaction.
      await client.query(text);
      return;
    } catch (error) {
      if (!lockFailureCodes.has((error as { code?: string }).code ?? "") || tries >= triesMax) throw error;
      await sleep(Math.min(pauseMs * tries, pauseMsMax));
    }
  }
}

const definitionOf = ({ columns, where }: IndexPlan): string => `(${columns})${where === undefined ? "" : ` WHERE ${where}`}`;

/** The embedded store has one writer, so the index is built together with the migration's statements. */
export const createSqliteIndex = (plan: IndexPlan): string => `CREATE INDEX IF NOT EXISTS ${plan.name} ON ${plan.table} ${definitionOf(plan)}`;

async function isValid(client: Client, name: string): Promise<boolean | undefined> {
  const { rows } = await client.query<{ valid: boolean }>("SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)", [name]);
  return rows[0]?.valid;
}

/** An interrupted build leaves an invalid index behind, which is maintained but never used: it is dropped first. */
async function buildOn(client: Client, plan: IndexPlan): Promise<void> {
  const valid = await isValid(client, plan.name);
  if (valid === true) return;
  if (valid === false) await client.query(`DROP INDEX CONCURRENTLY ${plan.name}`);
  await client.query(`CREATE INDEX CONCURRENTLY ${plan.name} ON ${plan.table} ${definitionOf(plan)}`);
}

/**
 * The index of a partitioned table is only a name. Each partition builds its own index, which is attached to it.
 * Partitions that are created meanwhile get theirs at creation.
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
 * Builds the index unless a valid one exists, while calls go on writing. Must not run inside a transaction: it waits for
 * those that are open. The next start repeats an interrupted build.
 */
export async function buildIndex(client: Client, plan: IndexPlan): Promise<void> {
  const { rows } = await client.query<{ kind: string }>("SELECT relkind AS kind FROM pg_class WHERE oid = to_regclass($1)", [plan.table]);
  if (rows[0]?.kind !== "p") await buildOn(client, plan);
  else if ((await isValid(client, plan.name)) !== true) await buildOnPartitions(client, plan);
}
