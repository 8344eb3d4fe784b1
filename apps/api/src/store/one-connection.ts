import { Kysely, PostgresDialect, type PostgresPoolClient } from "kysely";
import type { Client } from "pg";
import type { Schema } from "./schema.ts";

/** Queries on one connection, within whatever transaction is open on it. Closing the connection is its owner's matter. */
export function kyselyOn(client: Client): Kysely<Schema> {
  const lent = { query: client.query.bind(client), release: () => {} } as unknown as PostgresPoolClient;
  const pool = { options: {}, connect: () => Promise.resolve(lent), end: () => Promise.resolve() };
  return new Kysely({ dialect: new PostgresDialect({ pool }) });
}
