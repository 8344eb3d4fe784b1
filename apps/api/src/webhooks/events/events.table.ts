import type { Db } from "../../store/schema.ts";

/** Locks the end of the audience's events until the transaction is over, so that sequences have no gap and no double. */
export function advanceHead(db: Db, audience: string) {
  return db
    .insertInto("webhook_heads")
    .values({ audience, sequence: 1 })
    .onConflict((conflict) => conflict.column("audience").doUpdateSet((eb) => ({ sequence: eb("webhook_heads.sequence", "+", 1) })));
}

/** The same lock, taken before it is known whether there is an event. */
export function lockHead(db: Db, audience: string) {
  return db
    .insertInto("webhook_heads")
    .values({ audience, sequence: 0 })
    .onConflict((conflict) => conflict.column("audience").doUpdateSet((eb) => ({ sequence: eb.ref("webhook_heads.sequence") })));
}

/** With the sequence that `advanceHead` has just given. */
export function insertEvent(db: Db, event: { id: string; audience: string; type: string; data: string; onceKey: string | null; nowMs: number }) {
  const { id, audience, type, data, onceKey, nowMs } = event;
  return db
    .insertInto("webhook_events")
    .columns(["id", "audience", "sequence", "type", "data", "at", "once_key"])
    .expression((eb) =>
      eb
        .selectFrom("webhook_heads")
        .select((each) => [
          each.cast<string>(each.val(id), "text").as("id"),
          "audience",
          "sequence",
          each.cast<string>(each.val(type), "text").as("type"),
          each.cast<string>(each.val(data), "text").as("data"),
          each.cast<number>(each.val(nowMs), "bigint").as("at"),
          each.cast<string | null>(each.val(onceKey), "text").as("once_key"),
        ])
        .where("audience", "=", audience),
    );
}

/** To every active endpoint of the audience that chose the type. */
export function insertDeliveries(db: Db, event: { id: string; audience: string; type: string; nowMs: number }) {
  const { id, audience, type, nowMs } = event;
  return db
    .insertInto("webhook_deliveries")
    .columns(["endpoint_id", "event_id", "state", "attempts", "round_attempts", "next_at", "leased_until", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("webhook_endpoints")
        .select((each) => [
          "id",
          each.cast<string>(each.val(id), "text").as("event_id"),
          each.cast<"pending">(each.val("pending"), "text").as("state"),
          each.lit(0).as("attempts"),
          each.lit(0).as("round_attempts"),
          each.cast<number>(each.val(nowMs), "bigint").as("next_at"),
          each.lit(0).as("leased_until"),
          each.cast<number>(each.val(nowMs), "bigint").as("created_at"),
        ])
        .where("audience", "=", audience)
        .where("state", "=", "active")
        .where((each) => each.or([each("types", "=", "*"), each("types", "like", `%,${type},%`)])),
    );
}

export function selectOnce(db: Db, once: { audience: string; onceKey: string }) {
  return db.selectFrom("webhook_events").select("id").where("audience", "=", once.audience).where("once_key", "=", once.onceKey);
}

/** Ids are ordered by time. */
export function deleteEventsBefore(db: Db, old: { id: string; limit: number }) {
  return db.deleteFrom("webhook_events").where("id", "in", (eb) => eb.selectFrom("webhook_events").select("id").where("id", "<", old.id).orderBy("id").limit(old.limit));
}

export function deleteEventsOfAudience(db: Db, audience: string) {
  return db.deleteFrom("webhook_events").where("audience", "=", audience);
}

export function deleteHeadOfAudience(db: Db, audience: string) {
  return db.deleteFrom("webhook_heads").where("audience", "=", audience);
}
