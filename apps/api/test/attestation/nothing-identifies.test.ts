/**
 * Visitors with known addresses are measured and scored by real services, over a midnight where the clock can be moved.
 * Afterwards everything that is left is searched for their addresses, in all notations.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { networkOf } from "../../src/attestation/networks/network-of.ts";
import { selectSalts } from "../../src/attestation/networks/networks.table.ts";
import { msPerDay, msPerHour, msPerMinute, startOfDay } from "../../src/formats/time.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { hasRedisServer, patientService, startRedis } from "../access/start-redis.ts";
import { readTables } from "../dump-database.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { type Answer, goodSignals, predict, send, waitUntil } from "../send.ts";
import { joinPostgres, whyPostgresIsSkipped } from "../start-postgres.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";
import { findNotations, notationsOf } from "./find-address.ts";
import { makeSite, shop } from "./visit-page.ts";

const addresses = ["203.0.113.77", "::ffff:198.51.100.23", "::ffff:c000:0285", "2001:db8:85a3:8d3:1319:8a2e:370:7348", "2001:db8:9a::42", "2001:0DB8:00AB:0000:0000:0000:0000:0017"];
const userAgent = "Mozilla/5.0 (Watchdog; Ottilie's own device) Distinct/7.3.1";
const env = { LOG_LEVEL: "trace", TRUST_PROXY: "127.0.0.1" };
const program = new URL("../faults/rig/rigged-node.ts", import.meta.url).pathname;

type Visitor = { address: string; nodes: readonly { url: string }[]; siteId: string };

/** As a page sends it, through the operator's proxy. */
const post = ({ address, nodes }: Visitor, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  send(nodes[Math.floor(Math.random() * nodes.length)]!, `/c/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "text/plain", origin: shop, "user-agent": userAgent, referer: `${shop}/private`, cookie: "id=ottilie", "x-forwarded-for": address, ...headers },
    body,
  });

/** Everything that goes wrong for somebody. */
async function err(visitor: Visitor): Promise<void> {
  const answers = await Promise.all([
    post(visitor, "start", { site: `site_${"0".repeat(20)}` }),
    post(visitor, "start", { site: visitor.siteId, ip: visitor.address }, { origin: "https://evil.example" }),
    post(visitor, "start", "{"),
    post(visitor, "start", visitor.address, { "content-type": "text/html" }),
    post(visitor, "beat", { token: `at1.20000.${visitor.address}`, d: {} }),
    post(visitor, "beat", { token: "x", d: { view_ms: visitor.address } }),
    post(visitor, "start", { site: visitor.siteId, padding: visitor.address.repeat(500) }),
    send(visitor.nodes[0]!, `/c/v1/${visitor.address}?ip=${visitor.address}`, { headers: { "x-forwarded-for": visitor.address, "user-agent": userAgent } }),
  ]);
  assert.deepEqual(answers.map(({ status }) => status), [404, 403, 400, 415, 400, 400, 413, 404]);
  for (const { text } of answers) assert.deepEqual(findNotations(notationsOf(visitor.address), text), []);
}

/** All of them begin, beat after `pass`, and are scored, once as attested and once as asserted. Returns all their tokens. */
async function visitAll(visitors: readonly Visitor[], account: TestAccount, pass: () => Promise<void>): Promise<string[]> {
  const begun = await Promise.all(visitors.map(async (visitor) => ({ visitor, tokens: [(await post(visitor, "start", { site: visitor.siteId })).json()["token"] as string] })));
  await pass();
  for (const { visitor, tokens } of begun) {
    const beat = await post(visitor, "beat", { token: tokens[0], d: { view_ms: 4_000, active_ms: 4_000, clicks: 2, pages: 1, scroll: 0.5 } });
    assert.equal(beat.status, 200, beat.text);
    const token = beat.json()["token"] as string;
    tokens.push(token);
    const answers = [
      await predict(visitor.nodes[0]!, account.liveKey, { body: { session_data: {}, session_token: token }, headers: { "idempotency-key": token.slice(-40) } }),
      await predict(visitor.nodes[0]!, account.liveKey, { body: { session_data: goodSignals, session_token: token } }),
      await predict(visitor.nodes[0]!, account.liveKey, { body: { session_data: {}, session_token: token } }),
      await predict(visitor.nodes[0]!, account.liveKey, { body: { session_data: goodSignals, session_token: `${token.slice(0, -4)}AAAA` } }),
      await predict(visitor.nodes[0]!, account.testKey, { body: { session_data: {}, session_token: token } }),
    ];
    assert.deepEqual(answers.map(({ status }) => status), [200, 200, 409, 400, 200], JSON.stringify(answers.map(({ text }) => text)));
    assert.deepEqual(answers.slice(0, 2).map((answer) => answer.json()["attestation"]), ["server_timed", "asserted"]);
    await err(visitor);
  }
  return begun.flatMap(({ tokens }) => tokens);
}

const saltsIn = (store: Store) => selectSalts(store.db).execute();

/** The tags that the service has computed, with the salts of that moment. */
async function tagsOf(store: Store): Promise<string[]> {
  const salts = await saltsIn(store);
  return salts.flatMap(({ salt }) => addresses.map((address) => createHmac("sha256", Buffer.from(salt, "base64url")).update(networkOf(address)!).digest("hex").slice(0, 16)));
}

/**
 * The bytes of all files in a folder. Another process copies them: if this one, which has the database open, closed one
 * of its files, its locks would be gone.
 */
function readFolder(folder: string): string {
  const copy = makeTestFolder();
  execFileSync(process.execPath, ["--eval", "fs.cpSync(process.argv[1], process.argv[2], { recursive: true })", folder, copy]);
  return readdirSync(copy, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), "latin1")}`)
    .join("\n");
}

