import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeEndpoint } from "../../../test/webhooks/make-endpoint.ts";
import type { WebhookDeliveryRow } from "../../store/schema-webhooks.ts";
import { selectDueDeliveries } from "./deliveries.table.ts";

const nowMs = 1_000_000;

describeBothStores("the deliveries that are due", (open) => {
  it("are of each endpoint those that have been due longest, as many as it has places", async () => {
    const { store } = await open();
    const [one, other] = [await makeEndpoint(store, { url: "https://one.example/" }), await makeEndpoint(store, { url: "https://other.example/" })];
    const row = (endpoint_id: string, event_id: string, next_at: number, more: Partial<WebhookDeliveryRow> = {}): WebhookDeliveryRow => ({
      endpoint_id, event_id, next_at, state: "pending", attempts: 0, round_attempts: 0, lease: null, leased_until: 0, last_status: null, last_error: null, created_at: 1, done_at: null, ...more,
    });
    await store.db.insertInto("webhook_deliveries").values([
      // The newer the event, the longer it has been due: one that was asked for again, before others that wait for a retry.
      row(one.id, "evt_1", nowMs),
      row(one.id, "evt_2", nowMs - 10),
      row(one.id, "evt_3", nowMs - 10),
      row(one.id, "evt_4", nowMs - 30, { leased_until: nowMs }),
      row(one.id, "evt_5", nowMs + 1),
      row(one.id, "evt_6", nowMs - 50, { lease: "another node", leased_until: nowMs + 1 }),
      row(one.id, "evt_7", nowMs - 60, { state: "failed" }),
      row(one.id, "evt_8", nowMs - 60, { state: "delivered" }),
      row(other.id, "evt_1", nowMs - 5),
      row(other.id, "evt_9", nowMs - 90),
    ]).execute();
    const due = async (...shares: [{ id: string }, number][]) => {
      const rows = await selectDueDeliveries(store.db, { shares: shares.map(([{ id }, places]) => ({ endpointId: id, places })), nowMs }).execute();
      return rows.map(({ endpoint_id, event_id }) => `${endpoint_id === one.id ? "one" : "other"} ${event_id}`).toSorted();
    };
    assert.deepEqual(await due([one, 1]), ["one evt_4"]);
    assert.deepEqual(await due([one, 2]), ["one evt_2", "one evt_4"], "of two that have been due as long, the older event");
    assert.deepEqual(await due([one, 3]), ["one evt_2", "one evt_3", "one evt_4"]);
    assert.deepEqual(await due([one, 9]), ["one evt_1", "one evt_2", "one evt_3", "one evt_4"], "none that is leased, over, or due later");
    assert.deepEqual(await due([other, 1], [one, 1]), ["one evt_4", "other evt_9"]);
  });
});
