import type { ConsistencyReply, EntriesReply, InclusionReply } from "@assay/contract/ledger.ts";
import type { StatusReply } from "@assay/contract/operations.ts";
import { chainStart, verifyEntries } from "@assay/contract/ledger-chain.ts";
import { openCheckpoint } from "@assay/tlog/checkpoint.ts";
import { verifyConsistency } from "@assay/tlog/merkle.ts";
import { verifyReceiptProof } from "@assay/tlog/proof.ts";
import { hashRange, tilePath } from "@assay/tlog/tiles.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { publicLogQuota } from "../../../access/keys/verifying-windows.ts";
import { describeBothStores } from "../../../../test/both-stores.ts";
import { addEntries, extend, holdLogJob } from "../../../../test/log/log-context.ts";
import { makeAccount, type TestAccount } from "../../../../test/make-account.ts";
import { type OpenedApp, openApp } from "../../../../test/open-app.ts";
import { goodBody } from "../../../../test/send.ts";

describe("the log over HTTP", () => {
  let opened: OpenedApp;
  let account: TestAccount;
  const entries = 300;

  const get = (url: string, headers: Record<string, string> = { "x-api-key": account.liveKey }) => opened.app.inject({ url, headers });

  before(async () => {
    opened = await openApp();
    await holdLogJob(opened.deps.store);
    account = await makeAccount(opened.deps.store);
    await addEntries(opened.deps.store, account.accountId, entries);
    await extend(opened.deps.store);
  });
  after(() => opened.close());

  it("serves a checkpoint that its keys have signed, and tiles that give its root", async () => {
    const keys = await get("/log/key");
    const note = await get("/log/checkpoint");
    assert.deepEqual([keys.headers["content-type"], note.headers["content-type"]], ["text/plain; charset=utf-8", "text/plain; charset=utf-8"]);
    const logKeys = keys.body.trimEnd().split("\n");
    const { checkpoint } = await openCheckpoint(note.body, { logKeys, witnessKeys: [] });
    assert.equal(checkpoint.size, entries);
    const readTile = async (tile: Parameters<typeof tilePath>[0]) => {
      const answer = await get(`/log/tile/${tilePath(tile)}`);
      assert.deepEqual([answer.statusCode, answer.headers["content-type"]], [200, "application/octet-stream"], answer.body);
      return answer.rawPayload;
    };
    assert.deepEqual(Buffer.from(await hashRange({ from: 0, to: entries }, { size: entries, readTile })), Buffer.from(checkpoint.root));
    assert.deepEqual([(await get("/log/1/checkpoint")).body, (await get("/log/1/key")).body], [note.body, keys.body]);
    assert.deepEqual((await get("/log/1/tile/0/000")).rawPayload, (await get("/log/tile/0/000")).rawPayload);
  });

  it("lets tiles be cached for a year, full or partial, and checkpoints, keys and proofs never", async () => {
    for (const path of ["/log/tile/0/000", "/log/tile/0/001.p/44", "/log/1/tile/1/000.p/1"]) assert.equal((await get(path)).headers["cache-control"], "private, max-age=31536000, immutable", path);
    for (const path of ["/log/checkpoint", "/log/key", "/log/1/checkpoint", "/api/ledger/proof?seq=1", "/api/ledger/proof?consistency_from=1"]) assert.equal((await get(path)).headers["cache-control"], "no-store", path);
  });

  it("has no tile that is not covered by a checkpoint, and no second name for one [threat: tile-guessing]", async () => {
    const absent = ["0/002", "0/001", "0/001.p/45", "0/000.p/256", "0/000.p/0", "0/000.p/01", "0/0", "0/x000/000", "00/000", "1/000", "1/000.p/2", "2/000.p/1", "8/000.p/1", "63/000", "64/000", "-1/000", "0/x999/x999/x999/x999/x999/999", "0/%2e%2e/000", "entries/000", ""];
    for (const path of absent) {
      for (const prefix of ["/log/tile/", "/log/1/tile/", "/log/2/tile/"]) assert.equal((await get(prefix + path)).statusCode, 404, prefix + path);
    }
    for (const path of ["/log/2/checkpoint", "/log/2/key", "/log/99999/key"]) assert.equal((await get(path)).statusCode, 404, path);
    for (const path of ["/log/0/checkpoint", "/log/01/key", "/log/1e3/checkpoint"]) assert.equal((await get(path)).statusCode, 400, path);
  });

  it("proves an entry to anybody who has the keys, as a file of at most 1.5 KB and as JSON", async () => {
    const logKeys = (await get("/log/key")).body.trimEnd().split("\n");
    for (const seq of [1, 256, 300]) {
      const proof = await get(`/api/ledger/proof?seq=${seq}`);
      assert.deepEqual([proof.statusCode, proof.headers["content-type"]], [200, "text/plain; charset=utf-8"]);
      assert(proof.body.length <= 1_500);
      const { entries: [entry] } = (await get(`/api/ledger/entries?from=${seq}&limit=1`)).json<EntriesReply>();
      const receipt = { accountId: account.accountId, seq, hash: entry!.hash };
      assert.equal((await verifyReceiptProof(proof.body, receipt, { logKeys, witnessKeys: [] })).index, seq - 1);
      const json = (await get(`/api/ledger/proof?seq=${seq}`, { "x-api-key": account.liveKey, accept: "application/json" })).json<InclusionReply>();
      assert.deepEqual([json.receipt, json.index, json.size], [{ account_id: account.accountId, seq, hash: entry!.hash }, seq - 1, entries]);
    }
  });

  it("says of an entry that is not logged yet when to ask again, and of one that does not exist that it does not", async () => {
    await addEntries(opened.deps.store, account.accountId, 1);
    const waiting = await get(`/api/ledger/proof?seq=${entries + 1}`);
    assert.deepEqual([waiting.statusCode, waiting.headers["retry-after"]], [404, "10"]);
    const absent = await get(`/api/ledger/proof?seq=${entries + 2}`);
    assert.deepEqual([absent.statusCode, absent.headers["retry-after"]], [404, undefined]);
    const stranger = await makeAccount(opened.deps.store);
    assert.equal((await get("/api/ledger/proof?seq=1", { "x-api-key": stranger.liveKey })).statusCode, 404);
    for (const query of ["", "?seq=0", "?seq=x", "?seq=1&consistency_from=1", "?consistency_from=0"]) assert.equal((await get(`/api/ledger/proof${query}`)).statusCode, 400, query);
    await extend(opened.deps.store);
    assert.equal((await get(`/api/ledger/proof?seq=${entries + 1}`)).statusCode, 200);
  });

  it("proves that it has only grown", async () => {
    const root = async () => (await openCheckpoint((await get("/log/checkpoint")).body, { logKeys: (await get("/log/key")).body.trimEnd().split("\n"), witnessKeys: [] })).checkpoint;
    const earlier = await root();
    await addEntries(opened.deps.store, account.accountId, 77);
    await extend(opened.deps.store);
    const { from_size: fromSize, size, path } = (await get(`/api/ledger/proof?consistency_from=${earlier.size}`)).json<ConsistencyReply>();
    const later = await root();
    assert.deepEqual([fromSize, size], [earlier.size, later.size]);
    const asked = { fromSize, fromRoot: earlier.root, toSize: size, toRoot: later.root, path: path.map((hash) => Buffer.from(hash, "base64")) };
    assert.equal(await verifyConsistency(asked), true);
    assert.equal((await get(`/api/ledger/proof?consistency_from=${size + 1}`)).statusCode, 404);
  });

  it("gives an account its own entries in pages that verify as one chain", async () => {
    let place = chainStart;
    let from: number | null = 1;
    while (from !== null) {
      // Whatever limit says, and 1,000 is allowed: 200 at most.
      const page: EntriesReply = (await get(`/api/ledger/entries?from=${from}&limit=1000`)).json<EntriesReply>();
      assert.equal(page.entries.length, Math.min(200, page.head.seq - from + 1));
      const verdict = await verifyEntries(place, page.entries);
      assert(verdict.ok);
      ({ place } = verdict);
      from = page.next_from;
      if (from === null) assert.deepEqual([place.seq, place.hash, place.balance_micro], [page.head.seq, page.head.hash, page.head.balance_micro]);
    }
    assert.deepEqual((await get("/api/ledger/entries?from=100000")).json<EntriesReply>().entries, []);
    for (const query of ["limit=1001", "limit=0", "from=0", "from=-1"]) assert.equal((await get(`/api/ledger/entries?${query}`)).statusCode, 400, query);
  });

  it("never costs a scoring call a 429, and has limits of its own [threat: verifying-starves-scoring]", async () => {
    const caller = await makeAccount(opened.deps.store);
    const headers = { "x-api-key": caller.liveKey };
    for (let call = 0; call < 60; call += 1) assert.equal((await get("/log/checkpoint", headers)).statusCode, 200);
    assert.equal((await get("/api/ledger/entries", headers)).headers["ratelimit-policy"], '"hour";q=60000;w=3600, "burst";q=1000;w=60');
    const scored = await opened.app.inject({ method: "POST", url: "/api/ml/predict", headers, payload: goodBody });
    assert.equal(scored.statusCode, 200);
    assert.match(String(scored.headers.ratelimit), /"burst";r=49;/);
    assert.match(String((await get("/log/checkpoint", headers)).headers.ratelimit), /"burst";r=938;/);
  });

  it("is announced in the status", async () => {
    const { log } = (await get("/api/status")).json<StatusReply>();
    const { rows: [row] } = { rows: await opened.deps.store.db.selectFrom("logs").select("origin").execute() };
    assert.match(row!.origin, /^(?:assay|fuzz)\.example\.com\/assay\/[0-9A-Za-z]{8}$/);
    assert.deepEqual([log!.origin, log!.path, log!.delay_seconds_max, log!.witnessed_at, log!.previous], [row!.origin, "/log", 60, null, []]);
    assert(log!.size > entries && log!.logged_at !== null);
  });
});

