import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { headersOf, hmacOf, newSecret } from "./testing/sign-webhook.ts";
import { createReplayGuard, verifyWebhook } from "./webhooks.ts";

describe("a replay guard", () => {
  it("refuses what was handled, and lets through what failed", async () => {
    const guard = createReplayGuard();
    const secret = newSecret();
    const signed = { id: "evt_1", atSeconds: Math.floor(Date.now() / 1_000), body: '{"type":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","sequence":1,"data":{"endpoint_id":"wh_1"}}' };
    const receive = () => verifyWebhook(signed.body, headersOf(signed, hmacOf(secret, signed)), secret, guard);
    await receive();
    // The receiver could not handle it, so it comes again.
    const { id } = await receive();
    guard.remember(id);
    await assert.rejects(receive(), { code: "duplicate", isDuplicate: true });
  });

  it("remembers a bounded number of ids, the newest ones", () => {
    const guard = createReplayGuard({ sizeMax: 3 });
    const known = () => ["a", "b", "c", "d", "e"].filter((id) => guard.seen(id)).join("");
    for (const id of ["a", "b", "c"]) guard.remember(id);
    assert.equal(known(), "abc");
    guard.remember("d");
    assert.equal(known(), "bcd");
    // What is remembered again is new again.
    guard.remember("b");
    guard.remember("e");
    assert.equal(known(), "bde");
  });

  it("forgets an id when its time is over, by default later than the last retry", () => {
    let nowMs = 0;
    const guard = createReplayGuard({ now: () => nowMs });
    guard.remember("a");
    nowMs = 3 * 24 * 3_600_000 + 3_600_000;
    assert.equal(guard.seen("a"), true);
    nowMs = 4 * 24 * 3_600_000;
    assert.equal(guard.seen("a"), false);
    const short = createReplayGuard({ now: () => nowMs, ttlSeconds: 1 });
    short.remember("a");
    nowMs += 999;
    assert.equal(short.seen("a"), true);
    nowMs += 1;
    assert.equal(short.seen("a"), false);
  });

  it("is not made without bounds", () => {
    for (const options of [{ sizeMax: 0 }, { sizeMax: 1.5 }, { sizeMax: Infinity }, { ttlSeconds: 0 }, { ttlSeconds: Number.NaN }]) assert.throws(() => createReplayGuard(options), RangeError);
  });
});
