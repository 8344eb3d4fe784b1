import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFileName } from "../src/store/open-store.ts";
import type { TestDatabase } from "./both-stores.ts";

type Dumped = Pick<TestDatabase, "store" | "dataDir">;

/** Every row of every table as JSON, in the order of the texts. */
export async function readTables({ store, dataDir }: Dumped): Promise<Map<string, string[]>> {
  const tables = new Map<string, string[]>();
  if (store.dialect === "postgres") {
    const names = await store.pool.query<{ name: string }>(
      "SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = 'public'",
    );
    for (const { name } of names.rows) {
      const { rows } = await store.pool.query<{ line: string }>(`SELECT to_jsonb(t)::text AS line FROM ${name} t`);
      tables.set(name, rows.map(({ line }) => line).toSorted());
    }
    return tables;
  }
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
  try {
    for (const { name } of file.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]) {
      tables.set(name, file.prepare(`SELECT * FROM "${name}"`).all().map((row) => JSON.stringify(row)).toSorted());
    }
    return tables;
  } finally {
    file.close();
  }
}

/** What anyone with a copy of the database can read. SQLite's files also contain deleted rows and the write-ahead log. */
export async function dumpDatabase(database: Dumped): Promise<{ tables: string[]; text: string }> {
  const tables = await readTables(database);
  const isFile = database.store.dialect === "sqlite";
  const files = isFile ? readdirSync(database.dataDir).filter((name) => name.startsWith(sqliteFileName)) : [];
  const bytes = files.map((name) => readFileSync(join(database.dataDir, name), "latin1"));
  return { tables: [...tables.keys()], text: [...[...tables.values()].flat(), ...bytes].join("\n") };
}
