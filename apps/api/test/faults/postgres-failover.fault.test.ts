import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/store/open-store.ts";
import type { PostgresStore } from "../../src/store/store.ts";
import { makeAccount } from "../make-account.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { startChargeLoad } from "../store/charge-load.ts";
import { askServer, listHosts, type PostgresPair, startPostgresPair } from "../store/start-postgres-pair.ts";

/** What the issue of this suite allows: from the moment a server accepts writes again. */
const backMsMax = 15_000;

describe("a service with two PostgreSQL servers", { skip: whyPostgresIsSkipped() }, () => {
  let pair: PostgresPair;

  async function open(t: TestContext, { isSynchronous = true, reversed = false }: { isSynchronous?: boolean; reversed?: boolean } = {}) {
    pair = await startPostgresPair();
    const { databaseUrl: url } = await pair.newMigratedDatabase();
    await pair.setSynchronous(isSynchronous);
    const databaseUrl = reversed ? listHosts(url.replace(/,[^/]*/, ""), [pair.standby, pair.primary]) : url;
    const { store } = (await openStore({ databaseUrl, dataDir: "" }, { nowMs: Date.now(), onConnectionError: () => {} })) as { store: PostgresStore };
    t.after(async () => {
      await store.close();
      await pair.stop();
    });
    const { accountId } = await makeAccount(store);
    return { store, accountId, databaseUrl, database: new URL(url.replace(/,[^/]*/, "")).pathname.slice(1) };
  }

  const readRefs = async (server: { port: number }, database: string): Promise<string[]> =>
    (await askServer<{ ref: string }>(server, "SELECT ref FROM ledger_entries WHERE ref LIKE 'sess%'", database)).map(({ ref }) => ref);

  it("charges on after the primary was killed, and has every acknowledged call once and no refused one", async (t) => {
    const { store, accountId, database } = await open(t);
    const load = startChargeLoad(store, accountId);
    await load.whenChargedMore(200);
    pair.primary.kill9();
    await pair.promote();
    const promotedMs = performance.now();
    await load.whenChargedMore(1, backMsMax);
    t.diagnostic(`charging again ${Math.round(performance.now() - promotedMs)} ms after the promotion`);
    await load.whenChargedMore(200);
    // The old one comes back as it was, and accepts writes from whoever asks.
    await pair.primary.restart();
    await askServer(pair.primary, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await askServer(pair.primary, "SELECT pg_reload_conf()");
    const before = await readRefs(pair.primary, database);
    await sleep(3_000);
    await load.whenChargedMore(200);
    await load.stop();
    assert.deepEqual(await readRefs(pair.primary, database), before, "the replaced primary gets no charge");
    const refs = await readRefs(pair.standby, database);
    const found = new Set(refs);
    assert.equal(found.size, refs.length, "none twice");
    assert.deepEqual(load.told.charged.filter((ref) => !found.has(ref)), [], "none lost");
    assert.deepEqual(load.told.refused.filter((ref) => found.has(ref)), [], "none charged that was refused");
    t.diagnostic(`${load.told.charged.length} charged, ${load.told.refused.length} refused, ${load.told.unknown.length} unknown`);
  });
});
