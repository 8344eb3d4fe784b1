import {
  type Dialect as KyselyDialect,
  type Driver,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Db } from "./schema.ts";
import type { Dialect } from "./migrations/migration.ts";

export const sqliteDialect = (createDriver: () => Driver): KyselyDialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver,
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** Compile queries and never connect; for transaction work and for scripts/print-sql.ts. */
export const compileOnly: Record<Dialect, Db> = {
  sqlite: new Kysely({ dialect: sqliteDialect(() => new DummyDriver()) }),
  postgres: new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
};
