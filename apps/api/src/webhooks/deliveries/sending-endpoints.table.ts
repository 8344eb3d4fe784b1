/** What sending reads and writes of endpoints: how they fare, and their sealed secrets. Locks are taken before those of their deliveries. */
import { locksRows } from "../../store/locks-rows.ts";
import type { WebhookEndpointRow } from "../../store/schema-webhooks.ts";
import type { Db } from "../../store/schema.ts";

/** Locks an endpoint until the transaction is over. No row: it was deleted, and so was all that belonged to it. */
export function lockEndpoint(db: Db, id: string) {
  return db
    .selectFrom("webhook_endpoints")
    .select(["audience", "url", "state", "failing_since", "last_success_at"])
    .where("id", "=", id)
    .$if(locksRows(db), (query) => query.forUpdate());
}

/** Locks all endpoints of an audience, in the order of their ids. */
export function lockEndpointsOfAudience(db: Db, audience: string) {
  return db
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("audience", "=", audience)
    .orderBy("id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function setEndpointHealth(db: Db, health: { id: string; failingSince: number | null; lastSuccessMs: number | null; nowMs: number }) {
  return db
    .updateTable("webhook_endpoints")
    .set({ failing_since: health.failingSince, last_success_at: health.lastSuccessMs, last_attempt_at: health.nowMs })
    .where("id", "=", health.id);
}

export function disableEndpoint(db: Db, { id, reason, nowMs }: { id: string; reason: "gone" | "failing"; nowMs: number }) {
  return db
    .updateTable("webhook_endpoints")
    .set({ state: "disabled", disabled_reason: reason, changed_at: nowMs })
    .where("id", "=", id)
    .where("state", "!=", "disabled");
}

export type SealedSecrets = Pick<WebhookEndpointRow, "secret" | "secret_previous">;

/** Those with a secret that another secret than the current one sealed. */
export function selectEndpointsOfOthers(db: Db, page: { currentPrefix: string; afterId: string; limit: number }) {
  const pattern = `${page.currentPrefix}%`;
  return db
    .selectFrom("webhook_endpoints")
    .select(["id", "secret", "secret_previous"])
    .where((eb) => eb.or([eb("secret", "not like", pattern), eb("secret_previous", "not like", pattern)]))
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

/** Changes the row only if it is still as it was read. */
export function replaceSecrets(db: Db, { id, before, after }: { id: string; before: SealedSecrets; after: SealedSecrets }) {
  return db
    .updateTable("webhook_endpoints")
    .set(after)
    .where("id", "=", id)
    .where("secret", "=", before.secret)
    .where("secret_previous", before.secret_previous === null ? "is" : "=", before.secret_previous);
}

export function deleteEndpointsOfAudience(db: Db, audience: string) {
  return db.deleteFrom("webhook_endpoints").where("audience", "=", audience);
}
