import assert from "node:assert/strict";
import { after, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { waitUntil } from "../../../test/send.ts";
import { attemptsOf, deliveriesOf, endpointOf, makeEndpoint, writeTestEvents } from "../../../test/webhooks/make-endpoint.ts";
import { openHooks } from "../../../test/webhooks/open-hooks.ts";
import { startTestSender } from "../../../test/webhooks/start-test-sender.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { claimDeliveries, selectDueEndpoints } from "./deliveries.table.ts";
import { placesForFailing, placesPerAudience } from "./share-places.ts";

const hourMs = 3_600_000;

/** Holds requests unanswered until they are let go. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let held = 0;
  return {
    held: () => held,
    letGo: resolve,
    async hold(status = 200): Promise<number> {
      held += 1;
      await promise;
      return status;
    },
  };
}

describeBothStores("the sender", (open) => {
  const closers: (() => unknown)[] = [];
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const prepare = async () => {
    const database = await open();
    const hooks = await openHooks();
    closers.push(hooks.close);
    const start = (store: Store = database.store, options: Parameters<typeof startTestSender>[1] = {}) => {
      const sender = startTestSender(store, options);
      closers.push(() => sender.stop());
      return sender;
    };
    return { database, store: database.store, hooks, start };
  };
  const pendingCount = async (store: Store) => (await store.db.selectFrom("webhook_deliveries").select("event_id").where("state", "=", "pending").execute()).length;

  it("delivers to 99 endpoints while one hangs", async () => {
    const { store, hooks, start } = await prepare();
    const gate = createGate();
    hooks.answer(({ path }) => (path === "/hang" ? gate.hold() : 200));
    const hanging = await makeEndpoint(store, { id: "wh_0000_hangs", url: hooks.url("/hang") });
    const others = await Promise.all(Array.from({ length: 99 }, () => makeEndpoint(store, { url: hooks.url("/others") })));
    await writeTestEvents(store, hanging.audience, { count: 10 });
    for (const { audience } of others) await writeTestEvents(store, audience);
    start();
    await waitUntil(async () => (await pendingCount(store)) === 10, "all others are delivered");
    assert.equal(hooks.idsAt("/others").length, 99);
    assert.equal(gate.held(), 2, "the one that hangs has two places");
    gate.letGo();
    await waitUntil(async () => (await pendingCount(store)) === 0, "all are delivered");
  });

  it("leaves room for healthy endpoints while any number of failing ones hang", async () => {
    const { store, hooks, start } = await prepare();
    const gate = createGate();
    hooks.answer(({ path }) => (path === "/hang" ? gate.hold() : 200));
    const failing = await Promise.all(Array.from({ length: 80 }, () => makeEndpoint(store, { url: hooks.url("/hang"), failing_since: Date.now() })));
    for (const { audience } of failing) await writeTestEvents(store, audience);
    const sender = start();
    await waitUntil(() => gate.held() === placesForFailing, "the failing ones have all the places that they get");
    const healthy = await makeEndpoint(store, { id: "wh_9999", url: hooks.url("/healthy"), last_attempt_at: Date.now() });
    const ids = await writeTestEvents(store, healthy.audience, { count: 30 });
    sender.wake();
    await waitUntil(() => ids.every((id) => hooks.idsAt("/healthy").includes(id)), "the healthy one gets all");
    assert.equal(gate.held(), placesForFailing);
    gate.letGo();
    await waitUntil(async () => (await pendingCount(store)) === 0, "all are delivered");
  });

  it("leaves room for other accounts while one with many endpoints has much to send", async () => {
    const { store, hooks, start } = await prepare();
    const gate = createGate();
    hooks.answer(({ path }) => (path === "/many" ? gate.hold() : 200));
    for (let nth = 0; nth < 20; nth += 1) await makeEndpoint(store, { url: hooks.url("/many"), audience: "acct_many" });
    await writeTestEvents(store, "acct_many", { count: 3 });
    const sender = start();
    await waitUntil(() => gate.held() === placesPerAudience, "the account has all the places that it gets");
    const other = await makeEndpoint(store, { url: hooks.url("/other") });
    const ids = await writeTestEvents(store, other.audience, { count: 10 });
    sender.wake();
    await waitUntil(() => ids.every((id) => hooks.idsAt("/other").includes(id)), "the other one gets all");
    assert.equal(gate.held(), placesPerAudience);
    gate.letGo();
    await waitUntil(async () => (await pendingCount(store)) === 0, "all are delivered");
  });

  it("sends to an endpoint with one event before the backlog of another is through", async () => {
    const { store, hooks, start } = await prepare();
    const backlog = await makeEndpoint(store, { url: hooks.url("/backlog"), last_attempt_at: Date.now() });
    await writeTestEvents(store, backlog.audience, { count: 120, nowMs: Date.now() - hourMs });
    const sender = start();
    await waitUntil(() => hooks.received.length > 0, "the backlog is being sent");
    const one = await makeEndpoint(store, { url: hooks.url("/one") });
    await writeTestEvents(store, one.audience);
    sender.wake();
    await waitUntil(() => hooks.idsAt("/one").length === 1, "the one event has arrived");
    assert(hooks.idsAt("/backlog").length < 120, "before the backlog is through");
    await waitUntil(async () => (await pendingCount(store)) === 0, "all are delivered");
    assert.equal(new Set(hooks.idsAt("/backlog")).size, 120);
    assert.equal(hooks.idsAt("/backlog").length, 120, "each once");
  });

  it("looks at active endpoints only, those first that have waited longest, and claims nothing of one that was paused since", async () => {
    const { store, hooks } = await prepare();
    const nowMs = Date.now();
    const recent = await makeEndpoint(store, { id: "wh_a", url: hooks.url(), last_attempt_at: nowMs });
    const earlier = await makeEndpoint(store, { id: "wh_b", url: hooks.url(), last_attempt_at: nowMs - hourMs });
    const never = await makeEndpoint(store, { id: "wh_c", url: hooks.url() });
    const paused = await makeEndpoint(store, { id: "wh_d", url: hooks.url() });
    for (const { audience } of [recent, earlier, never]) await writeTestEvents(store, audience, { nowMs });
    const [eventId] = await writeTestEvents(store, paused.audience, { nowMs });
    await store.db.updateTable("webhook_endpoints").set({ state: "paused" }).where("id", "=", paused.id).execute();
    const select = async (taken: { endpointIds: string[]; audiences: string[] }) => (await selectDueEndpoints(store.db, { isFailing: false, taken, nowMs, limit: 10 }).execute()).map(({ id }) => id);
    assert.deepEqual(await select({ endpointIds: [], audiences: [] }), ["wh_c", "wh_b", "wh_a"]);
    assert.deepEqual(await select({ endpointIds: ["wh_c"], audiences: [earlier.audience] }), ["wh_a"]);
    assert.deepEqual(await claimDeliveries(store.db, { keys: [{ endpointId: paused.id, eventId: eventId! }], lease: "late", nowMs, untilMs: nowMs + 30_000 }).execute(), []);
  });

  it("of two nodes sends each event once, never at the same time", async () => {
    const { database, store, hooks, start } = await prepare();
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs: Date.now(), onConnectionError: () => {} })).store : store;
    if (other !== store) closers.push(() => other.close());
    const endpoints = await Promise.all(Array.from({ length: 6 }, () => makeEndpoint(store, { url: hooks.url() })));
    for (const { audience } of endpoints) await writeTestEvents(store, audience, { count: 25 });
    const senders = [start(store), start(other)];
    await waitUntil(async () => (await pendingCount(store)) === 0, "all are delivered");
    const ids = hooks.received.map(({ id }) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [150, 150]);
    for (const { id } of endpoints) assert.deepEqual((await attemptsOf(store, id)).map(({ attempt }) => attempt), Array.from({ length: 25 }, () => 1));
    assert.deepEqual(senders.flatMap(({ errors }) => errors), []);
  });

  it("claims nothing that another one has leased, and what a dead node leased when that is over", async () => {
    const { store, hooks, start } = await prepare();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    const [eventId] = await writeTestEvents(store, audience);
    const nowMs = Date.now();
    const keys = [{ endpointId: id, eventId: eventId! }];
    const claim = (lease: string, atMs: number) => claimDeliveries(store.db, { keys, lease, nowMs: atMs, untilMs: atMs + 40_000 }).execute();
    assert.equal((await claim("dead", nowMs)).length, 1);
    assert.equal((await claim("other", nowMs + 39_999)).length, 0);
    const sender = start();
    const second = await makeEndpoint(store, { url: hooks.url("/second") });
    await writeTestEvents(store, second.audience);
    sender.wake();
    await waitUntil(() => hooks.idsAt("/second").length === 1, "the sender has looked");
    assert.deepEqual(hooks.idsAt("/"), []);
    sender.passMs(60_000);
    await waitUntil(async () => (await deliveriesOf(store, id))[0]!.state === "delivered", "it is delivered");
    assert.deepEqual(hooks.idsAt("/"), [eventId]);
    assert.deepEqual((await attemptsOf(store, id)).map(({ attempt }) => attempt), [2], "the attempt of the dead node counts, though nobody knows what became of it");
  });

  it("whose lease was taken over changes nothing but its own attempt", async () => {
    const { store, hooks, start } = await prepare();
    const gate = createGate();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    hooks.answer(() => (hooks.received.length === 1 ? gate.hold(410) : 200));
    const [eventId] = await writeTestEvents(store, audience);
    const slow = start();
    await waitUntil(() => gate.held() === 1, "the first attempt is under way");
    // As after the end of its lease.
    await store.db.updateTable("webhook_deliveries").set({ leased_until: 0, next_at: 0 }).where("endpoint_id", "=", id).execute();
    start();
    await waitUntil(async () => (await deliveriesOf(store, id))[0]!.state === "delivered", "the other node has delivered it");
    gate.letGo();
    await waitUntil(async () => (await attemptsOf(store, id)).length === 2, "both attempts are written down");
    assert.deepEqual(slow.outcomes, ["rejected"]);
    assert.deepEqual((await attemptsOf(store, id)).map(({ attempt, status }) => [attempt, status]), [[1, 410], [2, 200]]);
    assert.deepEqual((await deliveriesOf(store, id)).map(({ state, attempts, last_status: status }) => [state, attempts, status]), [["delivered", 2, 200]]);
    assert.deepEqual([(await endpointOf(store, id)).state, (await endpointOf(store, id)).failing_since], ["active", null]);
    assert.deepEqual(hooks.received.map((hook) => hook.id), [eventId, eventId]);
  });

  it("that stops finishes what it is sending and begins nothing more", async () => {
    const { store, hooks, start } = await prepare();
    const gate = createGate();
    hooks.answer(() => gate.hold());
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    await writeTestEvents(store, audience, { count: 5 });
    const sender = start();
    await waitUntil(() => gate.held() === 2, "two are under way");
    const stopped = sender.stop();
    gate.letGo();
    await stopped;
    const states = (await deliveriesOf(store, id)).map(({ state, attempts }) => `${state} ${attempts}`).toSorted();
    assert.deepEqual(states, ["delivered 1", "delivered 1", "pending 0", "pending 0", "pending 0"]);
    assert.equal(hooks.received.length, 2);
  });

  it("keeps an attempt until the store takes it", async () => {
    const { store, hooks, start } = await prepare();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    await writeTestEvents(store, audience);
    let refusals = 0;
    const refusing: Store = {
      ...store,
      transact: (module, payload) => {
        refusals += 1;
        return refusals <= 2 ? Promise.reject(new Error("the store is away")) : store.transact(module, payload);
      },
    };
    const sender = start(refusing);
    await waitUntil(async () => (await deliveriesOf(store, id))[0]!.state === "delivered", "it is written down");
    assert.deepEqual([hooks.received.length, sender.errors.length], [1, 2]);
  });
});
