import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";
import type { WebhookEndpointRow } from "../../store/schema-webhooks.ts";

/** Everything but the secrets. */
const shownColumns = ["id", "audience", "url", "types", "state", "disabled_reason", "previous_until", "failing_since", "created_at", "changed_at", "last_attempt_at", "last_success_at"] as const;

export type ShownEndpoint = Pick<WebhookEndpointRow, (typeof shownColumns)[number]>;

type Named = { endpointId: string; audience: string };

/** The oldest first. There are few per audience: see endpoint-rules.ts. */
export function selectEndpoints(db: Db, audience: string) {
  return db.selectFrom("webhook_endpoints").select(shownColumns).where("audience", "=", audience).orderBy("id");
}

/** Everybody's, page by page. */
export function selectAllEndpoints(db: Db, page: { afterId: string; limit: number }) {
  return db.selectFrom("webhook_endpoints").select(shownColumns).where("id", ">", page.afterId).orderBy("id").limit(page.limit);
}

/** Another audience's endpoint is not found. */
export function selectEndpoint(db: Db, { endpointId, audience }: Named) {
  return db.selectFrom("webhook_endpoints").select(shownColumns).where("id", "=", endpointId).where("audience", "=", audience);
}

/**
 * The same, locked until the transaction is over, so that the sender marks no attempt at it meanwhile. To be taken before
 * the audience's head and the endpoint's deliveries: the sender locks in that order too.
 */
export function lockOwnEndpoint(db: Db, named: Named) {
  return selectEndpoint(db, named).$if(locksRows(db), (query) => query.forUpdate());
}

/** For the command line, which names an endpoint without its owner. */
export function selectAudienceOf(db: Db, endpointId: string) {
  return db.selectFrom("webhook_endpoints").select("audience").where("id", "=", endpointId);
}

export function countEndpoints(db: Db, audience: string) {
  return db.selectFrom("webhook_endpoints").select((eb) => eb.fn.countAll<number>().as("count")).where("audience", "=", audience);
}

export function insertEndpoint(db: Db, { endpointId, audience, url, types, secret, nowMs }: Named & { url: string; types: string; secret: string; nowMs: number }) {
  const none = { disabled_reason: null, secret_previous: null, previous_until: null, failing_since: null, last_attempt_at: null, last_success_at: null };
  return db.insertInto("webhook_endpoints").values({ id: endpointId, audience, url, types, state: "active", secret, created_at: nowMs, changed_at: nowMs, ...none });
}

export type EndpointChange = { url?: string | undefined; types?: string | undefined; state?: "active" | "paused" | undefined };

/**
 * A new URL and a fresh start count as no failure yet. Only `active` brings back an endpoint that Assay has disabled:
 * pausing that one would hide why it is off.
 */
export function updateEndpoint(db: Db, { endpointId, audience, change, nowMs }: Named & { change: EndpointChange; nowMs: number }) {
  const { url, types, state } = change;
  const isFresh = url !== undefined || state === "active";
  const changed = db
    .updateTable("webhook_endpoints")
    .set({
      changed_at: nowMs,
      ...(url !== undefined && { url }),
      ...(types !== undefined && { types }),
      ...(state !== undefined && { state, disabled_reason: null }),
      ...(isFresh && { failing_since: null }),
    })
    .where("id", "=", endpointId)
    .where("audience", "=", audience);
  return state === "paused" ? changed.where("state", "<>", "disabled") : changed;
}

/** What signed until now becomes the previous secret; the one before it signs no longer. */
export function rotateSecret(db: Db, { endpointId, audience, secret, previousUntilMs, nowMs }: Named & { secret: string; previousUntilMs: number; nowMs: number }) {
  return db
    .updateTable("webhook_endpoints")
    .set((eb) => ({ secret_previous: eb.ref("secret"), secret, previous_until: previousUntilMs, changed_at: nowMs }))
    .where("id", "=", endpointId)
    .where("audience", "=", audience);
}

export function deleteEndpoint(db: Db, { endpointId, audience }: Named) {
  return db.deleteFrom("webhook_endpoints").where("id", "=", endpointId).where("audience", "=", audience);
}
