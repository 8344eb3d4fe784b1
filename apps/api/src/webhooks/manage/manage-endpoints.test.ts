import type { EventType } from "@assay/contract/webhooks.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { Failure, type FailureCode } from "../../failure/failure.ts";
import { msPerDay, msPerHour } from "../../formats/time.ts";
import { createSealer } from "../../secrets/sealer.ts";
import { openStore } from "../../store/open-store.ts";
import type { Store } from "../../store/store.ts";
import { openEgress } from "../egress/post-outwards.ts";
import { endpointsMax, overlapMs, testsPerAudienceMax, testsPerEndpointMax } from "../endpoints/endpoint-rules.ts";
import { openSecret } from "../endpoints/endpoint-secret.ts";
import { eventStatements, type NewEvent, operators } from "../events/write-events.ts";
import { redeliver, replay } from "./ask-again.ts";
import { changeEndpoint, createEndpoint, type EndpointContext, removeEndpoint, rotateEndpointSecret, sendTest } from "./manage-endpoints.ts";

const nowMs = 1_800_000_000_000;
const url = "https://hooks.example.com/assay";
const sealer = createSealer({ secretKey: "a secret of this test that is long enough", previous: [] });
const { readUrl } = openEgress({ loopbackFor: "nobody", privateCidrs: ["10.1.0.0/16"] });