describe("LEDGER_LOG", () => {
  it("public shows the log to everybody, cacheable by everybody, and nobody's entries", async () => {
    const opened = await openApp({ LEDGER_LOG: "public" });
    const { accountId } = await makeAccount(opened.deps.store);
    await addEntries(opened.deps.store, accountId, 3);
    await extend(opened.deps.store);
    const checkpoint = await opened.app.inject({ url: "/log/checkpoint" });
    const tile = await opened.app.inject({ url: "/log/tile/0/000.p/3" });
    assert.deepEqual([checkpoint.statusCode, tile.statusCode, tile.headers["cache-control"]], [200, 200, "public, max-age=31536000, immutable"]);
    assert(!checkpoint.body.includes(accountId));
    for (const path of ["/api/ledger/entries", "/api/ledger/proof?seq=1"]) assert.equal((await opened.app.inject({ url: path })).statusCode, 401);
    await opened.close();
  });

  it("developers, the default, asks for a key", async () => {
    const opened = await openApp();
    for (const path of ["/log/checkpoint", "/log/key", "/log/tile/0/000.p/1", "/log/1/checkpoint"]) assert.equal((await opened.app.inject({ url: path })).statusCode, 401, path);
    await opened.close();
  });

  it("off shows nothing of the log to anybody, while it is kept", async () => {
    const opened = await openApp({ LEDGER_LOG: "off" });
    const { accountId, liveKey } = await makeAccount(opened.deps.store);
    await addEntries(opened.deps.store, accountId, 3);
    assert.equal((await extend(opened.deps.store)).size, 3);
    for (const path of ["/log/checkpoint", "/log/key", "/log/tile/0/000.p/1", "/api/ledger/proof?seq=1"]) {
      assert.equal((await opened.app.inject({ url: path, headers: { "x-api-key": liveKey } })).statusCode, 404, path);
    }
    assert.equal((await opened.app.inject({ url: "/api/ledger/entries", headers: { "x-api-key": liveKey } })).statusCode, 200);
    assert.equal((await opened.app.inject({ url: "/api/status" })).json<StatusReply>().log, null);
    await opened.close();
  });
});

