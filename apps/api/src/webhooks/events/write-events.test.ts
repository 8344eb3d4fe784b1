import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { eventStatements, type NewEvent, operators, statementsOf } from "./write-events.ts";
import { writeOnce } from "./write-once.ts";

const nowMs = 1_800_000_000_000;
const failing = new URL("../../../test/webhooks/fail-after-events.work.ts", import.meta.url);

const payoutOf = (audience: string): NewEvent => ({
  audience,
  type: "payout.paid",
  data: { account_id: audience, payout_id: "po_1", month: "2026-01", amount_usd: 3.5 },
});

const eventsOf = (store: Store, audience: string) => store.db.selectFrom("webhook_events").select(["id", "sequence", "type", "data"]).where("audience", "=", audience).orderBy("sequence").execute();

async function addEndpoint(store: Store, endpoint: { id: string; audience: string; types?: string; state?: "active" | "paused" | "disabled" }): Promise<void> {
  const { id, audience, types = "*", state = "active" } = endpoint;
  const none = { disabled_reason: null, secret_previous: null, previous_until: null, failing_since: null, last_attempt_at: null, last_success_at: null };
  await store.db.insertInto("webhook_endpoints").values({ id, audience, types, state, url: "https://example.com/", secret: "sealed", created_at: nowMs, changed_at: nowMs, ...none }).execute();
}

describeBothStores("events", (open) => {
  it("go to the active endpoints of their audience that chose the type, and to no other", async () => {
    const { store } = await open();
    await addEndpoint(store, { id: "wh_all", audience: "acct_a" });
    await addEndpoint(store, { id: "wh_chosen", audience: "acct_a", types: ",payout.approved,payout.paid," });
    await addEndpoint(store, { id: "wh_other_type", audience: "acct_a", types: ",payout.approved,hold.opened," });
    await addEndpoint(store, { id: "wh_paused", audience: "acct_a", state: "paused" });
    await addEndpoint(store, { id: "wh_disabled", audience: "acct_a", state: "disabled" });
    await addEndpoint(store, { id: "wh_other_account", audience: "acct_b" });
    await addEndpoint(store, { id: "wh_operators", audience: operators });
    await store.write(eventStatements(store.db, payoutOf("acct_a"), { nowMs }));
    const deliveries = await store.db.selectFrom("webhook_deliveries").select(["endpoint_id", "event_id", "state", "next_at"]).orderBy("endpoint_id").execute();
    const [event] = await eventsOf(store, "acct_a");
    const expected = { event_id: event!.id, state: "pending", next_at: nowMs };
    assert.deepEqual(deliveries, [{ endpoint_id: "wh_all", ...expected }, { endpoint_id: "wh_chosen", ...expected }]);
    assert.deepEqual(JSON.parse(event!.data), payoutOf("acct_a").data);
  });

  it("that are only mailed go to no endpoint", async () => {
    const { store } = await open();
    await addEndpoint(store, { id: "wh_all", audience: "acct_a" });
    await store.write(eventStatements(store.db, { audience: "acct_a", type: "webhook.disabled", data: { endpoint_id: "wh_other", reason: "gone" } }, { nowMs }));
    assert.equal((await eventsOf(store, "acct_a")).length, 1);
    assert.deepEqual(await store.db.selectFrom("webhook_deliveries").select("event_id").execute(), []);
  });

  it("are numbered per audience without a gap, while two nodes write at once", async () => {
    const database = await open();
    const { store } = database;
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs, onConnectionError: () => {} })).store : store;
    const audiences = ["acct_a", "acct_b", operators];
    // Not all at once: whoever waits longer than a few seconds for a connection is refused.
    for (let wave = 0; wave < 6; wave += 1) {
      const writes = Array.from({ length: 15 }, (_, index) => {
        const node = index % 2 === 0 ? store : other;
        return node.write(eventStatements(node.db, payoutOf(audiences[index % 3]!), { nowMs }));
      });
      await Promise.all(writes);
    }
    for (const audience of audiences) {
      assert.deepEqual((await eventsOf(store, audience)).map(({ sequence }) => sequence), Array.from({ length: 30 }, (_, index) => index + 1));
    }
    if (other !== store) await other.close();
  });

  it("to the same audiences, told in different orders at once, do not wait for each other in a circle", async () => {
    const { store } = await open();
    for (let wave = 0; wave < 3; wave += 1) {
      const writes = Array.from({ length: 20 }, (_, index) => {
        const events = ["acct_a", "acct_b", operators].map(payoutOf);
        return store.write(statementsOf(store.db, index % 2 === 0 ? events : events.toReversed(), nowMs));
      });
      await Promise.all(writes);
    }
    assert.equal((await eventsOf(store, operators)).length, 60);
  });

  it("of a transaction that is rolled back do not exist, and leave no gap", async () => {
    const { store } = await open();
    await addEndpoint(store, { id: "wh_all", audience: "acct_a" });
    await store.write(eventStatements(store.db, payoutOf("acct_a"), { nowMs }));
    await assert.rejects(store.transact(failing, { events: [payoutOf("acct_a"), payoutOf(operators)], nowMs }), /changed its mind/);
    await store.write(eventStatements(store.db, payoutOf("acct_a"), { nowMs }));
    assert.deepEqual((await eventsOf(store, "acct_a")).map(({ sequence }) => sequence), [1, 2]);
    assert.equal((await eventsOf(store, operators)).length, 0);
    assert.equal((await store.db.selectFrom("webhook_deliveries").select("event_id").execute()).length, 2);
  });

  it("with a key are written once, whichever nodes notice it", async () => {
    const database = await open();
    const { store } = database;
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs, onConnectionError: () => {} })).store : store;
    const near: NewEvent = { audience: "acct_a", type: "limit.near", data: { account_id: "acct_a", limit: "hour", calls: 1_000 } };
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => writeOnce(index % 2 === 0 ? store : other, near, { onceKey: "limit.near:hour:1", nowMs })));
    assert.equal(outcomes.filter((outcome) => outcome === "written").length, 1);
    assert.equal(await writeOnce(store, near, { onceKey: "limit.near:hour:2", nowMs }), "written");
    assert.equal(await writeOnce(store, { ...near, audience: "acct_b" }, { onceKey: "limit.near:hour:1", nowMs }), "written");
    assert.deepEqual((await eventsOf(store, "acct_a")).map(({ sequence }) => sequence), [1, 2]);
    if (other !== store) await other.close();
  });
});
