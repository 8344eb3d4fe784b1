import { sql } from "kysely";
import type { WebhookAttemptRow } from "../../store/schema-webhooks.ts";
import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";

/** Literal, because SQLite uses an index of pending rows only if it knows the value. */
const pending = sql.lit("pending" as const);

export type DeliveryKey = { endpointId: string; eventId: string };

/** When the first pending delivery is due. One that is leased counts from the end of its lease. */
export function selectNextDue(db: Db) {
  return db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.min("next_at").as("next_at"))
    .where("state", "=", pending);
}

/**
 * Active endpoints with something due, those first that have waited longest for an attempt: a large backlog never goes
 * before an endpoint with one delivery. `taken` are full already.
 */
export function selectDueEndpoints(db: Db, due: { isFailing: boolean; taken: { endpointIds: readonly string[]; audiences: readonly string[] }; nowMs: number; limit: number }) {
  const { isFailing, taken, nowMs, limit } = due;
  return db
    .selectFrom("webhook_endpoints")
    .select(["id", "audience"])
    .where("state", "=", "active")
    .where("failing_since", isFailing ? "is not" : "is", null)
    .$if(taken.endpointIds.length > 0, (query) => query.where("id", "not in", taken.endpointIds))
    .$if(taken.audiences.length > 0, (query) => query.where("audience", "not in", taken.audiences))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("webhook_deliveries")
          .select("event_id")
          .whereRef("webhook_deliveries.endpoint_id", "=", "webhook_endpoints.id")
          .where("webhook_deliveries.state", "=", pending)
          .where("next_at", "<=", nowMs)
          .where("leased_until", "<=", nowMs),
      ),
    )
    .orderBy((eb) => eb.fn.coalesce("last_attempt_at", eb.lit(0)))
    .orderBy("id")
    .limit(limit);
}

/** The oldest due deliveries of each endpoint, as many as it has places. */
export function selectDueDeliveries(db: Db, due: { shares: readonly { endpointId: string; places: number }[]; nowMs: number }) {
  const [first, ...rest] = due.shares.map(({ endpointId, places }) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom("webhook_deliveries")
          .select(["endpoint_id", "event_id"])
          .where("endpoint_id", "=", endpointId)
          .where("state", "=", pending)
          .where("next_at", "<=", due.nowMs)
          // One that was asked for again while it is being sent is leased and due.
          .where("leased_until", "<=", due.nowMs)
          .orderBy("next_at")
          .orderBy("event_id")
          .limit(places)
          .as("due"),
      )
      .select(["endpoint_id", "event_id"]),
  );
  return rest.reduce((all, each) => all.unionAll(each), first!);
}

/**
 * Leases those of the deliveries that are still due, and counts the attempt. While it is leased a delivery is due at the
 * end of the lease: if the node dies, another one finds it then.
 */
export function claimDeliveries(db: Db, claim: { keys: readonly DeliveryKey[]; lease: string; nowMs: number; untilMs: number }) {
  const { keys, lease, nowMs, untilMs } = claim;
  return db
    .updateTable("webhook_deliveries")
    .set((eb) => ({ lease, leased_until: untilMs, next_at: untilMs, attempts: eb("attempts", "+", 1), round_attempts: eb("round_attempts", "+", 1) }))
    .where((eb) =>
      eb(
        eb.refTuple("endpoint_id", "event_id"),
        "in",
        eb
          .selectFrom("webhook_deliveries as due")
          .select(["due.endpoint_id", "due.event_id"])
          .where((each) => each.or(keys.map(({ endpointId, eventId }) => each.and([each("due.endpoint_id", "=", endpointId), each("due.event_id", "=", eventId)]))))
          .where("due.state", "=", pending)
          .where("due.next_at", "<=", nowMs)
          .where("due.leased_until", "<=", nowMs)
          // Skips rows that another node is claiming instead of waiting for them.
          .$if(locksRows(db), (query) => query.forUpdate().skipLocked())
          .$asTuple("endpoint_id", "event_id"),
      ),
    )
    .where("state", "=", pending)
    .where("next_at", "<=", nowMs)
    .where("leased_until", "<=", nowMs)
    .where((eb) => eb.exists(eb.selectFrom("webhook_endpoints").select("id").whereRef("webhook_endpoints.id", "=", "webhook_deliveries.endpoint_id").where("webhook_endpoints.state", "=", "active")))
    .returning(["endpoint_id", "event_id", "attempts", "round_attempts"]);
}

/** What is sent, where, and with which secrets. The event is null if it was deleted meanwhile. */
export function selectClaimed(db: Db, claim: { keys: readonly DeliveryKey[]; lease: string }) {
  return db
    .selectFrom("webhook_deliveries as delivery")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "delivery.endpoint_id")
    .leftJoin("webhook_events as event", "event.id", "delivery.event_id")
    .select([
      "delivery.endpoint_id",
      "delivery.event_id",
      "delivery.attempts",
      "delivery.round_attempts",
      "endpoint.audience",
      "endpoint.url",
      "endpoint.secret",
      "endpoint.secret_previous",
      "endpoint.previous_until",
      "endpoint.failing_since",
      "event.audience as event_audience",
      "event.type",
      "event.sequence",
      "event.at",
      "event.data",
    ])
    .where((eb) => eb.or(claim.keys.map(({ endpointId, eventId }) => eb.and([eb("delivery.endpoint_id", "=", endpointId), eb("delivery.event_id", "=", eventId)]))))
    .where("delivery.lease", "=", claim.lease);
}

