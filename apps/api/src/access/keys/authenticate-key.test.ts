import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { changeTier, resumeAccount, setTier, suspendAccount } from "../../people/change-account.ts";
import type { Store } from "../../store/store.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { waitUntil } from "../../../test/send.ts";
import { whileHeld } from "../../../test/store/hold-rows.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { type Authenticator, createAuthenticator } from "./authenticate-key.ts";
import { followKeyChanges, type KeyChangeChannel, type KeyChangeFollower } from "./follow-key-changes.ts";
import { issueKey } from "./issue-key.ts";
import { hashKey, makeKey, withChecksum } from "./key-format.ts";
import { createKeyUseRecorder } from "./record-key-use.ts";
import { revokeKey } from "./revoke-key.ts";

const sender = { ip: "192.0.2.1" };

/** The same store, with its queries and writes counted. */
function counting(store: Store): { store: Store; queries: () => number; writes: () => number } {
  let queries = 0;
  let writes = 0;
  const counted = store.db.withPlugin({
    transformQuery({ node }) {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const write: Store["write"] = (statements) => {
    writes += 1;
    return store.write(statements);
  };
  return { store: { ...store, db: counted, write }, queries: () => queries, writes: () => writes };
}

describeBothStores("authentication", (open) => {
  let database: TestDatabase;

  before(async () => {
    database = await open();
  });

  /** An authenticator with an up-to-date revocation feed, on clocks that the test moves. */
  function start() {
    const { store, queries } = counting(database.store);
    const clock = { nowMs: Date.now(), monotonicMs: 0 };
    const authenticator = createAuthenticator(store, { nowMs: () => clock.nowMs, monotonicMs: () => clock.monotonicMs });
    authenticator.changesAppliedUpTo(0);
    return { authenticator, clock, queries };
  }

  it("refuses malformed keys without a query", async () => {
    const { authenticator, queries } = start();
    const key = makeKey("live");
    for (const wrong of ["", "x", key.slice(0, -1), `${key}a`, key.replace("live", "test"), key.slice(0, -1) + (key.endsWith("0") ? "1" : "0"), "x".repeat(100_000)]) {
      assert.equal(authenticator.authenticate(wrong, sender), undefined);
    }
    assert.equal(queries(), 0);
  });

  it("looks keys up by their hash only, however much a guess has in common with a real key [threat: key-timing]", async () => {
    const { liveKey } = await makeAccount(database.store);
    const asked: unknown[] = [];
    const db = database.store.db.withPlugin({
      transformQuery({ node }) {
        asked.push(...[...JSON.stringify(node).matchAll(/"value":"([^"]+)"/g)].map(([, value]) => value));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const authenticator = createAuthenticator({ ...database.store, db }, { nowMs: Date.now, monotonicMs: () => 0 });
    authenticator.changesAppliedUpTo(0);
    assert((await authenticator.authenticate(liveKey, sender)) !== undefined);
    // Well-formed guesses that share ever longer prefixes with the real key.
    const guesses = [0, 8, 16, 24, 31].map((shared) => {
      const known = liveKey.slice(0, "assay_live_".length + shared);
      const other = liveKey[known.length] === "z" ? "y" : "z";
      return withChecksum(known + other.repeat(32 - shared));
    });
    for (const guess of [...guesses, ...guesses]) assert.equal(await authenticator.authenticate(guess, sender), undefined);
    const hashes = [liveKey, ...guesses].map((key) => hashKey(key));
    assert.deepEqual(asked.filter((value) => /^[0-9a-f]{64}$/.test(String(value))), hashes, "each hash once");
    for (const value of asked) assert(!String(value).includes("assay_live_"), "no key reaches a query");
  });

  it("queries the store once per key, known or unknown, however many calls carry it", async () => {
    const { authenticator, queries } = start();
    const { liveKey, accountId, liveKeyId } = await makeAccount(database.store, { tier: "Growth" });
    const { created_at: accountCreatedMs } = await database.store.db.selectFrom("accounts").select("created_at").where("id", "=", accountId).executeTakeFirstOrThrow();
    const callers = await Promise.all(Array.from({ length: 20 }, async () => authenticator.authenticate(liveKey, sender)));
    assert.equal(queries(), 1);
    assert.deepEqual(callers[19], {
      keyId: liveKeyId,
      accountId,
      mode: "live",
      quota: { perHour: 10_000, perMinute: 200 },
      limitSubject: accountId,
      shareBps: 6_900,
      houseAds: true,
      pinnedModel: null,
      accountCreatedMs,
      calibration: null,
      expiresAtMs: undefined,
    });
    assert.equal(authenticator.authenticate(liveKey, sender), callers[0], "synchronously, from the cache");
    const unknown = makeKey("live");
    assert.equal(await authenticator.authenticate(unknown, sender), undefined);
    assert.equal(authenticator.authenticate(unknown, sender), undefined);
    assert.equal(queries(), 2);
  });

  it("gives test keys Starter windows of their own, whatever the account's tier", async () => {
    const { authenticator } = start();
    const { testKey, accountId } = await makeAccount(database.store, { tier: "Scale" });
    const caller = await authenticator.authenticate(testKey, sender);
    assert.deepEqual(caller?.quota, { perHour: 1_000, perMinute: 50 });
    assert.equal(caller?.limitSubject, `${accountId}:test`);
  });

  it("refuses a cached key from the moment it expires", async () => {
    const { authenticator, clock } = start();
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    await database.store.write([
      database.store.db.updateTable("api_keys").set({ expires_at: clock.nowMs + 1_000 }).where("id", "=", liveKeyId),
    ]);
    assert((await authenticator.authenticate(liveKey, sender)) !== undefined);
    clock.nowMs += 999;
    assert(authenticator.authenticate(liveKey, sender) !== undefined);
    clock.nowMs += 1;
    assert.equal(authenticator.authenticate(liveKey, sender), undefined);
  });

  it("checks every key against the store while the revocation feed is more than a second stale [threat: revoked-key]", async () => {
    const { authenticator, clock, queries } = start();
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    await authenticator.authenticate(liveKey, sender);
    clock.monotonicMs = 1_000;
    assert(!(authenticator.authenticate(liveKey, sender) instanceof Promise));
    assert.equal(queries(), 1);
    clock.monotonicMs = 1_001;
    await revokeKey(database.store, { keyId: liveKeyId, nowMs: Date.now(), channel: undefined });
    assert.equal(await authenticator.authenticate(liveKey, sender), undefined, "revoked without an announcement");
    assert.equal(queries(), 2);
  });

  it("does not cache a look-up that began before a change", async () => {
    const { authenticator } = start();
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    const early = authenticator.authenticate(liveKey, sender);
    authenticator.forget("*");
    await early;
    await revokeKey(database.store, { keyId: liveKeyId, nowMs: Date.now(), channel: undefined });
    assert.equal(await authenticator.authenticate(liveKey, sender), undefined);
  });

  it("does not answer a call with the result of a look-up that began more than a second before it", async () => {
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    const [hasRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    const db = database.store.db.withPlugin({
      transformQuery: ({ node }) => node,
      // The first row is read before the revocation and arrives long after it.
      async transformResult({ result }) {
        if (reads++ > 0) return result;
        hasRead.resolve();
        await mayGoOn.promise;
        return result;
      },
    });
    const clock = { monotonicMs: 0 };
    const authenticator = createAuthenticator({ ...database.store, db }, { nowMs: Date.now, monotonicMs: () => clock.monotonicMs });
    const slow = authenticator.authenticate(liveKey, sender);
    await hasRead.promise;
    await revokeKey(database.store, { keyId: liveKeyId, nowMs: Date.now(), channel: undefined });
    clock.monotonicMs = 1_001;
    const late = authenticator.authenticate(liveKey, sender);
    mayGoOn.resolve();
    assert(await slow);
    assert.equal(await late, undefined);
    assert.equal(await authenticator.authenticate(liveKey, sender), undefined, "the late result is not used either");
  });

  it("looks an unknown key up again after 5 seconds", async () => {
    const { authenticator, clock, queries } = start();
    const unknown = makeKey("live");
    await authenticator.authenticate(unknown, sender);
    clock.monotonicMs += 5_000;
    authenticator.changesAppliedUpTo(clock.monotonicMs);
    await authenticator.authenticate(unknown, sender);
    assert.equal(queries(), 2);
  });

  it("limits concurrent look-ups: a flood of made-up keys is refused, and another address is answered meanwhile", async () => {
    const { authenticator } = start();
    const { liveKey } = await makeAccount(database.store);
    // Opens the connections before the queueing is measured.
    await Promise.all(["1", "2", "3", "4"].map(async (ip) => authenticator.authenticate(makeKey("live"), { ip })));
    let settled = 0;
    const count = () => (settled += 1);
    const flood = Array.from({ length: 600 }, () => Promise.resolve(authenticator.authenticate(makeKey("live"), sender)));
    for (const each of flood) each.then(count, () => {});
    const settledByThen = Promise.resolve(authenticator.authenticate(liveKey, { ip: "198.51.100.7" })).then((caller) => (caller ? settled : undefined));
    const outcomes = await Promise.allSettled(flood);
    assert(((await settledByThen) ?? Number.POSITIVE_INFINITY) <= 50, `it waited behind ${await settledByThen} calls of the flood`);
    const refused = outcomes.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    assert.equal(refused.length, 600 - 503, "three at once and half of the waiting places");
    for (const { reason } of refused) assert.equal((reason as { code: string }).code, "overloaded");
  });
});

/** A store that answers every look-up with the same row, or with none, and counts them. */
function storeDouble(row: object | undefined): { store: Store; queries: () => number } {
  let queries = 0;
  const answer = async () => {
    queries += 1;
    return row;
  };
  const query: object = new Proxy({}, { get: (_, method) => (method === "executeTakeFirst" ? answer : () => query) });
  return { store: { db: query } as unknown as Store, queries: () => queries };
}

describe("the key cache of a node", () => {
  const known = {
    key_id: "key_1",
    account_id: "acct_1",
    mode: "live",
    status: "active",
    expires_at: null,
    revoked_at: null,
    per_hour: 1_000,
    per_minute: 50,
    share_bps: 6_800,
  };
  for (const [kind, row] of [["known", known], ["unknown", undefined]] as const) {
    it(`is bounded: the 10,001st ${kind} key evicts the first`, async () => {
      const { store, queries } = storeDouble(row);
      const authenticator = createAuthenticator(store, { nowMs: () => 0, monotonicMs: () => 0 });
      authenticator.changesAppliedUpTo(0);
      const keys = Array.from({ length: 10_001 }, () => makeKey("live"));
      for (const key of keys.slice(0, -1)) await authenticator.authenticate(key, sender);
      for (const key of keys.slice(0, -1)) assert(!(authenticator.authenticate(key, sender) instanceof Promise));
      assert.equal(queries(), 10_000, "all of them are cached");
      await authenticator.authenticate(keys.at(-1)!, sender);
      assert(!(authenticator.authenticate(keys[1]!, sender) instanceof Promise));
      assert.equal(queries(), 10_001);
      await authenticator.authenticate(keys[0]!, sender);
      assert.equal(queries(), 10_002, "the first was evicted");
    });
  }

  it("is filled for three unknown keys of a network at once, whichever of its addresses they come from", async () => {
    let running = 0;
    const ends: (() => void)[] = [];
    const read = () => new Promise<undefined>((resolve) => {
      running += 1;
      ends.push(() => resolve(undefined));
    });
    const query: object = new Proxy({}, { get: (_, method) => (method === "executeTakeFirst" ? read : () => query) });
    const lineOf = (ip: string) => ip.replace(/::.*$/, "::/48");
    const authenticator = createAuthenticator({ db: query } as unknown as Store, { nowMs: () => 0, monotonicMs: () => 0, lineOf });
    const guesses = Array.from({ length: 10 }, (_, index) => authenticator.authenticate(makeKey("live"), { ip: `2001:db8:1::${index}` }));
    assert.equal(running, 3);
    const other = authenticator.authenticate(makeKey("live"), { ip: "2001:db8:2::1" });
    assert.equal(running, 4);
    while (ends.length > 0) {
      ends.shift()!();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual([...new Set(await Promise.all([...guesses, other]))], [undefined]);
  });

  for (const [what, isForgotten] of [["account:acct_1", true], ["account:acct_2", false], ["*", true]] as const) {
    it(`${isForgotten ? "forgets" : "keeps"} a key of account acct_1 when told to forget ${what}`, async () => {
      const { store } = storeDouble(known);
      const authenticator = createAuthenticator(store, { nowMs: () => 0, monotonicMs: () => 0 });
      authenticator.changesAppliedUpTo(0);
      const key = makeKey("live");
      await authenticator.authenticate(key, sender);
      authenticator.forget(what);
      assert.equal(authenticator.authenticate(key, sender) instanceof Promise, isForgotten, "whether the store is asked again");
    });
  }
});

describeBothStores("the revocation feed", (open, dialect) => {
  let database: TestDatabase;
  let authenticator: Authenticator;
  let follower: KeyChangeFollower;
  let announce: (subject: string) => void;

  before(async () => {
    database = await open();
    const monotonicMs = () => performance.now();
    authenticator = createAuthenticator(database.store, { nowMs: Date.now, monotonicMs });
    const channel: KeyChangeChannel = {
      publish: () => {},
      subscribe: (onSubject) => {
        announce = onSubject;
      },
    };
    follower = await followKeyChanges(database.store, authenticator, { channel, monotonicMs, onError: (error) => assert.fail(String(error)) });
  });

  after(() => follower.stop());

  const now = () => ({ nowMs: Date.now(), channel: undefined });
  const isGood = async (key: string) => (await authenticator.authenticate(key, sender)) !== undefined;

  it("delivers revoked keys and suspended or resumed accounts, and affects no other account", async () => {
    const [one, other] = [await makeAccount(database.store), await makeAccount(database.store)];
    const second = await issueKey(database.store, { accountId: one.accountId, mode: "live", name: "second", nowMs: Date.now() });
    for (const key of [one.liveKey, second.key, one.testKey, other.liveKey]) assert(await isGood(key));
    assert.equal(await revokeKey(database.store, { keyId: one.liveKeyId, ...now() }), "revoked");
    await waitUntil(async () => !(await isGood(one.liveKey)), "the revoked key stops");
    assert(await isGood(second.key));
    assert.equal(await suspendAccount(database.store, { accountId: one.accountId, reason: "a test", actorAccountId: null, ...now() }), "changed");
    await waitUntil(async () => !(await isGood(second.key)) && !(await isGood(one.testKey)), "the suspended account's keys stop");
    assert(await isGood(other.liveKey));
    assert.equal(await resumeAccount(database.store, { accountId: one.accountId, reason: "a test", actorAccountId: null, ...now() }), "changed");
    await waitUntil(async () => (await isGood(second.key)) && (await isGood(one.testKey)), "the resumed account's keys work");
    assert.equal(await isGood(one.liveKey), false, "but not the revoked one");
  });

  it("delivers a revocation within a second by its poll alone", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    // On a clock that stands still the feed never becomes stale, so that only the poll can evict the key.
    const monotonicMs = () => 0;
    const polled = createAuthenticator(database.store, { nowMs: Date.now, monotonicMs });
    const { stop } = await followKeyChanges(database.store, polled, { channel: undefined, monotonicMs, onError: (error) => assert.fail(String(error)) });
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    assert(await polled.authenticate(liveKey, sender));
    await revokeKey(database.store, { keyId: liveKeyId, ...now() });
    assert(polled.authenticate(liveKey, sender), "without a poll it is in the cache");
    t.mock.timers.tick(999);
    await waitUntil(async () => (await polled.authenticate(liveKey, sender)) === undefined, "a poll evicts the key");
    stop();
  });

  it("delivers a new tier of an account and new limits of a tier", async () => {
    const { accountId, liveKey } = await makeAccount(database.store);
    const quotaOf = async () => (await authenticator.authenticate(liveKey, sender))?.quota;
    assert.deepEqual(await quotaOf(), { perHour: 1_000, perMinute: 50 });
    await setTier(database.store, { name: "Custom", per_hour: 7, per_minute: 3, share_bps: 6_950, ...now() });
    assert.deepEqual(await changeTier(database.store, { accountId, tier: "custom", actorAccountId: null, ...now() }), { kind: "changed", tier: "Custom" });
    await waitUntil(async () => (await quotaOf())?.perHour === 7, "the account's new tier holds");
    await setTier(database.store, { name: "Custom", per_hour: 8, per_minute: 3, share_bps: 6_950, ...now() });
    await waitUntil(async () => (await quotaOf())?.perHour === 8, "the tier's new limits hold");
    assert.deepEqual(await changeTier(database.store, { accountId, tier: "none", actorAccountId: null, ...now() }), { kind: "unknown_tier" });
  });

  // The embedded store has one writer.
  if (dialect === "postgres") {
    it("knows one tier where two operators add it at the same time, however they spell it, with the limits of the last", async () => {
      const limits = { per_hour: 9, per_minute: 3, share_bps: 6_950 };
      const added = { text: "INSERT INTO tiers (name, per_hour, per_minute, share_bps) VALUES ('Twice', 7, 3, 6800)", values: [] };
      await whileHeld(database.databaseUrl, [added], () => setTier(database.store, { name: "TWICE", ...limits, ...now() }));
      assert.deepEqual(await selectTierByName(database.store.db, "twice").execute(), [{ name: "Twice", ...limits }]);
    });
  }

  it("applies at once what another node announces", async () => {
    const { liveKey, accountId } = await makeAccount(database.store);
    const first = await authenticator.authenticate(liveKey, sender);
    assert.equal(authenticator.authenticate(liveKey, sender), first);
    announce(`account:${accountId}`);
    assert(authenticator.authenticate(liveKey, sender) instanceof Promise, "read from the store again");
  });

  it("reports a second revocation of a key as such", async () => {
    const { liveKeyId } = await makeAccount(database.store);
    assert.equal(await revokeKey(database.store, { keyId: liveKeyId, ...now() }), "revoked");
    assert.equal(await revokeKey(database.store, { keyId: liveKeyId, ...now() }), "already_revoked");
    assert.equal(await revokeKey(database.store, { keyId: "key_none", ...now() }), "unknown_key");
  });

  it("makes the node check the store when it stops", async () => {
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    assert(await isGood(liveKey));
    follower.stop();
    await revokeKey(database.store, { keyId: liveKeyId, ...now() });
    await waitUntil(async () => !(await isGood(liveKey)), "the key stops without polling");
  });
});

describeBothStores("the time of a key's last use", (open) => {
  it("is written once for many calls, never moves back, and is written at shutdown at the latest", async () => {
    const database = await open();
    const { store, writes } = counting(database.store);
    const { liveKeyId, testKeyId } = await makeAccount(database.store);
    const lastUse = async (keyId: string) =>
      (await database.store.db.selectFrom("api_keys").select("last_used_at").where("id", "=", keyId).executeTakeFirstOrThrow()).last_used_at;
    const recorder = createKeyUseRecorder(store, (error) => assert.fail(String(error)));
    for (let call = 0; call < 5_000; call += 1) recorder.record(call % 2 === 0 ? liveKeyId : testKeyId, call);
    assert.equal(writes(), 0);
    await recorder.stop();
    assert.equal(writes(), 1);
    assert.deepEqual([await lastUse(liveKeyId), await lastUse(testKeyId)], [4_998, 4_999]);
    const late = createKeyUseRecorder(store, (error) => assert.fail(String(error)));
    late.record(liveKeyId, 17);
    await late.stop();
    assert.equal(await lastUse(liveKeyId), 4_998);
  });
});
