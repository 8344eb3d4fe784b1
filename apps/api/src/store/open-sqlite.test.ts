import assert from "node:assert/strict";
import { sql } from "kysely";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { makeTestFolder } from "../../test/start-service.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { CommitUnknown } from "./store-failure.ts";

const endThread = new URL("../../test/store/end-thread.ts", import.meta.url);

describe("the connection that writes", () => {
  it("syncs every commit to the disk and overwrites what is deleted, also in a file that says otherwise", async (t) => {
    const path = join(makeTestFolder(), "assay.sqlite");
    migrateSqlite(path, Date.now());
    const file = new DatabaseSync(path);
    file.exec("PRAGMA journal_mode = DELETE");
    file.close();
    const store = openSqlite(path);
    t.after(() => store.close());
    // Not a SELECT, so the writer's thread answers.
    const read = async (pragma: string) => Object.values((await sql<Record<string, unknown>>`${sql.raw(`PRAGMA ${pragma}`)}`.execute(store.db)).rows[0]!)[0];
    assert.equal(await read("query_only"), 0, "this is the writer's connection");
    await store.write([store.db.updateTable("key_epoch").set({ value: 7 })]);
    assert.deepEqual([await read("synchronous"), await read("journal_mode"), await read("secure_delete"), await read("foreign_keys")], [2, "wal", 1, 1]);
    assert.equal(await store.transact<object, string>(new URL("../../test/store/show-durability.work.ts", import.meta.url), {}), "2", "also where money is decided");
  });
});

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
