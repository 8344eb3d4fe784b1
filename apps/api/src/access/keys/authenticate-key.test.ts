import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { changeTier, resumeAccount, setTier, suspendAccount } from "../../people/change-account.ts";
import type { Store } from "../../store/store.ts";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { makeAccount } from "../../../test/make-account.ts";
import { waitUntil } from "../../../test/send.ts";
import { type Authenticator, createAuthenticator } from "./authenticate-key.ts";
import { followKeyChanges, type KeyChangeChannel, type KeyChangeFollower } from "./follow-key-changes.ts";
import { issueKey } from "./issue-key.ts";
import { hashKey, makeKey, withChecksum } from "./key-format.ts";
import { createKeyUseNotes } from "./note-key-use.ts";
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

  /** An authenticator that hears all news, on clocks that the test moves. */
  function start() {
    const { store, queries } = counting(database.store);
    const clock = { nowMs: Date.now(), monotonicMs: 0 };
    const authenticator = createAuthenticator(store, { nowMs: () => clock.nowMs, monotonicMs: () => clock.monotonicMs });
    authenticator.newsHeard(0);
    return { authenticator, clock, queries };
  }

  it("refuses what cannot be a key without asking the store", async () => {
    const { authenticator, queries } = start();
    const key = makeKey("live");
    for (const wrong of ["", "x", key.slice(0, -1), `${key}a`, key.replace("live", "test"), key.slice(0, -1) + (key.endsWith("0") ? "1" : "0"), "x".repeat(100_000)]) {
      assert.equal(authenticator.authenticate(wrong, sender), undefined);
    }
    assert.equal(queries(), 0);
  });

  it("compares no key with anything: whatever the guess has in common with a real one, only its hash is looked up", async () => {
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
    authenticator.newsHeard(0);
    assert((await authenticator.authenticate(liveKey, sender)) !== undefined);
    // Well-formed guesses that share more and more of the real key's beginning.
    const guesses = [0, 8, 16, 24, 31].map((shared) => withChecksum(liveKey.slice(0, "assay_live_".length + shared) + "z".repeat(32 - shared)));
    for (const guess of [...guesses, ...guesses]) assert.equal(await authenticator.authenticate(guess, sender), undefined);
    const hashes = [liveKey, ...guesses].map((key) => hashKey(key));
    assert.deepEqual(asked.filter((value) => /^[0-9a-f]{64}$/.test(String(value))), hashes, "each hash once");
    for (const value of asked) assert(!String(value).includes("assay_live_"), "no key reaches a query");
  });

  it("asks the store once for a key, however many calls bring it, known or not", async () => {
    const { authenticator, queries } = start();
    const { liveKey, accountId, liveKeyId } = await makeAccount(database.store, { tier: "Growth" });
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
      expiresAtMs: undefined,
    });
    assert.equal(authenticator.authenticate(liveKey, sender), callers[0], "at once, from memory");
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

  it("sees a key expire while it is in memory", async () => {
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

  it("asks the store for every key while the news is older than a second", async () => {
    const { authenticator, clock, queries } = start();
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    await authenticator.authenticate(liveKey, sender);
    clock.monotonicMs = 1_000;
    assert(!(authenticator.authenticate(liveKey, sender) instanceof Promise));
    assert.equal(queries(), 1);
    clock.monotonicMs = 1_001;
    await revokeKey(database.store, { keyId: liveKeyId, nowMs: Date.now(), channel: undefined });
    assert.equal(await authenticator.authenticate(liveKey, sender), undefined, "nobody told it, and still it knows");
    assert.equal(queries(), 2);
  });

  it("keeps no look-up that began before the news", async () => {
    const { authenticator } = start();
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    const early = authenticator.authenticate(liveKey, sender);
    authenticator.forget("*");
    await early;
    await revokeKey(database.store, { keyId: liveKeyId, nowMs: Date.now(), channel: undefined });
    assert.equal(await authenticator.authenticate(liveKey, sender), undefined);
  });

  it("looks an unknown key up again after a while", async () => {
    const { authenticator, clock, queries } = start();
    const unknown = makeKey("live");
    await authenticator.authenticate(unknown, sender);
    clock.monotonicMs += 5_000;
    authenticator.newsHeard(clock.monotonicMs);
    await authenticator.authenticate(unknown, sender);
    assert.equal(queries(), 2);
  });

  it("looks up a few keys at a time: whoever floods it with made-up ones is turned away, and another address is answered meanwhile", async () => {
    const { authenticator } = start();
    const { liveKey } = await makeAccount(database.store);
    // Whatever connections are needed are open before it is counted who waits for whom.
    await Promise.all(["1", "2", "3", "4"].map(async (ip) => authenticator.authenticate(makeKey("live"), { ip })));
    let settled = 0;
    const count = () => (settled += 1);
    const flood = Array.from({ length: 600 }, () => Promise.resolve(authenticator.authenticate(makeKey("live"), sender)));
    for (const each of flood) each.then(count, () => {});
    const settledByThen = Promise.resolve(authenticator.authenticate(liveKey, { ip: "198.51.100.7" })).then((caller) => (caller ? settled : undefined));
    const outcomes = await Promise.allSettled(flood);
    assert(((await settledByThen) ?? Number.POSITIVE_INFINITY) <= 50, `it waited behind ${await settledByThen} of the others`);
    const refused = outcomes.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
    assert.equal(refused.length, 600 - 503, "three at once and half of the places that wait");
    for (const { reason } of refused) assert.equal((reason as { code: string }).code, "overloaded");
  });
});