function assertNothingIdentifies(left: Record<string, string>, { tokens, tags }: { tokens: readonly string[]; tags: readonly string[] }): void {
  for (const [what, text] of Object.entries(left)) {
    for (const address of addresses) assert.deepEqual(findNotations(notationsOf(address), text), [], `${address} is in ${what}`);
    for (const words of [userAgent, "Watchdog", "Ottilie", "ottilie", `${shop}/private`]) assert(!text.includes(words), `${words} is in ${what}`);
    for (const token of tokens) {
      const sealed = token.split(".")[2]!;
      const bytes = Buffer.from(sealed, "base64url").toString("latin1");
      assert(!text.includes(sealed.slice(0, 24)) && !text.includes(sealed.slice(-24)) && !text.includes(bytes.slice(0, 16)), `a token is in ${what}`);
    }
    for (const tag of tags) {
      const bytes = Buffer.from(tag, "hex");
      for (const form of [tag, bytes.toString("base64url"), bytes.toString("base64"), bytes.toString("latin1")]) assert(!text.includes(form), `a network's tag is in ${what}`);
    }
  }
}

describe("the search for addresses", () => {
  it("finds each of them in any notation", () => {
    for (const address of addresses) assert.ok(findNotations(notationsOf(address), `x${address}y`).length > 0);
    const found = (address: string, text: string) => findNotations(notationsOf(address), text).length > 0;
    for (const text of ["203.0.113.0/24", "cb00714d", "0xCB00714D", "3405803853", "[203,0,113,77]", "::ffff:cb00:714d", "ywBxTQ==", Buffer.from("203.0.113.77").toString("base64"), "77.113.0.203.in-addr.arpa"]) assert(found("203.0.113.77", text), text);
    for (const text of ["2001:db8:85a3::/48", "2001:0DB8:85A3:08D3:1319:8A2E:0370:7348", "20010db885a308d313198a2e03707348", Buffer.from("20010db885a3", "hex").toString("latin1")]) assert(found(addresses[3]!, text), text);
    assert(!found("203.0.113.77", "203.0.114.77 10.0.113.7 2001:db8::1"));
  });
});

