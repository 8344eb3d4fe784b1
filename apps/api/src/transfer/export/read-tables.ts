/** Reads a snapshot of every table in pages, while others write to the store. */
import { DatabaseSync } from "node:sqlite";
import { connectToPrimary } from "../../store/primary/primary-client.ts";
import { durableCommits } from "../../store/primary/session-settings.ts";
import { type MovedTable, quoteNames } from "./moved-tables.ts";

const rowsPerPage = 1_000;
const busyTimeoutMs = 10_000;

export type TableSource = {
  /** In the order they were applied; empty when the store was never migrated. */
  migrations: string[];
  columnsOf(table: string): Promise<string[]>;
  /** Rows in primary key order, each an array of values in the order of `columns`. */
  pagesOf(table: MovedTable, columns: readonly string[]): AsyncIterable<unknown[][]>;
  close(): Promise<void>;
};

export function openSqliteSource(path: string): TableSource {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  // The first read takes the snapshot.
  database.exec("BEGIN");
  const column = (sql: string, ...parameters: string[]) =>
    database.prepare(sql).all(...parameters).map((row) => String(Object.values(row)[0]));
  const hasMigrations = column("SELECT name FROM sqlite_schema WHERE name = 'migrations'").length > 0;
  return {
    migrations: hasMigrations ? column("SELECT name FROM migrations ORDER BY name") : [],
    columnsOf: (table) => Promise.resolve(column("SELECT name FROM pragma_table_info(?) ORDER BY cid", table)),
    async *pagesOf({ name, key }, columns) {
      const statement = database.prepare(`SELECT ${quoteNames(columns)} FROM ${name} ORDER BY ${quoteNames(key)}`);
      statement.setReturnArrays(true);
      let page: unknown[][] = [];
      for (const row of statement.iterate()) {
        page.push(row as unknown as unknown[]);
        if (page.length < rowsPerPage) continue;
        yield page;
        page = [];
      }
      yield page;
    },
    async close() {
      database.close();
    },
  };
}

export async function openPostgresSource(url: string): Promise<TableSource> {
  // Without the timeouts of a running service: this one transaction lasts as long as its reader takes.
  const client = await connectToPrimary(url, durableCommits);
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  const column = async (sql: string, parameters: string[] = []) => {
    const { rows } = await client.query<{ name: string }>(sql, parameters);
    return rows.map(({ name }) => name);
  };
  const hasMigrations = (await column("SELECT 'migrations' AS name WHERE to_regclass('migrations') IS NOT NULL")).length > 0;
  return {
    migrations: hasMigrations ? await column("SELECT name FROM migrations ORDER BY name") : [],
    columnsOf: (table) =>
      column("SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum", [table]),
    async *pagesOf({ name, key }, columns) {
      const types = await client.query<{ name: string; type: string }>(
        "SELECT attname AS name, atttypid::regtype::text AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0",
        [name],
      );
      const isText = (each: string) => types.rows.some((row) => row.name === each && row.type === "text");
      // Byte order, as SQLite sorts: the same rows give the same stream on both databases.
      const order = key.map((each) => (isText(each) ? `"${each}" COLLATE "C"` : `"${each}"`)).join(", ");
      await client.query(`DECLARE moving NO SCROLL CURSOR FOR SELECT ${quoteNames(columns)} FROM ${name} ORDER BY ${order}`);
      for (;;) {
        const { rows } = await client.query<unknown[]>({ text: `FETCH ${rowsPerPage} FROM moving`, rowMode: "array" });
        yield rows;
        if (rows.length < rowsPerPage) break;
      }
      await client.query("CLOSE moving");
    },
    close: () => client.end(),
  };
}
