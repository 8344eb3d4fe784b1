/** Deliveries that a person asks for: a test, a redelivery, a replay. The sender's own changes are in deliveries.table.ts. */
import type { Db } from "../../store/schema.ts";

type Named = { endpointId: string; audience: string };
/** Events of an audience from a time on, of the chosen types, up to a place in their order. */
export type Replayed = Named & { fromMs: number; types: readonly string[]; throughSequence: number };

const testType = "webhook.test";

/** Of an hour, by everybody of the audience, also to endpoints that are deleted by now. */
export function countTestsOfAudience(db: Db, { audience, fromMs }: { audience: string; fromMs: number }) {
  return db.selectFrom("webhook_events").select((eb) => eb.fn.countAll<number>().as("count")).where("audience", "=", audience).where("at", ">", fromMs).where("type", "=", testType);
}

export function countTestsOfEndpoint(db: Db, { endpointId, audience, fromMs }: Named & { fromMs: number }) {
  return db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_events as e", "e.id", "d.event_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("d.endpoint_id", "=", endpointId)
    .where("e.audience", "=", audience)
    .where("e.at", ">", fromMs)
    .where("e.type", "=", testType);
}

/** To one endpoint, whatever it chose. */
export function insertDelivery(db: Db, { endpointId, eventId, nowMs }: { endpointId: string; eventId: string; nowMs: number }) {
  return db
    .insertInto("webhook_deliveries")
    .values({ endpoint_id: endpointId, event_id: eventId, state: "pending", attempts: 0, round_attempts: 0, next_at: nowMs, lease: null, leased_until: 0, last_status: null, last_error: null, created_at: nowMs, done_at: null });
}

/**
 * Sends one delivery again, with all its attempts before it gives up, if its event is in the log and its endpoint active.
 * A lease stays: the attempt that is under way is recorded as usual.
 */
export function askAgain(db: Db, again: Named & { eventId: string; fromMs: number; attemptsMax: number; nowMs: number }) {
  const { endpointId, audience, eventId, fromMs, attemptsMax, nowMs } = again;
  return db
    .updateTable("webhook_deliveries")
    .set({ state: "pending", round_attempts: 0, next_at: nowMs, done_at: null })
    .where("endpoint_id", "=", endpointId)
    .where("event_id", "=", eventId)
    .where("attempts", "<", attemptsMax)
    .where((eb) => eb.exists(eb.selectFrom("webhook_endpoints").select("id").where("id", "=", endpointId).where("audience", "=", audience).where("state", "=", "active")))
    .where((eb) => eb.exists(eb.selectFrom("webhook_events").select("id").where("id", "=", eventId).where("audience", "=", audience).where("at", ">=", fromMs)));
}

/** What a replay takes, the oldest first. The caller holds the audience's head, so that no event arrives meanwhile. */
export function selectReplayed(db: Db, { audience, fromMs, types, limit }: { audience: string; fromMs: number; types: readonly string[]; limit: number }) {
  return db.selectFrom("webhook_events").select(["sequence", "at"]).where("audience", "=", audience).where("at", ">=", fromMs).where("type", "in", types).orderBy("sequence").limit(limit);
}

/** Sends those again that are done, delivered or not. What is pending is sent anyway. */
export function askAgainForMany(db: Db, again: Replayed & { attemptsMax: number; nowMs: number }) {
  const { endpointId, audience, fromMs, types, throughSequence, attemptsMax, nowMs } = again;
  return db
    .updateTable("webhook_deliveries")
    .set({ state: "pending", round_attempts: 0, next_at: nowMs, done_at: null })
    .where("endpoint_id", "=", endpointId)
    .where("state", "<>", "pending")
    .where("attempts", "<", attemptsMax)
    .where("event_id", "in", (eb) =>
      eb.selectFrom("webhook_events").select("id").where("audience", "=", audience).where("at", ">=", fromMs).where("type", "in", types).where("sequence", "<=", throughSequence),
    );
}

/** Those that never went to the endpoint: it was paused, disabled, not there yet, or had not chosen their type. */
export function insertMissing(db: Db, { endpointId, audience, fromMs, types, throughSequence, nowMs }: Replayed & { nowMs: number }) {
  return db
    .insertInto("webhook_deliveries")
    .columns(["endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("webhook_events as e")
        .select((each) => [
          each.cast<string>(each.val(endpointId), "text").as("endpoint_id"),
          "e.id as event_id",
          each.cast<"pending">(each.val("pending"), "text").as("state"),
          each.lit(0).as("attempts"),
          each.lit(0).as("round_attempts"),
          each.cast<number>(each.val(nowMs), "bigint").as("next_at"),
          each.lit(0).as("leased_until"),
          each.cast<number>(each.val(nowMs), "bigint").as("created_at"),
        ])
        .where("e.audience", "=", audience)
        .where("e.at", ">=", fromMs)
        .where("e.type", "in", types)
        .where("e.sequence", "<=", throughSequence)
        .where((each) => each.not(each.exists(each.selectFrom("webhook_deliveries as d").select("d.event_id").where("d.endpoint_id", "=", endpointId).whereRef("d.event_id", "=", "e.id")))),
    );
}

export function deleteDeliveriesOfEndpoint(db: Db, endpointId: string) {
  return db.deleteFrom("webhook_deliveries").where("endpoint_id", "=", endpointId);
}

export function deleteAttemptsOfEndpoint(db: Db, endpointId: string) {
  return db.deleteFrom("webhook_attempts").where("endpoint_id", "=", endpointId);
}
