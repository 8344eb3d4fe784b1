// A process of its own: ids only move forward, and another file may have moved them to another day.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { makeCampaign } from "../../test/ads/serving/make-campaign.ts";
import { makeOffer } from "../../test/ads/serving/make-offers.ts";
import { checkDays } from "../../test/check-days.ts";
import { idAt } from "../../test/id-at.ts";
import { makeAccount } from "../../test/make-account.ts";
import { makeCharge, makeCharger } from "../../test/make-charge.ts";
import { joinPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { msPerDay } from "../formats/time.ts";
import { openStore } from "../store/open-store.ts";
import type { PostgresStore } from "../store/store.ts";
import { deleteExpired } from "./delete-expired.ts";
import { countUnpartitionedRows, dropPartitions, makePartitions } from "./make-partitions.ts";

const nowMs = Date.UTC(2026, 10, 15, 12);
const retentionDays = 90;

describe("partitions by day", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: Pick<TestPostgres, "newMigratedDatabase" | "stop">;
  let store: PostgresStore;
  let accountId: string;
  const closers: (() => Promise<void>)[] = [];

  before(async () => {
    postgres = await joinPostgres();
  });
  after(async () => {
    for (const close of closers) await close();
    await postgres.stop();
  });
  beforeEach(async () => {
    const opened = await openStore({ ...(await postgres.newMigratedDatabase()), dataDir: makeTestFolder() }, { nowMs, onConnectionError: () => {}, onWriteTrouble: () => {} });
    assert(opened.store.dialect === "postgres");
    store = opened.store;
    closers.push(() => opened.store.close());
    ({ accountId } = await makeAccount(store, { nowMs: nowMs - 100 * msPerDay }));
  });

  const listDays = async (table: string) =>
    (await store.pool.query<{ name: string }>("SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = $1::regclass ORDER BY 1", [table])).rows.map(({ name }) => name);
  const placesOf = async (table: string) =>
    (await store.pool.query<{ place: string }>(`SELECT tableoid::regclass::text AS place FROM ${table} ORDER BY id`)).rows.map(({ place }) => place);
  const judge = async (atMs: number) => {
    const ref = idAt(atMs);
    await makeCharger(store, { nowMs: atMs }).charge(makeCharge({ accountId, atMs, ref }));
    return ref;
  };
  const outside = async () => (await countUnpartitionedRows(store)).map(({ rows }) => rows);

  it("exist a week before a call needs them, and are created once by nodes that start together", async () => {
    const made = await Promise.all([1, 2, 3].map(() => makePartitions(store, { nowMs, retentionDays })));
    assert(made.every((each) => each.made <= 16));
    for (const table of ["session_records", "offers"]) {
      assert.deepEqual((await listDays(table)).filter((name) => !name.endsWith("default")), Array.from({ length: 8 }, (_, index) => `${table}_d202611${15 + index}`));
    }
    await judge(nowMs);
    await judge(nowMs + 7 * msPerDay);
    await makeOffer(store, { accountId, campaign: await makeCampaign(store), atMs: nowMs });
    assert.deepEqual([await placesOf("session_records"), await placesOf("offers")], [["session_records_d20261115", "session_records_d20261122"], ["offers_d20261115"]]);
    assert.deepEqual(await outside(), [0, 0]);
    assert.deepEqual(await makePartitions(store, { nowMs, retentionDays }), { made: 0 });
  });

  it("are dropped as a whole after retention: no row is deleted individually", async () => {
    await makePartitions(store, { nowMs, retentionDays });
    await judge(nowMs);
    const laterMs = nowMs + (retentionDays + 1) * msPerDay;
    assert.deepEqual(await dropPartitions(store, { nowMs: laterMs - msPerDay, retentionDays, isOver: () => false }), { dropped: 8 }, "offers past their retention, and no session yet");
    assert.deepEqual(await placesOf("session_records"), ["session_records_d20261115"]);
    assert.deepEqual(await dropPartitions(store, { nowMs: laterMs, retentionDays, isOver: () => false }), { dropped: 0 }, "no session that no check has seen");
    await checkDays(store, laterMs);
    assert.deepEqual(await dropPartitions(store, { nowMs: laterMs, retentionDays, isOver: () => false }), { dropped: 1 });
    assert.deepEqual(await placesOf("session_records"), []);
    const { deleted } = await deleteExpired(store, { nowMs: laterMs, retentionDays, isOver: () => false });
    assert.equal(deleted, 2, "the events of the account's two keys, which have no partitions");
    assert(!(await listDays("session_records")).includes("session_records_d20261115"));
  });

  it("take over rows from the default partition, which stay readable and unique", async () => {
    const early = await judge(nowMs - 3 * msPerDay);
    const today = await judge(nowMs);
    assert.deepEqual(await outside(), [2, 0]);
    await makePartitions(store, { nowMs, retentionDays });
    assert.deepEqual(await placesOf("session_records"), ["session_records_d20261112", "session_records_d20261115"]);
    assert.deepEqual(await outside(), [0, 0]);
    const found = await store.db.selectFrom("session_records").select("id").where("account_id", "=", accountId).orderBy("id").execute();
    assert.deepEqual(found.map(({ id }) => id), [early, today]);
    await assert.rejects(store.pool.query("INSERT INTO session_records SELECT * FROM session_records WHERE id = $1", [today]), { code: "23505" });
  });

  it("leave rows past retention to deletion, and do not move a day with too many rows", async () => {
    await judge(nowMs - 95 * msPerDay);
    await store.pool.query(
      `INSERT INTO session_records SELECT account_id, id || n, mode, endpoint, at, user_engagement, session_duration, scroll_depth, interaction_count, page_views,
       return_visitor, service_score, confidence, recommendation, model_version, processing_time_ms, ledger_seq FROM session_records, generate_series(1, 20000) AS n`,
    );
    await makePartitions(store, { nowMs, retentionDays });
    assert.deepEqual(await outside(), [20_001, 0]);
    assert(!(await listDays("session_records")).includes("session_records_d20260812"));
    await checkDays(store, nowMs);
    const { deleted, isMore } = await deleteExpired(store, { nowMs, retentionDays, isOver: () => false });
    assert.deepEqual([deleted, isMore, await outside()], [20_001, false, [0, 0]]);
  });

  it("are created without a lock that blocks calls", async () => {
    await makePartitions(store, { nowMs, retentionDays });
    const call = await store.pool.connect();
    try {
      // A call whose transaction stays open while the partitions are created.
      await call.query("BEGIN");
      await call.query("SET LOCAL idle_in_transaction_session_timeout = 0");
      await call.query(
        `INSERT INTO session_records (account_id, id, mode, endpoint, at, service_score, confidence, recommendation, model_version, processing_time_ms)
         VALUES ($1, $2, 'live', 'predict', $3, 50, 0.5, 'standard_user', 'test', 1)`,
        [accountId, idAt(nowMs), nowMs],
      );
      assert.deepEqual(await makePartitions(store, { nowMs: nowMs + msPerDay, retentionDays }), { made: 2 });
    } finally {
      await call.query("ROLLBACK");
      call.release();
    }
  });

  it("are dropped after a report that is still reading, without blocking calls meanwhile", async () => {
    await makePartitions(store, { nowMs, retentionDays });
    const report = await store.pool.connect();
    let isDropped = false;
    try {
      await report.query("BEGIN");
      await report.query("SET LOCAL idle_in_transaction_session_timeout = 0");
      await report.query("SELECT count(*) FROM session_records");
      const dropping = dropPartitions(store, { nowMs: nowMs + 99 * msPerDay, retentionDays, isOver: () => false }).then(() => (isDropped = true));
      for (let call = 0; call < 5; call += 1) await judge(nowMs + call);
      assert.equal(isDropped, false, "the calls were billed while the report was still reading");
      await report.query("ROLLBACK");
      await dropping;
    } finally {
      report.release();
    }
  });
});