/** A store that answers every look-up at once with the same row, or with none, and counts them. */
function storeDouble(row: object | undefined): { store: Store; queries: () => number } {
  let queries = 0;
  const answer = async () => {
    queries += 1;
    return row;
  };
  const query: object = new Proxy({}, { get: (_, method) => (method === "executeTakeFirst" ? answer : () => query) });
  return { store: { db: query } as unknown as Store, queries: () => queries };
}

describe("the keys that a node remembers", () => {
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
  for (const [kind, row] of [["good keys", known], ["strangers", undefined]] as const) {
    it(`are bounded: of ten thousand ${kind} and one the first is forgotten`, async () => {
      const { store, queries } = storeDouble(row);
      const authenticator = createAuthenticator(store, { nowMs: () => 0, monotonicMs: () => 0 });
      authenticator.newsHeard(0);
      const keys = Array.from({ length: 10_001 }, () => makeKey("live"));
      for (const key of keys.slice(0, -1)) await authenticator.authenticate(key, sender);
      for (const key of keys.slice(0, -1)) assert(!(authenticator.authenticate(key, sender) instanceof Promise));
      assert.equal(queries(), 10_000, "so many are remembered");
      await authenticator.authenticate(keys.at(-1)!, sender);
      assert(!(authenticator.authenticate(keys[1]!, sender) instanceof Promise));
      assert.equal(queries(), 10_001);
      await authenticator.authenticate(keys[0]!, sender);
      assert.equal(queries(), 10_002, "the first was forgotten");
    });
  }
});

