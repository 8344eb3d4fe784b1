import assert from "node:assert/strict";
import { after, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { describeBothStores } from "../../../test/both-stores.ts";
import { waitUntil } from "../../../test/send.ts";
import { attemptsOf, deliveriesOf, endpointOf, eventIdsOf, makeEndpoint, testSealer, writeTestEvents } from "../../../test/webhooks/make-endpoint.ts";
import { openHooks } from "../../../test/webhooks/open-hooks.ts";
import { startTestSender } from "../../../test/webhooks/start-test-sender.ts";
import { timeOfId } from "../../ids/time-ordered-id.ts";
import type { Store } from "../../store/store.ts";
import { createSealer } from "../../secrets/sealer.ts";
import { newSecret, sealSecret } from "../endpoints/endpoint-secret.ts";
import { deleteOldWebhooks } from "./erase-webhooks.ts";
import { resealEndpoints } from "./reseal-endpoints.ts";
import { attemptsMax } from "./schedule-retry.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const erasing = new URL("../../../test/webhooks/erase.work.ts", import.meta.url);

describeBothStores("a delivery", (open) => {
  const closers: (() => unknown)[] = [];
  after(async () => {
    for (const close of closers.toReversed()) await close();
  });
  async function start(options: Parameters<typeof startTestSender>[1] = {}) {
    const { store } = await open();
    const hooks = await openHooks();
    const sender = startTestSender(store, options);
    closers.push(hooks.close, () => sender.stop());
    return { store, hooks, sender };
  }
  const only = async (store: Store, endpointId: string) => (await deliveriesOf(store, endpointId))[0]!;
  const whenDone = (store: Store, endpointId: string, state: string) => waitUntil(async () => (await only(store, endpointId))?.state === state, `the delivery is ${state}`);
  const whenTried = (store: Store, endpointId: string, count: number) => waitUntil(async () => (await attemptsOf(store, endpointId)).length === count, `${count} attempts are written down`);

  it("is repeated with the same id and the same bytes, signed anew, until it is answered with 2xx", async () => {
    const { store, hooks, sender } = await start();
    const { id, audience, secret } = await makeEndpoint(store, { url: hooks.url("/a?b=c") });
    hooks.answer(() => 500);
    const writtenMs = Date.now();
    const [eventId] = await writeTestEvents(store, audience);
    sender.wake();
    await whenTried(store, id, 1);
    const { state, attempts, last_status: status, next_at: nextAt, lease } = await only(store, id);
    assert.deepEqual({ state, attempts, status, lease }, { state: "pending", attempts: 1, status: 500, lease: null });
    assert(nextAt > writtenMs + 3_000);
    assert.notEqual((await endpointOf(store, id)).failing_since, null);
    hooks.answer(() => 204);
    sender.passMs(hourMs);
    await whenDone(store, id, "delivered");
    const [first, second] = hooks.received;
    assert.deepEqual([first!.id, second!.id, hooks.received.length], [eventId, eventId, 2]);
    assert.equal(first!.body, second!.body);
    assert.deepEqual(Object.keys(JSON.parse(first!.body) as object), ["type", "timestamp", "sequence", "account", "data"]);
    assert.equal(first!.headers["content-type"], "application/json");
    new Webhook(secret).verify(first!.body, first!.headers as Record<string, string>);
    assert.equal(Number(second!.headers["webhook-timestamp"]) - Number(first!.headers["webhook-timestamp"]) >= 3_600, true);
    const rows = (await attemptsOf(store, id)).map(({ attempt, url, status: each, error, signature }) => ({ attempt, url, status: each, error, isSigned: hooks.received[attempt - 1]!.headers["webhook-signature"] === signature }));
    assert.deepEqual(rows, [1, 2].map((attempt) => ({ attempt, url: hooks.url("/a?b=c"), status: attempt === 1 ? 500 : 204, error: null, isSigned: true })));
    const { failing_since: since, last_success_at: successAt } = await endpointOf(store, id);
    assert.equal(since, null);
    assert.notEqual(successAt, null);
    assert.deepEqual(sender.outcomes, ["rejected", "delivered"]);
  });

  it("fails with a reason when the receiver hangs, resets, redirects or is away", async () => {
    const { store, hooks, sender } = await start({ deadlineMs: 1_500 });
    hooks.answer(({ path }, response) => {
      if (path === "/reset") response.socket!.resetAndDestroy();
      if (path === "/redirect") response.writeHead(307, { location: hooks.url("/target") }).end();
      return undefined;
    });
    const gone = await openHooks();
    const away = gone.url();
    gone.close();
    const endpoints = { hang: hooks.url("/hang"), reset: hooks.url("/reset"), redirect: hooks.url("/redirect"), away, inside: "https://10.0.0.1/" };
    for (const [id, url] of Object.entries(endpoints)) await makeEndpoint(store, { id, url, audience: "acct_all" });
    await writeTestEvents(store, "acct_all");
    sender.wake();
    const read = async () => Object.fromEntries(await Promise.all(Object.keys(endpoints).map(async (id) => [id, (await attemptsOf(store, id)).map(({ status, error }) => status ?? error)[0]])));
    await waitUntil(async () => Object.values(await read()).every((each) => each !== undefined), "all were tried");
    assert.deepEqual(await read(), { hang: "timeout", reset: "closed_early", redirect: 307, away: "connection_refused", inside: "address_not_public" });
    for (const id of Object.keys(endpoints)) assert.deepEqual([(await only(store, id)).state, (await endpointOf(store, id)).failing_since === null], ["pending", false]);
    assert.deepEqual(hooks.idsAt("/target"), [], "a redirect is not followed");
    assert.deepEqual(sender.outcomes.toSorted(), ["refused", "rejected", "unreachable", "unreachable", "unreachable"]);
  });

  it("keeps at most 4 KB of an endless answer, as text that every database takes", async () => {
    const { store, hooks, sender } = await start();
    let sentBytes = 0;
    hooks.answer((_hook, response) => {
      response.writeHead(200, { "content-length": String(2 ** 30) });
      const chunk = Buffer.from([0x41, 0x00, 0xff, 0xfe, ...Array.from({ length: 65_532 }, () => 0xc3)]);
      const more = () => {
        while (!response.destroyed && sentBytes < 2 ** 30) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
      return undefined;
    });
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    await writeTestEvents(store, audience);
    sender.wake();
    await whenDone(store, id, "delivered");
    const [attempt] = await attemptsOf(store, id);
    const response = attempt!.response!;
    assert.equal(attempt!.status, 200);
    assert(response.startsWith("A") && response.includes("\uFFFD") && !response.includes("\0"));
    assert(Buffer.byteLength(response) <= 4_096);
    assert(sentBytes < 2 ** 27, `the receiver could send ${sentBytes} bytes`);
  });

  it("that is answered with 410 ends its endpoint, what waits for it, and is told once", async () => {
    const { store, hooks, sender } = await start();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    const other = await makeEndpoint(store, { url: hooks.url("/other"), audience });
    hooks.answer(({ path }) => (path === "/" ? 410 : 200));
    await writeTestEvents(store, audience, { count: 5 });
    sender.wake();
    await waitUntil(async () => (await deliveriesOf(store, other.id)).every(({ state }) => state === "delivered") && (await endpointOf(store, id)).state === "disabled", "one is disabled, the other gets all");
    assert.equal((await endpointOf(store, id)).disabled_reason, "gone");
    assert.deepEqual((await deliveriesOf(store, id)).map(({ state, lease }) => [state, lease]), Array.from({ length: 5 }, () => ["failed", null]));
    assert(hooks.idsAt("/").length <= 2, "no more than were under way");
    const told = await store.db.selectFrom("webhook_events").select("data").where("type", "=", "webhook.disabled").execute();
    assert.deepEqual(told.map(({ data }) => JSON.parse(data) as unknown), [{ endpoint_id: id, reason: "gone" }]);
  });

  it("to a URL that was changed meanwhile says nothing about the new one", async () => {
    const { store, hooks, sender } = await start();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url("/old") });
    hooks.answer(async ({ path }) => {
      if (path === "/new") return 200;
      await store.db.updateTable("webhook_endpoints").set({ url: hooks.url("/new") }).where("id", "=", id).execute();
      return 410;
    });
    await writeTestEvents(store, audience);
    sender.wake();
    await whenTried(store, id, 1);
    assert.deepEqual([(await endpointOf(store, id)).state, (await endpointOf(store, id)).failing_since, (await only(store, id)).state], ["active", null, "pending"]);
    sender.passMs(hourMs);
    await whenDone(store, id, "delivered");
  });

  it("that fails after a week of failures disables the endpoint; one that fails a little earlier does not", async () => {
    const { store, hooks, sender } = await start();
    hooks.answer(() => 500);
    const early = await makeEndpoint(store, { url: hooks.url(), failing_since: Date.now() - 7 * dayMs + hourMs });
    const late = await makeEndpoint(store, { url: hooks.url(), failing_since: Date.now() - 7 * dayMs - 1 });
    for (const { audience } of [early, late]) await writeTestEvents(store, audience);
    sender.wake();
    await waitUntil(async () => (await endpointOf(store, late.id)).state === "disabled" && (await attemptsOf(store, early.id)).length === 1, "both were tried");
    assert.equal((await endpointOf(store, late.id)).disabled_reason, "failing");
    assert.equal((await only(store, late.id)).state, "failed");
    assert.equal((await endpointOf(store, early.id)).state, "active");
    const ofLate = await store.db.selectFrom("webhook_events").select("data").where("audience", "=", late.audience).where("type", "=", "webhook.disabled").execute();
    assert.deepEqual(ofLate.map(({ data }) => JSON.parse(data) as unknown), [{ endpoint_id: late.id, reason: "failing" }]);
  });

  it(`has failed after ${attemptsMax} attempts, and is not tried again`, async () => {
    const { store, hooks, sender } = await start();
    hooks.answer(() => 503);
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    await writeTestEvents(store, audience);
    sender.wake();
    for (let attempt = 1; attempt < attemptsMax; attempt += 1) {
      await whenTried(store, id, attempt);
      assert.equal((await only(store, id)).state, "pending");
      sender.passMs(Math.max(0, (await only(store, id)).next_at - sender.nowMs()) + 1_000);
    }
    await whenDone(store, id, "failed");
    sender.passMs(dayMs);
    const other = await makeEndpoint(store, { url: hooks.url("/other") });
    await writeTestEvents(store, other.audience, { nowMs: sender.nowMs() });
    sender.wake();
    await waitUntil(() => hooks.idsAt("/other").length === 1, "another one is sent");
    assert.equal(hooks.idsAt("/").length, attemptsMax);
  });

  it("waits as long as a busy receiver asks, an hour at most", async () => {
    const { store, hooks, sender } = await start();
    hooks.answer(({ path }, response) => void response.writeHead(path === "/broken" ? 500 : 429, { "retry-after": path === "/long" ? "86400" : "600" }).end());
    const waits = new Map<string, [number, number]>([["/", [590, 700]], ["/long", [3_500, 3_700]], ["/broken", [1, 60]]]);
    for (const path of waits.keys()) await makeEndpoint(store, { id: path, url: hooks.url(path), audience: "acct_all" });
    await writeTestEvents(store, "acct_all");
    sender.wake();
    for (const [path, [least, most]] of waits) {
      await whenTried(store, path, 1);
      const waitSeconds = ((await only(store, path)).next_at - Date.now()) / 1_000;
      assert(waitSeconds > least - 60 && waitSeconds < most, `${path}: ${waitSeconds}`);
    }
  });

  it("waits while its endpoint is paused, goes when it is active again, and is gone with it", async () => {
    const { store, hooks, sender } = await start();
    const setState = (id: string, state: "active" | "paused") => store.db.updateTable("webhook_endpoints").set({ state }).where("id", "=", id).execute();
    const [paused, deleted, other] = [await makeEndpoint(store, { url: hooks.url("/paused") }), await makeEndpoint(store, { url: hooks.url("/deleted") }), await makeEndpoint(store, { url: hooks.url("/other") })];
    await setState(paused.id, "active");
    const written = await writeTestEvents(store, paused.audience, { nowMs: Date.now() + hourMs });
    await setState(paused.id, "paused");
    await writeTestEvents(store, deleted.audience, { nowMs: Date.now() + hourMs });
    await store.transact(erasing, { audience: deleted.audience });
    sender.passMs(2 * hourMs);
    await writeTestEvents(store, other.audience);
    sender.wake();
    await waitUntil(async () => (await only(store, other.id)).state === "delivered", "the sender has looked");
    assert.deepEqual(hooks.received.map(({ path }) => path), ["/other"]);
    await setState(paused.id, "active");
    sender.wake();
    await whenDone(store, paused.id, "delivered");
    assert.deepEqual(hooks.idsAt("/paused"), written);
    assert.deepEqual(hooks.idsAt("/deleted"), []);
  });

  it("whose endpoint is erased while it is being sent leaves nothing behind", async () => {
    const { store, hooks, sender } = await start();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    const kept = await makeEndpoint(store, { url: hooks.url("/kept") });
    hooks.answer(async ({ path }) => {
      if (path === "/") await store.transact(erasing, { audience });
      return 410;
    });
    await writeTestEvents(store, audience);
    await writeTestEvents(store, kept.audience);
    sender.wake();
    await waitUntil(() => sender.outcomes.length === 2, "both were tried");
    await whenTried(store, kept.id, 1);
    await sender.stop();
    assert.deepEqual([await attemptsOf(store, id), await deliveriesOf(store, id), await eventIdsOf(store, audience)], [[], [], []]);
    const heads = await store.db.selectFrom("webhook_heads").select("audience").execute();
    assert.deepEqual(heads.map((head) => head.audience), [kept.audience]);
    assert.deepEqual(sender.errors, []);
  });

  it("that cannot be sent, because its secret or its event is gone, is not the endpoint's failure", async () => {
    const { store, hooks, sender } = await start();
    const stranger = createSealer({ secretKey: "another secret of an installation", previous: [] });
    const sealed = await makeEndpoint(store, { id: "wh_sealed", url: hooks.url(), secret: sealSecret(stranger, "wh_sealed", newSecret()) });
    const expired = await makeEndpoint(store, { url: hooks.url() });
    await writeTestEvents(store, sealed.audience);
    await writeTestEvents(store, expired.audience);
    await store.db.deleteFrom("webhook_events").where("audience", "=", expired.audience).execute();
    sender.wake();
    await waitUntil(async () => (await only(store, sealed.id)).last_error !== null && (await only(store, expired.id)).last_error !== null, "both were looked at");
    assert.deepEqual([await only(store, sealed.id)].map(({ state, last_error: error }) => [state, error]), [["pending", "secret_unreadable"]]);
    assert.deepEqual([await only(store, expired.id)].map(({ state, last_error: error }) => [state, error]), [["failed", "event_expired"]]);
    for (const { id } of [sealed, expired]) assert.equal((await endpointOf(store, id)).failing_since, null);
    assert.equal(hooks.received.length, 0);
  });

  it("is signed with both secrets until a rotation is over, and with all of them after SECRET_KEY was replaced", async () => {
    const { store, hooks, sender: before } = await start();
    await before.stop();
    const next = { secretKey: "the secret that takes its place", previous: [] };
    const previous = newSecret();
    const { id, audience, secret } = await makeEndpoint(store, { id: "wh_rotated", url: hooks.url(), secret_previous: sealSecret(testSealer, "wh_rotated", previous), previous_until: Date.now() + hourMs });
    const resealer = createSealer({ ...next, previous: ["nobody's", ...testSealer.secretKeys] });
    assert.deepEqual(await resealEndpoints(store, { sealer: resealer, isOver: () => false }), { resealed: 1, left: 0, unreadable: 0 });
    assert.deepEqual(await resealEndpoints(store, { sealer: createSealer(next), isOver: () => false }), { resealed: 0, left: 0, unreadable: 0 });
    const sender = startTestSender(store, { sealer: createSealer(next) });
    closers.push(() => sender.stop());
    await writeTestEvents(store, audience);
    sender.wake();
    await waitUntil(() => hooks.received.length > 0, "it was sent");
    const [hook] = hooks.received;
    for (const each of [secret, previous]) new Webhook(each).verify(hook!.body, hook!.headers as Record<string, string>);
    hooks.received.length = 0;
    sender.passMs(2 * hourMs);
    await writeTestEvents(store, audience, { nowMs: sender.nowMs() });
    sender.wake();
    await waitUntil(() => hooks.received.length > 0, "another one was sent");
    const [later] = hooks.received;
    assert.equal(String(later!.headers["webhook-signature"]).split(" ").length, 1);
    assert.equal((await endpointOf(store, id)).state, "active");
  });

  it("is deleted after 30 days, with its event and its attempts, also if its endpoint is paused", async () => {
    const { store, hooks, sender } = await start();
    const { id, audience } = await makeEndpoint(store, { url: hooks.url() });
    const [sent] = await writeTestEvents(store, audience);
    // Later than now if this process has made a later id before.
    const nowMs = timeOfId(sent!);
    sender.passMs(Math.max(0, nowMs - Date.now()));
    await whenDone(store, id, "delivered");
    await sender.stop();
    const [later] = await writeTestEvents(store, audience, { nowMs: nowMs + 2 * dayMs });
    const remove = async (atMs: number) => (await deleteOldWebhooks(store, { nowMs: atMs, isOver: () => false })).reduce((sum, { deleted }) => sum + deleted, 0);
    assert.equal(await remove(nowMs + 29 * dayMs), 0);
    assert.deepEqual(await eventIdsOf(store, audience), [sent, later]);
    assert.equal(await remove(nowMs + 30 * dayMs + hourMs), 3);
    assert.deepEqual([await eventIdsOf(store, audience), (await deliveriesOf(store, id)).map(({ event_id: each }) => each), (await attemptsOf(store, id)).length], [[later], [later], 0]);
    assert.equal(await remove(nowMs + 40 * dayMs), 2, "a pending one goes as well");
  });
});