const failsWith = (code: FailureCode, message: RegExp) => (error: unknown) => {
  assert(error instanceof Failure, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

const eventOf = (audience: string, type: "payout.paid" | "payout.approved" | "limit.near" = "payout.paid"): NewEvent =>
  type === "limit.near"
    ? { audience, type, data: { account_id: audience, limit: "hour", calls: 1_000 } }
    : { audience, type, data: { account_id: audience, payout_id: "po_1", month: "2026-01", amount_usd: 3.5 } };

describeBothStores("webhook endpoints", (open) => {
  let database: TestDatabase;
  let store: Store;
  let context: EndpointContext;
  let audiences = 0;

  before(async () => {
    database = await open();
    ({ store } = database);
    context = { store, sealer, readUrl };
  });

  /** Every test has an audience of its own. */
  const newAudience = () => `acct_of_test_${(audiences += 1)}`;
  const asked = (audience: string, atMs = nowMs) => ({ audience, actorAccountId: null, nowMs: atMs });
  const create = (audience: string, more: { types?: EventType[] | null; atMs?: number } = {}) =>
    createEndpoint(context, { ...asked(audience, more.atMs), url, types: more.types ?? null });
  const tell = (event: NewEvent, atMs = nowMs) => store.write(eventStatements(store.db, event, { nowMs: atMs }));
  const rowOf = (endpointId: string) => store.db.selectFrom("webhook_endpoints").selectAll().where("id", "=", endpointId).executeTakeFirstOrThrow();
  const eventsOf = (audience: string) => store.db.selectFrom("webhook_events").select(["id", "type", "sequence"]).where("audience", "=", audience).orderBy("sequence").execute();
  const deliveriesOf = (endpointId: string) =>
    store.db
      .selectFrom("webhook_deliveries as d")
      .innerJoin("webhook_events as e", "e.id", "d.event_id")
      .select(["d.event_id", "d.state", "d.attempts", "d.round_attempts", "d.next_at", "d.done_at", "d.lease", "e.type", "e.sequence"])
      .where("d.endpoint_id", "=", endpointId)
      .orderBy("e.sequence")
      .execute();
  const notesOf = async (subject: string) => (await store.db.selectFrom("audit_log").select(["action", "account_id", "detail"]).where("subject", "=", subject).orderBy("seq").execute()).map((row) => row);
  const finish = (endpointId: string, done: { state: "delivered" | "failed"; attempts: number }) =>
    store.db.updateTable("webhook_deliveries").set({ ...done, round_attempts: done.attempts, done_at: nowMs, next_at: 0 }).where("endpoint_id", "=", endpointId).execute();

  it("are created with a secret that is stored sealed, and with one test event for themselves", async () => {
    const audience = newAudience();
    const first = await create(audience, { types: ["payout.paid"] });
    assert.match(first.secret, /^whsec_/);
    const second = await create(audience);
    const row = await rowOf(first.endpointId);
    assert.deepEqual([row.url, row.types, row.state, row.failing_since], [url, ",payout.paid,", "active", null]);
    assert(!row.secret.includes(first.secret.slice("whsec_".length)));
    assert.equal(openSecret(sealer, first.endpointId, row.secret), first.secret);
    // Neither a test of another endpoint, though the second one chose everything, nor any of its own choice.
    assert.deepEqual((await deliveriesOf(first.endpointId)).map((each) => [each.event_id, each.type, each.state]), [[first.eventId, "webhook.test", "pending"]]);
    assert.deepEqual((await deliveriesOf(second.endpointId)).map((each) => each.event_id), [second.eventId]);
    await sendTest(context, { ...asked(audience), endpointId: first.endpointId });
    assert.equal((await deliveriesOf(second.endpointId)).length, 1);
    const [note] = await notesOf(first.endpointId);
    assert.deepEqual([note!.action, note!.account_id, note!.detail.includes("hooks.example.com")], ["webhook.create", audience, false]);
  });

  it("number at most ten per audience, however many are created at once on two nodes", async () => {
    const audience = newAudience();
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs, onConnectionError: () => {} })).store : store;
    const outcomes = await Promise.allSettled(Array.from({ length: endpointsMax + 6 }, (_, index) => createEndpoint({ ...context, store: index % 2 === 0 ? store : other }, { ...asked(audience), url, types: null })));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, endpointsMax);
    for (const outcome of outcomes) if (outcome.status === "rejected") failsWith("forbidden", /at most 10 endpoints/)(outcome.reason);
    assert.equal((await store.db.selectFrom("webhook_endpoints").select("id").where("audience", "=", audience).execute()).length, endpointsMax);
    assert.equal((await eventsOf(audience)).length, endpointsMax);
    await create(newAudience());
    if (other !== store) await other.close();
  });

  it("take only events that their audience is told of, and addresses that egress allows", async () => {
    const audience = newAudience();
    for (const types of [[], ["webhook.test"], ["campaign.exhausted"], ["nonsense"]]) {
      await assert.rejects(createEndpoint(context, { ...asked(audience), url, types }), failsWith("invalid_request", /^types must/));
    }
    for (const refused of ["http://hooks.example.com/", "https://127.0.0.1/", "https://10.1.2.3/", "https://[::1]/", "nonsense"]) {
      await assert.rejects(createEndpoint(context, { ...asked(audience), url: refused, types: null }), failsWith("invalid_request", /^The /));
    }
    assert.deepEqual(await eventsOf(audience), []);
    const { endpointId } = await createEndpoint(context, { ...asked(operators), url, types: ["campaign.exhausted"] });
    await assert.rejects(changeEndpoint(context, { ...asked(operators), endpointId, types: ["payout.paid"] }), failsWith("invalid_request", /^types must/));
    await changeEndpoint(context, { ...asked(operators), endpointId, url: "https://10.1.2.3/" });
    await assert.rejects(changeEndpoint(context, { ...asked(operators), endpointId, url: "https://127.0.0.1/" }), failsWith("invalid_request", /^The /));
  });

  it("of another audience cannot be changed, tested, rotated, replayed or deleted", async () => {
    const { endpointId, eventId } = await create(newAudience());
    const untouched = await rowOf(endpointId);
    const stranger = { ...asked(newAudience()), endpointId };
    const unknown = failsWith("not_found", /No webhook endpoint/);
    await assert.rejects(changeEndpoint(context, { ...stranger, state: "paused" }), unknown);
    await assert.rejects(rotateEndpointSecret(context, stranger), unknown);
    await assert.rejects(sendTest(context, stranger), unknown);
    await assert.rejects(redeliver(store, { ...stranger, eventId }), unknown);
    await assert.rejects(replay(store, { ...stranger, fromMs: nowMs }), unknown);
    await assert.rejects(removeEndpoint(context, stranger), unknown);
    assert.deepEqual(await rowOf(endpointId), untouched);
    assert.equal((await notesOf(endpointId)).length, 1);
  });

  it("sign with the old secret too for a day after a rotation, and never with the one before", async () => {
    const audience = newAudience();
    const { endpointId, secret: first } = await create(audience);
    const open2 = async () => {
      const row = await rowOf(endpointId);
      return { current: openSecret(sealer, endpointId, row.secret), previous: openSecret(sealer, endpointId, row.secret_previous!), until: Number(row.previous_until) };
    };
    const { secret: second, previousUntilMs } = await rotateEndpointSecret(context, { ...asked(audience), endpointId });
    assert.equal(previousUntilMs, nowMs + overlapMs);
    assert.deepEqual(await open2(), { current: second, previous: first, until: nowMs + overlapMs });
    const { secret: third } = await rotateEndpointSecret(context, { ...asked(audience, nowMs + msPerHour), endpointId });
    assert.deepEqual(await open2(), { current: third, previous: second, until: nowMs + msPerHour + overlapMs });
    assert.equal(new Set([first, second, third]).size, 3);
  });

  it("start without a failure when they get a new URL or are switched on again", async () => {
    const audience = newAudience();
    const { endpointId } = await create(audience);
    const fail = (more = {}) => store.db.updateTable("webhook_endpoints").set({ failing_since: nowMs - msPerDay, ...more }).where("id", "=", endpointId).execute();
    const named = { ...asked(audience), endpointId };
    await fail();
    await changeEndpoint(context, { ...named, types: ["payout.paid"] });
    assert.equal(Number((await rowOf(endpointId)).failing_since), nowMs - msPerDay);
    await changeEndpoint(context, { ...named, url: "https://other.example.com/" });
    assert.equal((await rowOf(endpointId)).failing_since, null);
    await fail({ state: "disabled", disabled_reason: "failing" });
    await assert.rejects(changeEndpoint(context, { ...named, state: "paused" }), failsWith("invalid_request", /switched off already/));
    await assert.rejects(sendTest(context, named), failsWith("invalid_request", /switched off: enable it/));
    await changeEndpoint(context, { ...named, state: "active" });
    const row = await rowOf(endpointId);
    assert.deepEqual([row.state, row.disabled_reason, row.failing_since], ["active", null, null]);
    assert.deepEqual((await notesOf(endpointId)).map(({ action }) => action), ["webhook.create", "webhook.change", "webhook.change", "webhook.change"]);
  });

  it("get nothing while they are paused, and everything that they missed by a replay", async () => {
    const audience = newAudience();
    const { endpointId } = await create(audience);
    const named = { ...asked(audience), endpointId };
    await changeEndpoint(context, { ...named, state: "paused" });
    await tell(eventOf(audience));
    assert.equal((await deliveriesOf(endpointId)).length, 1);
    for (const refused of [() => sendTest(context, named), () => replay(store, { ...named, fromMs: nowMs })]) await assert.rejects(refused, failsWith("invalid_request", /paused: resume it/));
    await changeEndpoint(context, { ...named, state: "active" });
    assert.deepEqual(await replay(store, { ...named, fromMs: nowMs }), { events: 1, queued: 1, nextFromMs: null });
    assert.deepEqual((await deliveriesOf(endpointId)).map(({ type }) => type), ["webhook.test", "payout.paid"]);
  });

  it("take a bounded number of tests in an hour, which deleting an endpoint does not bring back", async () => {
    const audience = newAudience();
    const tooMany = failsWith("rate_limit_exceeded", /test events/);
    const { endpointId } = await create(audience);
    for (let sent = 1; sent < testsPerEndpointMax; sent += 1) await sendTest(context, { ...asked(audience), endpointId });
    await assert.rejects(sendTest(context, { ...asked(audience), endpointId }), tooMany);
    await sendTest(context, { ...asked(audience, nowMs + msPerHour), endpointId });
    const busy = newAudience();
    for (let sent = 0; sent < testsPerAudienceMax; sent += 1) {
      const { endpointId: created } = await create(busy);
      await removeEndpoint(context, { ...asked(busy), endpointId: created });
    }
    await assert.rejects(create(busy), tooMany);
    await create(busy, { atMs: nowMs + msPerHour });
  });

  it("send one event again with all its attempts, which keep counting", async () => {
    const audience = newAudience();
    const { endpointId, eventId } = await create(audience);
    const named = { ...asked(audience, nowMs + 5), endpointId, eventId };
    await finish(endpointId, { state: "failed", attempts: 10 });
    await redeliver(store, named);
    const [again] = await deliveriesOf(endpointId);
    assert.deepEqual([again!.state, again!.attempts, again!.round_attempts, again!.next_at, again!.done_at], ["pending", 10, 0, nowMs + 5, null]);
    await finish(endpointId, { state: "delivered", attempts: 100 });
    await assert.rejects(redeliver(store, named), failsWith("invalid_request", /100 times/));
    await finish(endpointId, { state: "delivered", attempts: 1 });
    await assert.rejects(redeliver(store, { ...named, nowMs: nowMs + 30 * msPerDay + 1 }), failsWith("invalid_request", /older than 30 days/));
    await redeliver(store, { ...named, nowMs: nowMs + 30 * msPerDay });
    await assert.rejects(redeliver(store, { ...named, eventId: "evt_unknown" }), failsWith("not_found", /never sent/));
    await changeEndpoint(context, { ...asked(audience), endpointId, state: "paused" });
    await assert.rejects(redeliver(store, named), failsWith("invalid_request", /paused/));
    assert.deepEqual((await notesOf(endpointId)).filter(({ action }) => action === "webhook.redeliver").length, 2);
  });

  it("replay every event that they chose since a time exactly once, and nobody else's", async () => {
    const [audience, stranger] = [newAudience(), newAudience()];
    const startMs = nowMs + msPerHour;
    await tell(eventOf(audience), startMs - 1);
    const chosen = await create(audience, { types: ["payout.paid", "limit.near"], atMs: startMs - 1 });
    const all = await create(audience, { atMs: startMs - 1 });
    // Three before it are too old, one is not chosen, one is another account's, one is pending.
    await tell(eventOf(audience), startMs);
    await tell(eventOf(stranger), startMs);
    await tell(eventOf(audience, "payout.approved"), startMs + 1);
    await finish(chosen.endpointId, { state: "delivered", attempts: 1 });
    await store.db.updateTable("webhook_endpoints").set({ state: "paused" }).where("id", "=", chosen.endpointId).execute();
    await tell(eventOf(audience, "limit.near"), startMs + 2);
    await store.db.updateTable("webhook_endpoints").set({ state: "active" }).where("id", "=", chosen.endpointId).execute();
    await tell(eventOf(audience), startMs + 3);
    await store.db.updateTable("webhook_deliveries").set({ attempts: 3, round_attempts: 3, next_at: 77, lease: "lease_1" }).where("endpoint_id", "=", chosen.endpointId).where("state", "=", "pending").execute();
    const allBefore = await deliveriesOf(all.endpointId);

    const named = { ...asked(audience, startMs + 10), endpointId: chosen.endpointId };
    assert.deepEqual(await replay(store, { ...named, fromMs: startMs }), { events: 3, queued: 2, nextFromMs: null });
    const deliveries = await deliveriesOf(chosen.endpointId);
    assert.deepEqual(
      deliveries.map((each) => [each.type, each.state, each.attempts, each.round_attempts, each.next_at, each.lease]),
      [
        ["webhook.test", "delivered", 1, 1, 0, null],
        ["payout.paid", "pending", 1, 0, startMs + 10, null],
        ["limit.near", "pending", 0, 0, startMs + 10, null],
        ["payout.paid", "pending", 3, 3, 77, "lease_1"],
      ],
    );
    assert.deepEqual(await deliveriesOf(all.endpointId), allBefore);
    // Everything is pending now.
    assert.deepEqual(await replay(store, { ...named, fromMs: startMs }), { events: 3, queued: 0, nextFromMs: null });
    assert.equal((await deliveriesOf(chosen.endpointId)).length, 4);
    // One that chose everything gets no tests by a replay, not even its own.
    await finish(all.endpointId, { state: "failed", attempts: 1 });
    assert.deepEqual(await replay(store, { ...named, endpointId: all.endpointId, fromMs: startMs - 1 }), { events: 5, queued: 5, nextFromMs: null });
    assert.deepEqual((await deliveriesOf(all.endpointId)).map(({ type, state }) => `${type} ${state}`), ["payout.paid pending", "webhook.test failed", "payout.paid pending", "payout.approved pending", "limit.near pending", "payout.paid pending"]);
  });

  it("replay a bounded number at a time, and say from where to go on", async () => {
    const audience = newAudience();
    const { endpointId } = await create(audience);
    for (let index = 0; index < 5; index += 1) await tell(eventOf(audience), nowMs + index);
    await finish(endpointId, { state: "delivered", attempts: 1 });
    const named = { ...asked(audience, nowMs + 10), endpointId };
    assert.deepEqual(await replay(store, { ...named, fromMs: nowMs, eventsMax: 3 }), { events: 3, queued: 3, nextFromMs: nowMs + 3 });
    assert.deepEqual((await deliveriesOf(endpointId)).map(({ state }) => state), ["delivered", "pending", "pending", "pending", "delivered", "delivered"]);
    assert.deepEqual(await replay(store, { ...named, fromMs: nowMs + 3, eventsMax: 3 }), { events: 2, queued: 2, nextFromMs: null });
    await assert.rejects(replay(store, { ...named, fromMs: nowMs + 11 }), failsWith("invalid_request", /future/));
    await assert.rejects(replay(store, { ...named, fromMs: nowMs + 9 - 30 * msPerDay }), failsWith("invalid_request", /30 days ago/));
  });

  it("are replayed while events arrive, each once, on two nodes", async () => {
    const audience = newAudience();
    const other = database.dialect === "postgres" ? (await openStore(database, { nowMs, onConnectionError: () => {} })).store : store;
    const { endpointId } = await create(audience);
    const writes = Array.from({ length: 40 }, (_, index) => {
      const node = index % 2 === 0 ? store : other;
      if (index % 8 === 7) return replay(node, { ...asked(audience), endpointId, fromMs: nowMs });
      return node.write(eventStatements(node.db, eventOf(audience), { nowMs }));
    });
    await Promise.all(writes);
    const deliveries = await deliveriesOf(endpointId);
    assert.deepEqual(deliveries.map(({ sequence }) => sequence), Array.from({ length: 36 }, (_, index) => index + 1));
    if (other !== store) await other.close();
  });

  it("are deleted with their log, and leave no delivery behind while events arrive", async () => {
    const audience = newAudience();
    const { endpointId, eventId } = await create(audience);
    const { endpointId: kept } = await create(audience);
    const attempt = { event_id: eventId, attempt: 1, at: nowMs, duration_ms: 1, url, signature: "v1,x", status: 200, error: null, response: "" };
    await store.db.insertInto("webhook_attempts").values([{ ...attempt, endpoint_id: endpointId }, { ...attempt, endpoint_id: kept }]).execute();
    const writes = Array.from({ length: 20 }, (_, index) => (index === 10 ? removeEndpoint(context, { ...asked(audience), endpointId }) : tell(eventOf(audience))));
    await Promise.all(writes);
    const leftIn = async (table: "webhook_deliveries" | "webhook_attempts", id: string) => (await store.db.selectFrom(table).select("event_id").where("endpoint_id", "=", id).execute()).length;
    assert.deepEqual([await leftIn("webhook_deliveries", endpointId), await leftIn("webhook_attempts", endpointId)], [0, 0]);
    assert.deepEqual([await leftIn("webhook_deliveries", kept), await leftIn("webhook_attempts", kept)], [20, 1]);
    await assert.rejects(removeEndpoint(context, { ...asked(audience), endpointId }), failsWith("not_found", /No webhook endpoint/));
    assert.deepEqual((await notesOf(endpointId)).map(({ action }) => action), ["webhook.create", "webhook.delete"]);
  });
});