describe("nothing that identifies a visitor is left", () => {
  const closers: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });

  it("in SQLite's files, the data folder, logs or metrics, after a day and a midnight [threat: address-disclosure]", async () => {
    const dataDir = makeTestFolder();
    const midnight = startOfDay(Date.now()) + 2 * msPerDay;
    const serveAt = async (atMs: number): Promise<TestService> => {
      const service = await startService({ dataDir, program, env: { ...env, RIG_AHEAD_MS: String(atMs - Date.now()) } });
      closers.push(() => service.stop());
      return service;
    };
    const setClock = async (service: TestService, atMs: number): Promise<void> => {
      const acknowledged = once(service.child, "message");
      service.child.send({ aheadMs: atMs - Date.now() });
      await acknowledged;
    };
    const first = await serveAt(midnight - 30 * msPerMinute);
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    closers.push(() => store.close());
    const account = await makeAccount(store, { tier: vastTier });
    const siteId = await makeSite(store, { accountId: account.accountId });
    const visitorsOf = (service: TestService) => addresses.map((address) => ({ address, nodes: [service], siteId }));
    await waitUntil(async () => (await post(visitorsOf(first)[0]!, "start", { site: siteId })).status === 201, "the node knows the site");
    const tokens: string[] = [];
    for (const atMs of [midnight - 30 * msPerMinute, midnight - 5_000, midnight + 10 * msPerMinute]) {
      await setClock(first, atMs);
      tokens.push(...(await visitAll(visitorsOf(first), account, () => setClock(first, atMs + 8_000))));
    }
    const salts = await saltsIn(store);
    assert.deepEqual(salts.map(({ day }) => day), [midnight, midnight - msPerDay], "one salt a day");
    const tags = await tagsOf(store);
    const metrics = (await send(first, "/metrics")).text;
    assert.match(metrics, /assay_calls_total\{route="\/c\/v1\/start",status="201"\}/);
    // While it runs, and in the write-ahead log too.
    assertNothingIdentifies({ "the data folder of a running service": readFolder(dataDir), metrics }, { tokens, tags });
    await first.stop();

    // Two days later the evening's salt is gone for good.
    const second = await serveAt(midnight + msPerDay + 10 * msPerHour);
    await waitUntil(async () => (await saltsIn(store)).every(({ day }) => day >= midnight), "the job has deleted the salt of the day before yesterday");
    tokens.push(...(await visitAll(visitorsOf(second), account, () => setClock(second, midnight + msPerDay + 10 * msPerHour + msPerMinute))));
    const laterTags = await tagsOf(store);
    assert.deepEqual(laterTags.filter((tag) => tags.includes(tag)).length, addresses.length, "of the day that is left");
    await second.stop();
    const logs = `${first.logs()}\n${second.logs()}`;
    assert(logs.includes('"answered"') && logs.includes("/c/v1/beat"), "calls are logged at this level");
    const folder = readFolder(dataDir);
    const tables = [...(await readTables({ store, dataDir })).entries()].map(([name, rows]) => `${name}\n${rows.join("\n")}`).join("\n");
    assert(tables.includes(siteId) && folder.includes(siteId) && tables.includes("attested_sessions"), "the dump contains what is stored");
    assertNothingIdentifies({ tables, folder, logs }, { tokens, tags: [...tags, ...laterTags] });
    const [, evening] = salts;
    for (const form of [evening!.salt, Buffer.from(evening!.salt, "base64url").toString("hex"), Buffer.from(evening!.salt, "base64url").toString("latin1")]) assert(!folder.includes(form) && !logs.includes(form), "the deleted salt is left");
    assert(folder.includes(salts[0]!.salt), "yesterday's is not deleted yet");
  });

  const skip = whyPostgresIsSkipped() || (!hasRedisServer() && "redis-server is not installed");
  it("in PostgreSQL, Redis, logs or metrics of two nodes, which share one salt [threat: address-disclosure]", { skip }, async () => {
    const [postgres, server] = await Promise.all([joinPostgres(), startRedis()]);
    closers.push(() => postgres.stop(), () => server.stop());
    const databaseUrl = await postgres.newDatabase();
    const nodes = await Promise.all([1, 2].map(() => startService({ databaseUrl, redisUrl: server.url, env, program: patientService })));
    closers.push(() => Promise.all(nodes.map((node) => node.stop())));
    const { store } = await openStore({ databaseUrl, dataDir: makeTestFolder() }, { nowMs: Date.now(), onConnectionError: () => {} });
    closers.push(() => store.close());
    const account = await makeAccount(store, { tier: vastTier });
    const siteId = await makeSite(store, { accountId: account.accountId });
    const visitors = addresses.map((address) => ({ address, nodes, siteId }));
    for (const node of nodes) await waitUntil(async () => (await post({ address: "192.0.2.1", nodes: [node], siteId }, "start", { site: siteId })).status === 201, "the node knows the site");
    // A beat counts from three seconds on, by the database's clock.
    const tokens = await visitAll(visitors, account, () => sleep(3_500));
    const today = startOfDay(Date.now());
    const salts = (await saltsIn(store)).filter(({ day }) => day <= today);
    assert.deepEqual(salts.length, 1, "two nodes, one salt");
    const tags = await tagsOf(store);
    const metrics = (await Promise.all(nodes.map((node) => send(node, "/metrics")))).map(({ text }) => text).join("\n");

    const redis = new Redis(server.url);
    closers.push(async () => redis.disconnect());
    const keys = await redis.keys("*");
    const networks = keys.filter((key) => key.startsWith("limits:{network:"));
    assert(networks.length >= addresses.length && networks.length <= addresses.length + 2, "one tag a network, whichever node was asked");
    const stored: string[] = [];
    for (const key of networks) {
      assert.match(key, /^limits:\{network:[0-9a-f]{16}\}$/);
      assert(tags.includes(/network:(\w+)/.exec(key)![1]!) || networks.length > addresses.length);
      const ttlMs = await redis.pttl(key);
      assert(ttlMs > 0 && ttlMs <= 2 * msPerHour, `${key} lives ${ttlMs} ms`);
    }
    for (const key of keys) {
      const bytes = await redis.dumpBuffer(key);
      stored.push(key, bytes?.toString("latin1") ?? "");
    }
    assertNothingIdentifies({ "Redis' values": stored.join("\n") }, { tokens, tags: [] });
    await Promise.all(nodes.map((node) => node.stop()));
    const logs = nodes.map((node) => node.logs()).join("\n");
    assert(logs.includes('"answered"'));
    const tables = [...(await readTables({ store, dataDir: "" })).entries()].map(([name, rows]) => `${name}\n${rows.join("\n")}`).join("\n");
    assert(tables.includes(siteId));
    assertNothingIdentifies({ tables, logs, metrics, folders: nodes.map(({ dataDir }) => readFolder(dataDir)).join("\n") }, { tokens, tags });
  });
});
