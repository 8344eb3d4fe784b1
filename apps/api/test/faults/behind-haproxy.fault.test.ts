import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { makeAccount } from "../make-account.ts";
import { waitUntil } from "../send.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { startChargeLoad } from "../store/charge-load.ts";
import { applySessionSettings, startPgBouncer, whyPgBouncerIsSkipped } from "../store/start-pgbouncer.ts";
import { startHaproxy, whyHaproxyIsSkipped } from "../store/start-haproxy.ts";
import { askServer, listHosts, type PostgresPair, readTimeline, startPostgresPair } from "../store/start-postgres-pair.ts";

const backMsMax = 15_000;

describe("a node behind HAProxy", { skip: whyPostgresIsSkipped() || whyHaproxyIsSkipped() }, () => {
  let shared: PostgresPair | undefined;
  after(() => shared?.stop());

  for (const isPooled of [false, true]) it(`${isPooled ? "and PgBouncer " : ""}follows the primary that Patroni names, and refuses the old one even if HAProxy leads to it again`, { skip: isPooled && whyPgBouncerIsSkipped() }, async (t) => {
    const pair = await (shared === undefined ? startPostgresPair() : shared.renew());
    shared = pair;
    const haproxy = await startHaproxy([pair.primary, pair.standby]);
    t.after(() => haproxy.stop());
    const { databaseUrl: url } = await pair.newMigratedDatabase();
    await pair.setSynchronous(true);
    const pooler = isPooled ? await startPgBouncer(haproxy) : undefined;
    t.after(() => pooler?.stop());
    applySessionSettings(pair.primary.url, "assay_service");
    const store = openPostgres(listHosts(url, [pooler ?? haproxy]), () => {});
    t.after(() => store.close());
    await waitUntil(() => store.ping().then(() => true, () => false), "HAProxy has found the primary");
    const { accountId } = await makeAccount(store);
    const database = /\/([^/?]+)$/.exec(url)![1]!;
    const readRefs = async (server: { port: number }) =>
      (await askServer<{ ref: string }>(server, "SELECT ref FROM ledger_entries WHERE ref LIKE 'sess%'", database)).map(({ ref }) => ref);

    const load = startChargeLoad(store, accountId);
    t.after(() => load.stop());
    await load.whenChargedMore(100);
    const timeline = await readTimeline(pair.primary);
    const isReplaced = new RegExp(`it was replaced: it is on timeline ${timeline}, and ${timeline + 1} has begun elsewhere`);
    pair.primary.kill9();
    haproxy.setPrimaries([false, false]);
    await pair.promote();
    haproxy.setPrimaries([false, true]);
    const promotedMs = performance.now();
    await load.whenChargedMore(1, backMsMax);
    t.diagnostic(`charging again ${Math.round(performance.now() - promotedMs)} ms after the promotion, at most ${backMsMax} ms are allowed`);
    await load.whenChargedMore(100);

    await pair.primary.restart();
    await askServer(pair.primary, "ALTER SYSTEM SET synchronous_standby_names = ''");
    await askServer(pair.primary, "SELECT pg_reload_conf()");
    let old = await readRefs(pair.primary);
    // Nothing but the old primary can be reached.
    haproxy.setPrimaries([true, false]);
    await waitUntil(() => store.ping().then(() => false, (error: Error) => isReplaced.test(error.message)), "the old primary is refused");
    // A pooler has led open connections there until they were cut.
    if (isPooled) old = await readRefs(pair.primary);
    const charged = load.told.charged.length;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    assert.equal(load.told.charged.length, charged, "nothing is acknowledged meanwhile");
    haproxy.setPrimaries([false, true]);
    await load.whenChargedMore(100, backMsMax);
    await load.stop();
    assert.deepEqual(await readRefs(pair.primary), old);
    const refs = await readRefs(pair.standby);
    const found = new Set(refs);
    assert.equal(found.size, refs.length);
    const misled = new Set(isPooled ? old : []);
    t.diagnostic(`${load.told.charged.filter((ref) => !found.has(ref)).length} calls were charged on the old primary while a pooler led there`);
    assert.deepEqual(load.told.charged.filter((ref) => !found.has(ref) && !misled.has(ref)), []);
    assert.deepEqual(load.told.refused.filter((ref) => found.has(ref)), []);
    t.diagnostic(`${load.told.charged.length} charged, ${load.told.refused.length} refused, ${load.told.unknown.length} without an answer`);
  });
});
