import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { sql } from "kysely";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { readLedger } from "../../test/read-ledger.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { Failure } from "../failure/failure.ts";
import { verifyLedger } from "../money/ledger/verify-ledger.ts";
import { migrateSqlite } from "./migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { SqliteError } from "./sqlite-thread.ts";
import type { WriteTrouble } from "./sqlite-trouble.ts";
import { StoreInTrouble } from "./watch-writes.ts";

const nowMs = Date.parse("2026-01-01T00:00:00Z");

async function openLimited(t: TestContext) {
  const path = join(makeTestFolder(), "assay.sqlite");
  migrateSqlite(path, nowMs);
  const heard: (WriteTrouble | undefined)[] = [];
  const store = openSqlite(path, (trouble) => heard.push(trouble));
  t.after(() => store.close());
  /** For the writer's connection a file that may not grow is a full disk. Undefined removes the limit. */
  const limitTo = async (extraPages: number | undefined) => {
    const { rows } = await sql<{ page_count: number }>`PRAGMA page_count`.execute(store.db);
    const pages = extraPages === undefined ? 4_294_967_294 : rows[0]!.page_count + extraPages;
    await sql`PRAGMA max_page_count = ${sql.raw(String(pages))}`.execute(store.db);
  };
  return { store, heard, limitTo };
}

describe("a store that cannot grow", () => {
  it("does not bill refused calls, still reads, reports the trouble once, and recovers by itself", async (t) => {
    const { store, heard, limitTo } = await openLimited(t);
    const { accountId } = await makeAccount(store, { nowMs });
    const charger = makeCharger(store, { nowMs });
    let charged = 0;
    let refused: unknown;
    await limitTo(2);
    while (refused === undefined) {
      // Many at once, so that one transaction needs new pages.
      const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => charger.charge(makeCharge({ accountId, atMs: nowMs }))));
      charged += outcomes.filter(({ status }) => status === "fulfilled").length;
      refused = outcomes.find((outcome) => outcome.status === "rejected")?.reason;
    }
    assert.ok(refused instanceof Failure);
    assert.deepEqual([refused.code, refused.retryAfterSeconds], ["overloaded", 5]);
    assert.equal((await readLedger(store, accountId)).length, charged, "nothing is half-written, and reads work");
    await assert.rejects(store.ping(), StoreInTrouble);
    // A small write that fits does not make the store ready.
    await store.write([store.db.updateTable("key_epoch").set({ value: 1 })]);
    await assert.rejects(store.ping(), StoreInTrouble);
    await assert.rejects(
      store.write([store.db.insertInto("images").values({ hash: "h", content_type: "t", width: 1, height: 1, bytes: new Uint8Array(100_000), created_at: 1 })]),
      (error) => error instanceof SqliteError && error.trouble === "disk_full",
    );
    assert.deepEqual(heard, ["disk_full"]);

    await limitTo(undefined);
    await store.ping();
    assert.deepEqual(heard, ["disk_full", undefined]);
    await charger.charge(makeCharge({ accountId, atMs: nowMs }));
    const { audit: _audit, ...report } = await verifyLedger(store);
    assert.deepEqual(report, { entries: charged + 1, accounts: 1, ok: true, breaks: [] });
  });

  it("does not report a statement's own error as trouble", async (t) => {
    const { store, heard } = await openLimited(t);
    await assert.rejects(store.write([store.db.insertInto("tiers").values({ name: "Starter", per_hour: 1, per_minute: 1, share_bps: 6_800 })]), SqliteError);
    await store.ping();
    assert.deepEqual(heard, []);
  });
});