/** Does nothing if it was written before: a write whose outcome was unknown is repeated. */
export function insertAttempt(db: Db, row: WebhookAttemptRow) {
  return db.insertInto("webhook_attempts").values(row).onConflict((conflict) => conflict.columns(["endpoint_id", "event_id", "attempt"]).doNothing());
}

export type MarkedDelivery = DeliveryKey & { lease: string; status: number | null; error: string | null; nowMs: number };

/** Changes the row only while its lease is this one: otherwise somebody else has it. */
export function markDelivered(db: Db, { endpointId, eventId, lease, status, nowMs }: MarkedDelivery) {
  return db
    .updateTable("webhook_deliveries")
    .set({ state: "delivered", lease: null, leased_until: 0, last_status: status, last_error: null, done_at: nowMs })
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId)
    .where("lease", "=", lease);
}

/** Schedules the next attempt at `nextMs`, or marks the delivery as failed without one. Only while the lease is this one. */
export function markUndelivered(db: Db, { endpointId, eventId, lease, status, error, nextMs, nowMs }: MarkedDelivery & { nextMs: number | undefined }) {
  const isOver = nextMs === undefined;
  return db
    .updateTable("webhook_deliveries")
    .set({
      state: isOver ? "failed" : "pending",
      next_at: nextMs ?? 0,
      lease: null,
      leased_until: 0,
      last_status: status,
      last_error: error,
      done_at: isOver ? nowMs : null,
    })
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId)
    .where("lease", "=", lease);
}

/** Ends what is left of an endpoint that was disabled. What is on its way loses its lease. */
export function failPending(db: Db, { endpointId, error, nowMs }: { endpointId: string; error: string; nowMs: number }) {
  return db
    .updateTable("webhook_deliveries")
    .set({ state: "failed", next_at: 0, lease: null, leased_until: 0, last_error: error, done_at: nowMs })
    .where("endpoint_id", "=", endpointId)
    .where("state", "=", pending);
}

/** For metrics: pending deliveries, counted up to a bound. */
export function countPending(db: Db, limit: number) {
  return db.selectFrom((eb) => eb.selectFrom("webhook_deliveries").select("event_id").where("state", "=", pending).limit(limit).as("pending")).select((eb) => eb.fn.countAll<number>().as("count"));
}

/** For metrics: when the delivery became due that active endpoints have waited for longest. */
export function selectOldestDue(db: Db) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom("webhook_endpoints as endpoint")
        .select((each) =>
          each
            .selectFrom("webhook_deliveries as delivery")
            .select((delivery) => delivery.fn.min("delivery.next_at").as("next_at"))
            .whereRef("delivery.endpoint_id", "=", "endpoint.id")
            .where("delivery.state", "=", pending)
            .as("next_at"),
        )
        .where("endpoint.state", "=", "active")
        .as("due"),
    )
    .select((eb) => eb.fn.min("due.next_at").as("next_at"));
}

/** Deliveries of events that are older than the id says, whatever became of them. */
export function deleteDeliveriesBefore(db: Db, old: { eventId: string; limit: number }) {
  return db
    .deleteFrom("webhook_deliveries")
    .where((eb) =>
      eb(
        eb.refTuple("endpoint_id", "event_id"),
        "in",
        eb
          .selectFrom("webhook_deliveries as old")
          .select(["old.endpoint_id", "old.event_id"])
          .where("old.event_id", "<", old.eventId)
          .orderBy("old.event_id")
          .limit(old.limit)
          .$asTuple("endpoint_id", "event_id"),
      ),
    );
}

export function deleteAttemptsBefore(db: Db, old: { atMs: number; limit: number }) {
  return db
    .deleteFrom("webhook_attempts")
    .where((eb) =>
      eb(
        eb.refTuple("endpoint_id", "event_id", "attempt"),
        "in",
        eb
          .selectFrom("webhook_attempts as old")
          .select(["old.endpoint_id", "old.event_id", "old.attempt"])
          .where("old.at", "<", old.atMs)
          .orderBy("old.at")
          .limit(old.limit)
          .$asTuple("endpoint_id", "event_id", "attempt"),
      ),
    );
}

export function deleteDeliveriesOfAudience(db: Db, audience: string) {
  return db.deleteFrom("webhook_deliveries").where("endpoint_id", "in", (eb) => eb.selectFrom("webhook_endpoints").select("id").where("audience", "=", audience));
}

export function deleteAttemptsOfAudience(db: Db, audience: string) {
  return db.deleteFrom("webhook_attempts").where("endpoint_id", "in", (eb) => eb.selectFrom("webhook_endpoints").select("id").where("audience", "=", audience));
}
