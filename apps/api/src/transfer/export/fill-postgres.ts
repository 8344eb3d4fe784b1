import type pg from "pg";
import { startOfDay } from "../../formats/time.ts";
import { timeOfId } from "../../ids/time-ordered-id.ts";
import { verifyLedgerAndLog } from "../../money/ledger/log/verify-ledger-and-log.ts";
import { describeBreak } from "../../money/ledger/verify-ledger.ts";
import { createDayPartition, type DailyTable, idPrefixOf } from "../../store/day-partitions.ts";
import { migratePostgres } from "../../store/migrate.ts";
import { kyselyOn } from "../../store/open-postgres.ts";
import { connectToPrimary } from "../../store/primary/primary-client.ts";
import { durableCommits, withoutJit } from "../../store/primary/session-settings.ts";
import { parseRow } from "./export-format.ts";
import type { TableTarget } from "./import-store.ts";
import { movedTables, quoteNames } from "./moved-tables.ts";

type Column = { name: string; type: string };

/** SQL that converts a value of a row, which arrives as JSON, to the column's type. */
const valueOf = ({ type }: Column, index: number): string => {
  if (type === "bytea") return `decode(r -> ${index} ->> 'base64', 'base64')`;
  return type === "text" ? `r ->> ${index}` : `(r ->> ${index})::${type}`;
};

const isDaily = (table: string): table is DailyTable => Object.hasOwn(idPrefixOf, table);

/** Creates a partition for every day of these rows, so that retention can drop them like all others. */
function createPartitions(client: pg.Client, made: Set<string>) {
  return async (table: DailyTable, columns: readonly string[], rows: readonly string[]): Promise<void> => {
    const at = columns.indexOf("id");
    const days = new Set(rows.map((row) => startOfDay(timeOfId(String(parseRow(row)[at])))));
    for (const day of [...days].filter((each) => !made.has(`${table} ${each}`))) {
      await client.query(createDayPartition(table, day));
      made.add(`${table} ${day}`);
    }
  };
}

/** Counts other Assay connections: a running service would continue with what it has cached. */
async function countOthers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ others: number }>(
    "SELECT count(*)::int AS others FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'assay' AND pid <> pg_backend_pid()",
  );
  return rows[0]!.others;
}

async function readColumns(client: pg.Client): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column & { table: string }>(
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.oid = ANY (SELECT to_regclass(name) FROM unnest($1::text[]) AS name) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [movedTables.map(({ name }) => name)],
  );
  const columns = new Map<string, Column[]>();
  for (const { table, name, type } of rows) columns.set(table, [...(columns.get(table) ?? []), { name, type }]);
  return columns;
}

/** Migrates the database and begins the one transaction that fills it. "in_use": a service is connected to it. */
export async function openPostgresTarget(url: string, nowMs: number): Promise<TableTarget | "in_use"> {
  await migratePostgres(url, nowMs);
  // Without the timeouts of a running service: this one transaction lasts as long as the stream.
  const client = await connectToPrimary(url, { ...durableCommits, ...withoutJit });
  if ((await countOthers(client)) > 0) {
    await client.end();
    return "in_use";
  }
  await client.query("BEGIN");
  // A service that starts meanwhile waits, and then reads the state before the import or all of it.
  await client.query(`LOCK TABLE ${movedTables.map(({ name }) => name).join(", ")} IN ACCESS EXCLUSIVE MODE`);
  const columnsOf = await readColumns(client);
  const migrations = await client.query<{ name: string }>("SELECT name FROM migrations ORDER BY name");
  const ensurePartitions = createPartitions(client, new Set());
  return {
    migrations: migrations.rows.map(({ name }) => name),
    columnsOf: async (table) => (columnsOf.get(table) ?? []).map(({ name }) => name),
    async countRows(table) {
      const { rows } = await client.query<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`);
      return rows[0]!.rows;
    },
    async clear(table) {
      await client.query(`DELETE FROM ${table}`);
    },
    async insert(table, columns, rows) {
      if (isDaily(table)) await ensurePartitions(table, columns, rows);
      const known = columnsOf.get(table)!;
      const values = columns.map((name, index) => valueOf(known.find((each) => each.name === name)!, index));
      const sql = `INSERT INTO ${table} (${quoteNames(columns)}) SELECT ${values.join(", ")} FROM jsonb_array_elements($1::jsonb) AS r`;
      await client.query(sql, [`[${rows.join(",")}]`]);
    },
    async verify() {
      const { entries, accounts, breaks } = await verifyLedgerAndLog({ db: kyselyOn(client) });
      return { entries, accounts, problems: breaks.map(describeBreak) };
    },
    async commit() {
      await client.query("COMMIT");
    },
    close: () => client.end(),
  };
}
