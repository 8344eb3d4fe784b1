import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeTestFolder } from "../../test/start-service.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { CommitUnknown } from "./store-failure.ts";

const endThread = new URL("../../test/store/end-thread.ts", import.meta.url);

describe("a writer thread that dies with a transaction", () => {
  for (const way of ["runProcedure", "transact"] as const) {
    it(`leaves the outcome of ${way} unknown: nobody may be told that it failed`, async (t) => {
      const path = join(makeTestFolder(), "assay.sqlite");
      migrateSqlite(path, Date.now());
      const store = openSqlite(path);
      t.after(() => store.close());
      await assert.rejects(store[way](endThread, {}), CommitUnknown);
    });
  }
});