describeBothStores("the public log", (open) => {
  it("costs a flood of tiles no query each, and refuses its network once the window is used up, and no other [threat: tile-flood]", async (t) => {
    const { dataDir, databaseUrl } = await open();
    let queries = 0;
    const opened = await openApp({ LEDGER_LOG: "public", ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }, {
      dataDir,
      adapt(deps) {
        const db = deps.store.db.withPlugin({
          transformQuery({ node }) {
            queries += 1;
            return node;
          },
          transformResult: async ({ result }) => result,
        });
        return { ...deps, store: { ...deps.store, db } };
      },
    });
    t.after(() => opened.close());
    await holdLogJob(opened.deps.store);
    const account = await makeAccount(opened.deps.store);
    await addEntries(opened.deps.store, account.accountId, 300);
    await extend(opened.deps.store);
    const get = (url: string, remoteAddress: string) => opened.app.inject({ url, remoteAddress });
    const asked = queries;
    const paths = ["/log/tile/0/000", "/log/tile/0/001.p/44", "/log/tile/0/001.p/43", "/log/1/tile/0/000.p/9", "/log/tile/1/000.p/1"];
    const statuses: number[] = [];
    // More than the window has, in case some of them leave it meanwhile.
    while (!statuses.includes(429) && statuses.length < 3 * publicLogQuota.perMinute) {
      const answers = await Promise.all(Array.from({ length: 500 }, (_, nth) => get(paths[nth % paths.length]!, "203.0.113.7")));
      statuses.push(...answers.map(({ statusCode }) => statusCode));
    }
    assert.deepEqual(new Set(statuses), new Set([200, 429]));
    assert.ok(statuses.filter((status) => status === 200).length >= publicLogQuota.perMinute);
    // Those of the service's own upkeep are among them.
    assert.ok(queries - asked < 200, `${queries - asked} queries for ${statuses.length} tiles`);
    for (const path of [...paths, "/log/checkpoint", "/log/key", "/log/1/checkpoint", "/log/tile/0/999"]) {
      const refused = await get(path, "203.0.113.7");
      assert.deepEqual([refused.statusCode, refused.headers["cache-control"], refused.json<{ error: string }>().error], [429, "no-store", "rate_limit_exceeded"], path);
      assert.ok(Number(refused.headers["retry-after"]) >= 1 && Number(refused.headers["retry-after"]) <= 61);
    }
    assert.equal((await get(paths[0]!, "203.0.113.8")).statusCode, 200);
    const scored = await opened.app.inject({ method: "POST", url: "/api/ml/predict", remoteAddress: "203.0.113.7", headers: { "x-api-key": account.liveKey }, payload: goodBody });
    assert.equal(scored.statusCode, 200, "only the log is limited");
  });
});