describeBothStores("news about keys", (open) => {
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

  const order = () => ({ nowMs: Date.now(), channel: undefined });
  const isGood = async (key: string) => (await authenticator.authenticate(key, sender)) !== undefined;

  it("of revoked keys and suspended or resumed accounts arrives by itself, and touches nobody else", async () => {
    const [one, other] = [await makeAccount(database.store), await makeAccount(database.store)];
    const second = await issueKey(database.store, { accountId: one.accountId, mode: "live", name: "second", nowMs: Date.now() });
    for (const key of [one.liveKey, second.key, one.testKey, other.liveKey]) assert(await isGood(key));
    assert.equal(await revokeKey(database.store, { keyId: one.liveKeyId, ...order() }), "revoked");
    await waitUntil(async () => !(await isGood(one.liveKey)), "the revoked key stops");
    assert(await isGood(second.key));
    assert.equal(await suspendAccount(database.store, { accountId: one.accountId, ...order() }), "changed");
    await waitUntil(async () => !(await isGood(second.key)) && !(await isGood(one.testKey)), "the suspended account's keys stop");
    assert(await isGood(other.liveKey));
    assert.equal(await resumeAccount(database.store, { accountId: one.accountId, ...order() }), "changed");
    await waitUntil(async () => (await isGood(second.key)) && (await isGood(one.testKey)), "the resumed account's keys work");
    assert.equal(await isGood(one.liveKey), false, "but not the revoked one");
  });

  it("of a tier, the account's or the tier's own, arrives by itself", async () => {
    const { accountId, liveKey } = await makeAccount(database.store);
    const quotaOf = async () => (await authenticator.authenticate(liveKey, sender))?.quota;
    assert.deepEqual(await quotaOf(), { perHour: 1_000, perMinute: 50 });
    await setTier(database.store, { name: "Custom", per_hour: 7, per_minute: 3, share_bps: 6_950, ...order() });
    assert.deepEqual(await changeTier(database.store, { accountId, tier: "custom", ...order() }), { kind: "changed", tier: "Custom" });
    await waitUntil(async () => (await quotaOf())?.perHour === 7, "the account's new tier holds");
    await setTier(database.store, { name: "Custom", per_hour: 8, per_minute: 3, share_bps: 6_950, ...order() });
    await waitUntil(async () => (await quotaOf())?.perHour === 8, "the tier's new limits hold");
    assert.deepEqual(await changeTier(database.store, { accountId, tier: "none", ...order() }), { kind: "unknown_tier" });
  });

  it("that another node announces is taken at once", async () => {
    const { liveKey, accountId } = await makeAccount(database.store);
    const first = await authenticator.authenticate(liveKey, sender);
    assert.equal(authenticator.authenticate(liveKey, sender), first);
    announce(`account:${accountId}`);
    assert(authenticator.authenticate(liveKey, sender) instanceof Promise, "it is read from the store again");
  });

  it("is written once for a key that is revoked twice", async () => {
    const { liveKeyId } = await makeAccount(database.store);
    assert.equal(await revokeKey(database.store, { keyId: liveKeyId, ...order() }), "revoked");
    assert.equal(await revokeKey(database.store, { keyId: liveKeyId, ...order() }), "already_revoked");
    assert.equal(await revokeKey(database.store, { keyId: "key_none", ...order() }), "unknown_key");
  });

  it("that no longer arrives leaves the store to be asked", async () => {
    const { liveKey, liveKeyId } = await makeAccount(database.store);
    assert(await isGood(liveKey));
    follower.stop();
    await revokeKey(database.store, { keyId: liveKeyId, ...order() });
    await waitUntil(async () => !(await isGood(liveKey)), "the key stops although nobody polls any more");
  });
});

describeBothStores("the time of a key's last use", (open) => {
  it("is written once for many calls, never back in time, and at the latest when the service stops", async () => {
    const database = await open();
    const { store, writes } = counting(database.store);
    const { liveKeyId, testKeyId } = await makeAccount(database.store);
    const lastUse = async (keyId: string) =>
      (await database.store.db.selectFrom("api_keys").select("last_used_at").where("id", "=", keyId).executeTakeFirstOrThrow()).last_used_at;
    const notes = createKeyUseNotes(store, (error) => assert.fail(String(error)));
    for (let call = 0; call < 5_000; call += 1) notes.note(call % 2 === 0 ? liveKeyId : testKeyId, call);
    assert.equal(writes(), 0);
    await notes.stop();
    assert.equal(writes(), 1);
    assert.deepEqual([await lastUse(liveKeyId), await lastUse(testKeyId)], [4_998, 4_999]);
    const late = createKeyUseNotes(store, (error) => assert.fail(String(error)));
    late.note(liveKeyId, 17);
    await late.stop();
    assert.equal(await lastUse(liveKeyId), 4_998);
  });
});
