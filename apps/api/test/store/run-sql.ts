import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { sqliteFileName } from "../../src/store/open-store.ts";

/** Runs SQL with the database's own tools, bypassing the service: as the owner of the tables, who may do everything that PostgreSQL lets it. */
export async function runSql(database: { dataDir: string; databaseOwnerUrl?: string | undefined }, statements: readonly string[]): Promise<void> {
  if (database.databaseOwnerUrl === undefined) {
    const file = new DatabaseSync(join(database.dataDir, sqliteFileName), { timeout: 10_000 });
    try {
      for (const statement of statements) file.exec(statement);
    } finally {
      file.close();
    }
    return;
  }
  const client = new Client({ connectionString: database.databaseOwnerUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
