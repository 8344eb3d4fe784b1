import type { DeliveryState } from "../../store/schema-webhooks.ts";
import type { Db } from "../../store/schema.ts";

type Named = { endpointId: string; audience: string; eventId: string };
export type DeliveryFilter = { endpointId?: string | undefined; state?: DeliveryState | undefined };
/** The last delivery of the page before. */
export type DeliveryCursor = { eventId: string; endpointId: string };

const deliveries = (db: Db, audience: string) =>
  db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as w", "w.id", "d.endpoint_id")
    .innerJoin("webhook_events as e", "e.id", "d.event_id")
    .where("w.audience", "=", audience)
    .where("e.audience", "=", audience)
    .select(["d.endpoint_id", "d.event_id", "e.type", "e.sequence", "e.at", "d.state", "d.attempts", "d.next_at", "d.leased_until", "d.last_status", "d.last_error", "d.created_at", "d.done_at", "w.state as endpoint_state"]);

/** The newest events first, to any of the audience's endpoints. */
export function selectDeliveries(db: Db, page: { audience: string; fromMs: number; filter: DeliveryFilter; before: DeliveryCursor | undefined; limit: number }) {
  const { audience, fromMs, filter, before, limit } = page;
  let query = deliveries(db, audience).where("e.at", ">=", fromMs).orderBy("d.event_id", "desc").orderBy("d.endpoint_id", "desc").limit(limit);
  if (filter.endpointId !== undefined) query = query.where("d.endpoint_id", "=", filter.endpointId);
  if (filter.state !== undefined) query = query.where("d.state", "=", filter.state);
  if (before === undefined) return query;
  return query.where((eb) => eb.or([eb("d.event_id", "<", before.eventId), eb.and([eb("d.event_id", "=", before.eventId), eb("d.endpoint_id", "<", before.endpointId)])]));
}

/** One of them, with what its event says. */
export function selectDelivery(db: Db, { audience, endpointId, eventId }: Named) {
  return deliveries(db, audience).select(["e.data", "w.url"]).where("d.endpoint_id", "=", endpointId).where("d.event_id", "=", eventId);
}

/** The last one first. */
export function selectAttempts(db: Db, { endpointId, eventId, limit }: Omit<Named, "audience"> & { limit: number }) {
  return db
    .selectFrom("webhook_attempts")
    .select(["attempt", "at", "duration_ms", "url", "signature", "status", "error", "response"])
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId)
    .orderBy("attempt", "desc")
    .limit(limit);
}
