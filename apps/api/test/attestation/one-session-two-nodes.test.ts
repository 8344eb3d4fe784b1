/** A session is one attested call, on however many nodes its token is sent at once. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { changeSite, removeSite } from "../../src/attestation/sites/manage-sites.ts";
import { verifyLedger } from "../../src/money/ledger/verify-ledger.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { hasRedisServer, type RedisServer, startRedis } from "../access/start-redis.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { readLedger } from "../read-ledger.ts";
import { type Answer, goodSignals, predict, send, waitUntil } from "../send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";
import { makeSite, shop } from "./visit-page.ts";

const skip = whyPostgresIsSkipped() || (!hasRedisServer() && "redis-server is not installed");
const copies = 100;

describe("a session on two nodes", { skip }, () => {
  let postgres: Awaited<ReturnType<typeof joinPostgres>>;
  let redis: RedisServer;
  let nodes: TestService[];
  let store: Store;
  let siteId: string;
  let owner: TestAccount;

  before(async () => {
    [postgres, redis] = await Promise.all([joinPostgres(), startRedis()]);
    const databaseUrl = await postgres.newDatabase();
    nodes = await Promise.all([1, 2].map(() => startService({ databaseUrl, redisUrl: redis.url, env: { TRUST_PROXY: "127.0.0.1" } })));
    ({ store } = await openStore({ databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} }));
    owner = await makeAccount(store, { tier: vastTier });
    siteId = await makeSite(store, { accountId: owner.accountId });
    await whenAllAnswer("start", { site: siteId }, 201);
  });
  after(async () => {
    await Promise.all(nodes?.map((node) => node.stop()) ?? []);
    await store?.close();
    await redis?.stop();
    await postgres?.stop();
  });

  let networks = 0;
  const post = (node: TestService, path: string, body: unknown): Promise<Answer> =>
    send(node, `/c/v1/${path}`, { method: "POST", headers: { origin: shop, "content-type": "text/plain", "x-forwarded-for": `203.0.${(networks += 1)}.1` }, body });
  /** Nodes follow changes of sites within about a second. */
  const whenAllAnswer = (path: string, body: unknown, status: number) =>
    waitUntil(async () => (await Promise.all(nodes.map((node) => post(node, path, body)))).every((answer) => answer.status === status), `every node answers ${status}`);

  /** The token of a session that one node began and the other continued. */
  async function measure(): Promise<string> {
    const { token } = (await post(nodes[0]!, "start", { site: siteId })).json();
    await sleep(3_500);
    const beat = await post(nodes[1]!, "beat", { token, d: { view_ms: 3_000, active_ms: 2_000, clicks: 1, pages: 1 } });
    assert.equal(beat.status, 200, beat.text);
    return String(beat.json()["token"]);
  }

  const sendCopies = (token: string, sent: object) =>
    Promise.all(Array.from({ length: copies }, (_, nth) => predict(nodes[nth % 2]!, owner.liveKey, { body: { session_data: sent, session_token: token } })));
  const toldBy = (answers: readonly Answer[]) => answers.map((answer) => (answer.status === 200 ? `${answer.json()["attestation"] as string} ${String(answer.json()["attestation_issues"])}` : `${answer.status} ${answer.json()["error"] as string}`)).toSorted();
  const count = async () => (await readLedger(store, owner.accountId)).length;

  it("gives one attested call of a hundred at once, and the others are billed as the caller's word [threat: forked-token]", async () => {
    const token = await measure();
    const had = await count();
    const answers = await sendCopies(token, goodSignals);
    assert.deepEqual(toldBy(answers), [...Array.from({ length: copies - 1 }, () => "asserted token_used"), "server_timed "]);
    assert.equal((await count()) - had, copies);
    assert.equal(new Set(answers.map(({ headers }) => headers["assay-receipt"])).size, copies);
  });

  it("gives one answer of a hundred at once if the calls have no signals, and one is billed [threat: forked-token]", async () => {
    const token = await measure();
    const had = await count();
    assert.deepEqual(toldBy(await sendCopies(token, {})), [...Array.from({ length: copies - 1 }, () => "409 session_token_used"), "server_timed "]);
    assert.equal((await count()) - had, 1);
    const rows = await store.db.selectFrom("attested_sessions").select("id").where("account_id", "=", owner.accountId).execute();
    assert.equal(rows.length, 2, "one row for each session of this file");
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });

  it("gives one answer to a hundred retries with one key, from either node [threat: replayed-token]", async () => {
    const token = await measure();
    const had = await count();
    const headers = { "idempotency-key": "one order" };
    const answers = await Promise.all(Array.from({ length: copies }, (_, nth) => predict(nodes[nth % 2]!, owner.liveKey, { body: { session_data: {}, session_token: token }, headers })));
    assert.deepEqual(toldBy(answers), Array.from({ length: copies }, () => "server_timed "));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal((await count()) - had, 1);
  });

  it("ends on every node when its site is removed, and before that follows its origins", async () => {
    const named = () => ({ accountId: owner.accountId, actorAccountId: null, nowMs: Date.now() });
    const moved = await makeSite(store, { accountId: owner.accountId });
    await whenAllAnswer("start", { site: moved }, 201);
    const { token } = (await post(nodes[0]!, "start", { site: moved })).json();
    await changeSite(store, { ...named(), siteId: moved, origins: ["https://elsewhere.example"] });
    await whenAllAnswer("beat", { token, d: {} }, 403);
    await changeSite(store, { ...named(), siteId: moved, origins: [shop] });
    await whenAllAnswer("beat", { token, d: {} }, 200);
    await removeSite(store, { ...named(), siteId: moved });
    await whenAllAnswer("start", { site: moved }, 404);
    for (const node of nodes) assert.deepEqual((await post(node, "beat", { token, d: {} })).json()["error"], "session_token_expired");
  });
});
