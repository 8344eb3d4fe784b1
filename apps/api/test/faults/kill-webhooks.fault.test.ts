import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import type { Store } from "../../src/store/store.ts";
import { describeBothStores } from "../both-stores.ts";
import { waitUntil } from "../send.ts";
import { serviceEnvironment, spawnService, testSecretKey } from "../start-service.ts";
import { deliveriesOf, eventIdsOf, keyCreated, makeEndpoint, writeTestEvents } from "../webhooks/make-endpoint.ts";
import { type Hook, openHooks } from "../webhooks/open-hooks.ts";

const waitMsMax = 120_000;
const triesMax = 10;
const failing = new URL("../webhooks/fail-after-events.work.ts", import.meta.url);
const dying = new URL("./rig/dies-before-sending.ts", import.meta.url).pathname;
const writer = new URL("../webhooks/write-events-forever.ts", import.meta.url).pathname;

const leasesOf = async (store: Store, endpointId: string) => (await deliveriesOf(store, endpointId)).filter(({ state, lease }) => state === "pending" && lease !== null).map((each) => each.event_id);

describeBothStores("nodes that are killed while they send webhooks", (open, dialect) => {
  it("deliver every committed event at least once with one id and one body, and no other", { timeout: 400_000 }, async (t) => {
    const database = await open();
    const { store } = database;
    const hooks = await openHooks();
    // Also if the test fails: it would keep this process alive.
    t.after(() => hooks.close());
    const { id: endpointId, audience } = await makeEndpoint(store, { url: hooks.url() });
    const env = { SECRET_KEY: testSecretKey, WEBHOOK_LOOPBACK: "on" };
    const serve = () => database.serve({ env });
    const write = () => writeTestEvents(store, audience);
    const receivedTimes = (eventId: string) => hooks.received.filter(({ id }) => id === eventId).length;

    // Right after the event's transaction.
    let node = await serve();
    for (let rolledBack = 0; rolledBack < 3; rolledBack += 1) {
      await assert.rejects(store.transact(failing, { events: [keyCreated(audience, "key_rolled_back")], nowMs: Date.now() }), /changed its mind/);
    }
    await write();
    await node.kill9();

    // While the receiver holds the request.
    const held = Promise.withResolvers<Hook>();
    hooks.answer((hook) => {
      held.resolve(hook);
      return undefined;
    });
    node = await serve();
    const { id: heldId } = await held.promise;
    await node.kill9();
    assert((await leasesOf(store, endpointId)).includes(heldId), "nobody knows what became of it");

    // After the receiver's answer, before the attempt is written down.
    const answered: string[] = [];
    for (let tries = 0; answered.length === 0 && tries < triesMax; tries += 1) {
      const killed = Promise.withResolvers<string>();
      const answeredNode = await serve();
      hooks.answer((hook, response) => {
        response.writeHead(200).end(() => {
          answeredNode.child.kill("SIGKILL");
          killed.resolve(hook.id);
        });
        return undefined;
      });
      await write();
      const eventId = await killed.promise;
      await answeredNode.kill9();
      if ((await leasesOf(store, endpointId)).includes(eventId)) answered.push(eventId);
    }
    assert.equal(answered.length, 1, "a node was killed between the answer and its write");

    // Between the lease and the request. Older deliveries whose lease is over go before it.
    hooks.answer(() => 200);
    const [unsent] = await write();
    const environment = serviceEnvironment({ ...database, env: { ...env, RIG_RECEIVER_PORT: new URL(hooks.url()).port } });
    for (let tries = 0; !(await leasesOf(store, endpointId)).includes(unsent!) && tries < triesMax; tries += 1) {
      const { child, whenEnded, logs } = spawnService(environment, dying);
      t.after(() => child.kill("SIGKILL"));
      await whenEnded;
      assert.equal(child.signalCode, "SIGKILL", logs());
    }
    assert((await leasesOf(store, endpointId)).includes(unsent!), "a node was killed between the lease and the request");
    assert.equal(receivedTimes(unsent!), 0);

    // Processes that write events, in the middle of their transactions, while nodes send.
    const nodes = dialect === "postgres" ? [await serve(), await serve()] : [await serve()];
    const before = (await eventIdsOf(store, audience)).length;
    const writers = [1, 2].map(() => {
      const child = spawn(process.execPath, [writer, JSON.stringify({ dataDir: database.dataDir, databaseUrl: database.databaseUrl, audience })], { stdio: "ignore" });
      t.after(() => child.kill("SIGKILL"));
      return { child, ended: once(child, "exit") };
    });
    await waitUntil(async () => (await eventIdsOf(store, audience)).length > before + 30, "events are written", waitMsMax);
    for (const { child, ended } of writers) {
      child.kill("SIGKILL");
      assert.deepEqual(await ended, [null, "SIGKILL"]);
    }
    await nodes[0]!.kill9();
    if (dialect === "sqlite") nodes[0] = await serve();
    await waitUntil(async () => (await deliveriesOf(store, endpointId)).every(({ state }) => state === "delivered"), "every event is delivered", waitMsMax);

    const committed = await eventIdsOf(store, audience);
    assert.deepEqual(new Set(hooks.received.map(({ id }) => id)), new Set(committed), "all that was committed, and nothing else");
    assert(!hooks.received.some(({ body }) => body.includes("key_rolled_back")));
    for (const eventId of committed) assert.equal(new Set(hooks.received.filter(({ id }) => id === eventId).map(({ body }) => body)).size, 1, "the same bytes each time");
    for (const eventId of [heldId, ...answered]) assert(receivedTimes(eventId) >= 2, "it was sent again");
    assert(receivedTimes(unsent!) >= 1);
    const sequences = hooks.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence);
    assert.deepEqual(new Set(sequences), new Set(committed.map((_, index) => index + 1)), "without a gap");
    t.diagnostic(`${dialect}: ${committed.length} events, ${hooks.received.length} requests`);
  });
});
