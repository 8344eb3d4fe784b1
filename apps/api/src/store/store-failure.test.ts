import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Client, Pool } from "pg";
import { startPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { isStoreOutOfReach } from "./store-failure.ts";
import { connect as connectTo } from "./transact-postgres.ts";

/** Uses real errors of PostgreSQL and its driver, because their texts change between versions without notice. */
describe("an error of the store", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: TestPostgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  const errorOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => assert.fail("it should have failed"),
      (error: Error) => error,
    );
  async function connect(settings: { query_timeout?: number } = {}): Promise<Client> {
    const client = new Client({ connectionString: postgres.url, ...settings });
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  it("is not an outage if the statement caused it", async () => {
    const client = await connect();
    for (const wrong of ["SELECT 1 / 0", "SELECT * FROM nowhere", "no SQL at all"]) assert.equal(isStoreOutOfReach(await errorOf(client.query(wrong))), false, wrong);
    await client.end();
    for (const other of [new Error("what?"), new TypeError("x is not a function"), "text", undefined]) assert.equal(isStoreOutOfReach(other), false);
  });

  it("is an outage if it is a timeout, a lock timeout, a full pool, a shutdown or an unreachable server", async () => {
    const silent = await connect({ query_timeout: 50 });
    assert.equal(isStoreOutOfReach(await errorOf(silent.query("SELECT pg_sleep(60)"))), true);
    // The statement still runs on the server: only ending the connection frees it.
    silent.end().catch(() => {});

    const [holder, waiter] = [await connect(), await connect()];
    await holder.query("BEGIN; SELECT pg_advisory_lock(1)");
    await waiter.query("SET lock_timeout = 50");
    assert.equal(isStoreOutOfReach(await errorOf(waiter.query("SELECT pg_advisory_lock(1)"))), true);

    const { rows } = await waiter.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const terminated = errorOf(waiter.query("SELECT pg_sleep(60)"));
    await holder.query("SELECT pg_terminate_backend($1)", [rows[0]!.pid]);
    assert.equal(isStoreOutOfReach(await terminated), true);

    const full = new Pool({ connectionString: postgres.url, max: 1, connectionTimeoutMillis: 50 });
    const held = await full.connect();
    assert.equal(isStoreOutOfReach(await errorOf(full.query("SELECT 1"))), true);
    assert.equal(isStoreOutOfReach(await errorOf(connectTo(full))), true);
    held.release();
    await full.end();

    const cut = errorOf(holder.query("SELECT pg_sleep(60)"));
    postgres.kill9();
    assert.equal(isStoreOutOfReach(await cut), true);
    assert.equal(isStoreOutOfReach(await errorOf(holder.query("SELECT 1"))), true);
    assert.equal(isStoreOutOfReach(await errorOf(connect())), true);
  });
});
