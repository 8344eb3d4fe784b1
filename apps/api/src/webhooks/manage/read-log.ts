import { deliveriesPageMax } from "@assay/contract/dashboard/webhook-limits.ts";
import type { DeliveriesQuery, DeliveriesReply, DeliveryDetailReply, DeliveryItem } from "@assay/contract/dashboard/webhooks.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, isoTimeOrNull, msPerSecond } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { type DeliveryCursor, selectAttempts, selectDeliveries, selectDelivery } from "../deliveries/log.table.ts";
import { bodyOf } from "../deliveries/sign-event.ts";
import { logMs } from "../endpoints/endpoint-rules.ts";

const limitDefault = 50;
const attemptsShown = 50;
const cursorPattern = /^(?<eventId>evt_[0-9A-Za-z]{8,40})\.(?<endpointId>wh_[0-9A-Za-z]{8,40})$/;

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof selectDeliveries>["execute"]>>[number];

function describeDelivery(row: DeliveryRow, nowMs: number): DeliveryItem {
  const isSending = row.state === "pending" && row.leased_until > nowMs;
  return {
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    type: row.type,
    sequence: row.sequence,
    at: isoTime(row.at),
    state: row.state,
    attempts: row.attempts,
    is_sending: isSending,
    // While it is being sent, the column has the end of the lease.
    next_at: row.state === "pending" && row.endpoint_state === "active" && !isSending ? isoTime(row.next_at) : null,
    last_status: row.last_status,
    last_error: row.last_error,
    done_at: isoTimeOrNull(row.done_at),
  };
}

function parseCursor(text: string | undefined): DeliveryCursor | undefined {
  if (text === undefined) return undefined;
  const { eventId, endpointId } = cursorPattern.exec(text)?.groups ?? {};
  if (eventId === undefined || endpointId === undefined) throw new Failure("invalid_request", "cursor must be a next_cursor of this list");
  return { eventId, endpointId };
}

/** The schema has already checked that the text is a whole number. */
function parseLimit(text: string | undefined): number {
  const limit = text === undefined ? limitDefault : Number(text);
  if (limit < 1 || limit > deliveriesPageMax) throw new Failure("invalid_request", `limit must be a whole number from 1 to ${deliveriesPageMax}`);
  return limit;
}

export async function listDeliveries(store: Store, { audience, query, nowMs }: { audience: string; query: DeliveriesQuery; nowMs: number }): Promise<DeliveriesReply> {
  const limit = parseLimit(query.limit);
  const filter = { endpointId: query.endpoint_id, state: query.state };
  const rows = await selectDeliveries(store.db, { audience, fromMs: nowMs - logMs, filter, before: parseCursor(query.cursor), limit: limit + 1 }).execute();
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { deliveries: shown.map((row) => describeDelivery(row, nowMs)), next_cursor: last ? `${last.event_id}.${last.endpoint_id}` : null };
}

/** What was sent, and each attempt with its answer. */
export async function readDelivery(store: Store, named: { audience: string; endpointId: string; eventId: string; nowMs: number }): Promise<DeliveryDetailReply> {
  const row = await selectDelivery(store.db, named).executeTakeFirst();
  if (!row) throw new Failure("not_found", "No delivery of this event to this endpoint is in the log.");
  const attempts = await selectAttempts(store.db, { ...named, limit: attemptsShown }).execute();
  return {
    ...describeDelivery(row, named.nowMs),
    url: row.url,
    body: bodyOf({ id: row.event_id, type: row.type, sequence: row.sequence, at: row.at, account: named.audience, data: row.data }),
    log: attempts.map((each) => ({
      attempt: each.attempt,
      at: isoTime(each.at),
      duration_ms: each.duration_ms,
      url: each.url,
      headers: { "webhook-id": row.event_id, "webhook-timestamp": String(Math.floor(each.at / msPerSecond)), "webhook-signature": each.signature },
      status: each.status,
      error: each.error,
      response: each.response,
    })),
  };
}
