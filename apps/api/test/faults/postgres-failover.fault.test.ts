import assert from "node:assert/strict";
import { after, describe, it, type TestContext } from "node:test";
import { openStore } from "../../src/store/open-store.ts";
import type { PostgresStore } from "../../src/store/store.ts";
import { makeAccount } from "../make-account.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { type ChargeLoad, startChargeLoad } from "../store/charge-load.ts";
import { askServer, listHosts, type PostgresPair, readTimeline, startPostgresPair } from "../store/start-postgres-pair.ts";

/** From when on a server accepts writes again. */
const backMsMax = 15_000;
/** More than two rounds in which all hosts are asked. */
const watchedMs = 5_000;

/** One pair for all tests: each but the last promotes its standby, which is the primary of the next. */
let shared: PostgresPair | undefined;
after(() => shared?.stop());

async function openOnPair(t: TestContext, { isSynchronous, standbyFirst = false }: { isSynchronous: boolean; standbyFirst?: boolean }) {
  const pair = await (shared === undefined ? startPostgresPair() : shared.renew());
  shared = pair;
  const { databaseUrl: url } = await pair.newMigratedDatabase();
  await pair.setSynchronous(isSynchronous);
  const databaseUrl = standbyFirst ? listHosts(url, [pair.standby, pair.primary]) : url;
  const { store } = (await openStore({ databaseUrl, dataDir: "" }, { nowMs: Date.now(), onConnectionError: () => {} })) as { store: PostgresStore };
  t.after(() => store.close());
  const { accountId } = await makeAccount(store);
  const database = /\/([^/?]+)$/.exec(url)![1]!;
  const readRefs = async (server: { port: number }) =>
    (await askServer<{ ref: string }>(server, "SELECT ref FROM ledger_entries WHERE ref LIKE 'sess%'", database)).map(({ ref }) => ref);
  /** The timeline of the server that the node uses. */
  const usedTimeline = async () => Number.parseInt((await store.pool.query<{ timeline: string }>("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline")).rows[0]!.timeline, 16);
  return { pair, store, accountId, readRefs, usedTimeline };
}

/** What a server sent before it was frozen is in the socket: each turn of the event loop reads what is there. */
async function whenAnswersAreRead(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 1));
}

async function promoteUnderLoad(t: TestContext, pair: PostgresPair, load: ChargeLoad): Promise<void> {
  await pair.promote();
  const promotedMs = performance.now();
  await load.whenChargedMore(1, backMsMax);
  t.diagnostic(`charging again ${Math.round(performance.now() - promotedMs)} ms after the promotion, at most ${backMsMax} ms are allowed`);
  await load.whenChargedMore(100);
}

/** What callers were told from a moment on must be true on the server that is used now. */
function assertTold(t: TestContext, { charged, refused, unknown }: ChargeLoad["told"], refs: readonly string[]): void {
  const found = new Set(refs);
  assert.equal(found.size, refs.length, "none is charged twice");
  assert.deepEqual(charged.filter((ref) => !found.has(ref)), [], "none is lost");
  assert.deepEqual(refused.filter((ref) => found.has(ref)), [], "none is charged that was refused");
  t.diagnostic(`${charged.length} charged, ${refused.length} refused, ${unknown.length} without an answer`);
}

describe("a node with two PostgreSQL servers", { skip: whyPostgresIsSkipped() }, () => {
  it("charges on when the primary is killed: every acknowledged call is there once, and the old primary gets none when it is back", async (t) => {
    const { pair, store, accountId, readRefs } = await openOnPair(t, { isSynchronous: true });
    const load = startChargeLoad(store, accountId);
    t.after(() => load.stop());
    await load.whenChargedMore(100);
    pair.primary.kill9();
    await promoteUnderLoad(t, pair, load);
    // It comes back as it was, and would acknowledge whatever it is sent.
    await pair.primary.restart();
    await askServer(pair.primary, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await askServer(pair.primary, "SELECT pg_reload_conf()");
    const old = await readRefs(pair.primary);
    await new Promise((resolve) => setTimeout(resolve, watchedMs));
    await load.whenChargedMore(100);
    await load.stop();
    assert.deepEqual(await readRefs(pair.primary), old);
    assertTold(t, load.told, await readRefs(pair.standby));
  });

  it("believes nothing of a primary that was frozen, and replaced, and goes on as if nothing had happened", async (t) => {
    const { pair, store, accountId, readRefs } = await openOnPair(t, { isSynchronous: false, standbyFirst: true });
    const load = startChargeLoad(store, accountId);
    t.after(() => load.stop());
    await load.whenChargedMore(100);
    pair.primary.pause();
    // What it acknowledged before was perhaps not sent to the standby: it is not synchronous.
    await whenAnswersAreRead();
    const told = { charged: load.told.charged.length, refused: load.told.refused.length };
    await promoteUnderLoad(t, pair, load);
    pair.primary.resume();
    // What it was sent before it froze, it commits now.
    await new Promise((resolve) => setTimeout(resolve, watchedMs));
    const old = await readRefs(pair.primary);
    await load.whenChargedMore(100);
    await load.stop();
    assert.deepEqual(await readRefs(pair.primary), old);
    assertTold(t, { ...load.told, charged: load.told.charged.slice(told.charged), refused: load.told.refused.slice(told.refused) }, await readRefs(pair.standby));
  });

  it("leaves a primary that was replaced while it was never down", async (t) => {
    const { pair, store, accountId, readRefs, usedTimeline } = await openOnPair(t, { isSynchronous: false });
    const load = startChargeLoad(store, accountId);
    t.after(() => load.stop());
    await load.whenChargedMore(100);
    const next = (await readTimeline(pair.primary)) + 1;
    await pair.promote();
    await waitUntil(async () => (await usedTimeline().catch(() => 0)) === next, "the node uses the new primary", backMsMax);
    const old = await readRefs(pair.primary);
    await load.whenChargedMore(200);
    await load.stop();
    assert.deepEqual(await readRefs(pair.primary), old);
  });

  it("refuses while it reaches a standby only, or nothing, and goes on when the primary is back", async (t) => {
    const { pair, store, accountId, readRefs } = await openOnPair(t, { isSynchronous: false });
    const charger = makeCharger(store, { nowMs: Date.now() });
    const charge = () => charger.charge(makeCharge({ accountId, atMs: Date.now() }));
    await charge();
    const refuses = (error: Error & { code?: string }) => error.code === "overloaded";
    pair.primary.kill9();
    await waitUntil(() => store.ping().then(() => false, () => true), "the primary is gone");
    // Before that, a charge is sent on the connection that is about to break, and has no known outcome.
    await waitUntil(() => store.chargeLine.connect().then(() => false, () => true), "the charge line has noticed");
    for (let round = 0; round < 3; round += 1) {
      await assert.rejects(charge, refuses);
      await assert.rejects(store.write([store.db.deleteFrom("key_changes").where("seq", "<", 0)]), refuses);
      await assert.rejects(store.db.selectFrom("accounts").select("id").execute(), refuses, "nor are decisions read from a standby");
    }
    pair.standby.kill9();
    await assert.rejects(charge, refuses);
    await pair.primary.restart();
    await waitUntil(() => charge().then(() => true, () => false), "it charges again", backMsMax);
    assert((await readRefs(pair.primary)).length >= 2);
  });
});
