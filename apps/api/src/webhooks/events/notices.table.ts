import { locksRows } from "../../store/locks-rows.ts";
import type { Db } from "../../store/schema.ts";

/** How far an audience's events were mailed, or are not wanted by mail: the cursor of notices by mail. */

/**
 * Audiences with events after their cursor whose last notice is long enough ago: before `laterMs`, or before `soonerMs`
 * if one of the events is of a type that may be told sooner. A partial index holds only audiences with such events.
 */
export function selectUnnoticed(
  db: Db,
  page: { afterAudience: string; laterMs: number; soonerMs: number; soonerTypes: readonly string[]; limit: number },
) {
  return db
    .selectFrom("webhook_heads as h")
    .select("h.audience")
    .whereRef("h.noticed_sequence", "<", "h.sequence")
    .where("h.audience", ">", page.afterAudience)
    .where((eb) =>
      eb.or([
        eb("h.noticed_at", "is", null),
        eb("h.noticed_at", "<=", page.laterMs),
        eb.and([
          eb("h.noticed_at", "<=", page.soonerMs),
          eb.exists(
            eb
              .selectFrom("webhook_events as e")
              .select("e.id")
              .whereRef("e.audience", "=", "h.audience")
              .whereRef("e.sequence", ">", "h.noticed_sequence")
              .where("e.type", "in", page.soonerTypes),
          ),
        ]),
      ]),
    )
    .orderBy("h.audience")
    .limit(page.limit);
}

export function selectNoticeCursor(db: Db, audience: string) {
  return db.selectFrom("webhook_heads").select(["sequence", "noticed_sequence", "noticed_at"]).where("audience", "=", audience);
}

/** No other node moves the cursor, and no event is written, until the transaction is over. */
export function lockNoticeCursor(db: Db, audience: string) {
  return selectNoticeCursor(db, audience).$if(locksRows(db), (query) => query.forUpdate());
}

export function selectUnnoticedEvents(db: Db, page: { audience: string; afterSequence: number; limit: number }) {
  return db
    .selectFrom("webhook_events")
    .select(["sequence", "type", "data", "at"])
    .where("audience", "=", page.audience)
    .where("sequence", ">", page.afterSequence)
    .orderBy("sequence")
    .limit(page.limit);
}

/** Without `mailedMs` nothing was mailed, because nobody wants these events. */
export function advanceNoticeCursor(db: Db, advance: { audience: string; toSequence: number; mailedMs: number | undefined }) {
  const { audience, toSequence, mailedMs } = advance;
  return db
    .updateTable("webhook_heads")
    .set({ noticed_sequence: toSequence, ...(mailedMs !== undefined && { noticed_at: mailedMs }) })
    .where("audience", "=", audience)
    .where("noticed_sequence", "<", toSequence);
}
