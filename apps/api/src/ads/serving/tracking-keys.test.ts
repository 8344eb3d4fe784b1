import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { createSealer } from "../../secrets/sealer.ts";
import type { Store } from "../../store/store.ts";
import { rotateTrackingKey } from "./rotate-tracking-key.ts";
import { openTrackingKeys, type TrackingKeys } from "./tracking-keys.ts";
import { signTokens } from "./tracking-token.ts";

const startMs = 1_800_000_000_000;
const lifeMs = 2 * 3_600_000;
const secretKey = "a secret that only this test knows";

describeBothStores("the keys that sign tracking URLs", (open) => {
  /** A node with a clock that the test moves. */
  async function openNode(store: Store, clock: { nowMs: number }, secret = secretKey, previous: string[] = []): Promise<TrackingKeys> {
    const sealer = createSealer({ secretKey: secret, previous });
    const keys = await openTrackingKeys(store, { sealer, nowMs: () => clock.nowMs, monotonicMs: () => clock.nowMs, onError: () => {} });
    // Stops polling by the wall clock: here keys are read only on demand.
    keys.stop();
    return keys;
  }
  const sign = (keys: TrackingKeys, clock: { nowMs: number }) =>
    signTokens(keys.current(), { id: timeOrderedId("ad", clock.nowMs), expiresMs: clock.nowMs + lifeMs });

  it("are created once and shared by all nodes with the same secret", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const [a, b] = [await openNode(store, clock), await openNode(store, clock)];
    assert.equal(a.current().id, b.current().id);
    const { click } = sign(a, clock);
    assert.ok(await b.verify(click, "click"));
    assert.equal(await b.verify(click, "impression"), undefined);
    const stranger = await openNode(store, clock, "another secret of another installation");
    assert.equal(await stranger.verify(click, "click"), undefined);
  });

  it("are not in the database: a copy of it cannot sign", async () => {
    const { store } = await open();
    await openNode(store, { nowMs: startMs });
    const rows = await store.db.selectFrom("tracking_keys").selectAll().execute();
    assert.deepEqual(Object.keys(rows[0]!).toSorted(), ["created_at", "id", "retired_at", "salt", "sealed"]);
    assert.equal(createSealer({ secretKey: "another secret", previous: [] }).open("tracking key", rows[0]!.sealed!, rows[0]!.id), "unreadable");
  });

  it("outlive SECRET_KEY: what was signed before it was replaced stays valid, also when the old one is gone", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const next = "the secret that replaces it";
    const old = sign(await openNode(store, clock), clock);
    const still = await openNode(store, clock);
    const both = await openNode(store, clock, next, [secretKey]);
    assert.ok(await both.verify(old.click, "click"));
    const fresh = sign(both, clock);
    clock.nowMs += 5_000;
    // An unknown key id lets a node read the keys again, as its poll does.
    await still.verify(signTokens({ ...both.current(), id: "ffffffffff" }, { id: timeOrderedId("ad", clock.nowMs), expiresMs: clock.nowMs + lifeMs }).click, "click");
    assert.ok(await still.verify(fresh.click, "click"), "a node that was not restarted yet");
    const after = await openNode(store, clock, next);
    for (const { click } of [old, fresh]) assert.ok(await after.verify(click, "click"));
  });

  it("of version 0.1, which are not sealed, are sealed at the start, whichever of the secrets they were derived from", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const old = sign(await openNode(store, clock), clock);
    await store.db.updateTable("tracking_keys").set({ sealed: null }).execute();
    const both = await openNode(store, clock, "the secret that replaces it", [secretKey]);
    assert.ok(await both.verify(old.click, "click"));
    assert.ok(await (await openNode(store, clock, "the secret that replaces it")).verify(old.click, "click"), "the old secret is gone");
  });

  it("rotate: the new key signs once all nodes know it, and the old key still verifies what it signed", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const [a, b] = [await openNode(store, clock), await openNode(store, clock)];
    const old = sign(a, clock);
    const oldId = a.current().id;
    clock.nowMs += 60_000;
    const { id: newId } = await rotateTrackingKey(store, { actorAccountId: null, nowMs: clock.nowMs });
    const c = await openNode(store, clock);
    assert.equal(c.current().id, oldId, "not before the other nodes can know it");
    clock.nowMs += 10_000;
    assert.equal(c.current().id, newId);
    const fresh = sign(c, clock);
    assert.ok(await a.verify(fresh.click, "click"), "a node that does not know the key reads the store");
    assert.ok(await c.verify(old.click, "click"));
    assert.ok(await b.verify(old.impression, "impression"));
  });

  it("that were retired cannot sign tokens that outlive their last ones", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const a = await openNode(store, clock);
    const stolen = a.current();
    await rotateTrackingKey(store, { actorAccountId: null, nowMs: clock.nowMs });
    clock.nowMs += 3_600_000;
    const b = await openNode(store, clock);
    const forged = signTokens(stolen, { id: timeOrderedId("ad", clock.nowMs), expiresMs: clock.nowMs + lifeMs });
    assert.equal(await b.verify(forged.click, "click"), undefined);
  });

  it("that are unknown cost at most one query per second", async () => {
    const { store } = await open();
    const clock = { nowMs: startMs };
    const keys = await openNode(store, clock);
    const known = keys.current();
    clock.nowMs += 5_000;
    let looks = 0;
    for (let made = 0; made < 100; made += 1) {
      const offer = { id: timeOrderedId("ad", clock.nowMs), expiresMs: clock.nowMs + lifeMs };
      const verified = keys.verify(signTokens({ ...known, id: made.toString(16).padStart(10, "f") }, offer).click, "click");
      // A promise means a query.
      if (verified instanceof Promise) looks += 1;
      assert.equal(await verified, undefined);
    }
    assert.equal(looks, 1);
  });
});
