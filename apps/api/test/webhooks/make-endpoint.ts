import { createSealer } from "../../src/secrets/sealer.ts";
import type { WebhookEndpointRow } from "../../src/store/schema-webhooks.ts";
import type { Store } from "../../src/store/store.ts";
import { newSecret, sealSecret } from "../../src/webhooks/endpoints/endpoint-secret.ts";
import { eventStatements, type NewEvent } from "../../src/webhooks/events/write-events.ts";
import { testSecretKey } from "../start-service.ts";

export const testSealer = createSealer({ secretKey: testSecretKey, previous: [] });

let numbered = 0;

/** An active endpoint that wants all events. Returns its secret. */
export async function makeEndpoint(store: Store, { url, ...more }: Partial<WebhookEndpointRow> & { url: string }): Promise<{ id: string; audience: string; secret: string }> {
  const id = more.id ?? `wh_${String((numbered += 1)).padStart(4, "0")}`;
  const secret = newSecret();
  const row: WebhookEndpointRow = {
    audience: `acct_${id}`,
    types: "*",
    state: "active",
    disabled_reason: null,
    secret: sealSecret(testSealer, id, secret),
    secret_previous: null,
    previous_until: null,
    failing_since: null,
    created_at: 1,
    changed_at: 1,
    last_attempt_at: null,
    last_success_at: null,
    ...more,
    id,
    url,
  };
  await store.db.insertInto("webhook_endpoints").values(row).execute();
  return { id, audience: row.audience, secret };
}

export const keyCreated = (audience: string, keyId = "key_1"): NewEvent => ({
  audience,
  type: "key.created",
  data: { account_id: audience, key_id: keyId, mode: "live", last_four: "x7Qa" },
});

/** Writes events for the audience as a change would. Returns their ids. */
export async function writeTestEvents(store: Store, audience: string, { count = 1, nowMs = Date.now() } = {}): Promise<string[]> {
  const before = new Set((await eventIdsOf(store, audience)));
  for (let nth = 0; nth < count; nth += 1) await store.write(eventStatements(store.db, keyCreated(audience, `key_${nth}`), { nowMs }));
  return (await eventIdsOf(store, audience)).filter((id) => !before.has(id));
}

export const eventIdsOf = async (store: Store, audience: string): Promise<string[]> =>
  (await store.db.selectFrom("webhook_events").select("id").where("audience", "=", audience).orderBy("sequence").execute()).map(({ id }) => id);

export const deliveriesOf = (store: Store, endpointId: string) =>
  store.db
    .selectFrom("webhook_deliveries")
    .select(["event_id", "state", "attempts", "round_attempts", "next_at", "lease", "last_status", "last_error"])
    .where("endpoint_id", "=", endpointId)
    .orderBy("event_id")
    .execute();

export const attemptsOf = (store: Store, endpointId: string) =>
  store.db
    .selectFrom("webhook_attempts")
    .select(["event_id", "attempt", "url", "signature", "status", "error", "response"])
    .where("endpoint_id", "=", endpointId)
    .orderBy("event_id")
    .orderBy("attempt")
    .execute();

export const endpointOf = (store: Store, id: string) =>
  store.db.selectFrom("webhook_endpoints").select(["state", "disabled_reason", "failing_since", "last_attempt_at", "last_success_at"]).where("id", "=", id).executeTakeFirstOrThrow();
