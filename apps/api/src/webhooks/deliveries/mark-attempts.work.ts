import { msPerDay } from "../../formats/time.ts";
import type { Transaction, TransactionWork } from "../../store/store.ts";
import type { WebhookAttemptRow } from "../../store/schema-webhooks.ts";
import { lockHead } from "../events/events.table.ts";
import { type NewEvent, writeEvents } from "../events/write-events.ts";
import { failPending, insertAttempt, markDelivered, markUndelivered } from "./deliveries.table.ts";
import { disableEndpoint, lockEndpoint, setEndpointHealth } from "./sending-endpoints.table.ts";

/** An endpoint whose attempts have all failed for this long is disabled. */
export const failingMsMax = 7 * msPerDay;

/**
 * `delivered`: with a 2xx. `gone`: with a 410, which ends the endpoint. `failed`: to be repeated at `nextMs`, if that is
 * given. `unsendable`: not the endpoint's fault.
 */
export type AttemptVerdict = "delivered" | "gone" | "failed" | "unsendable";

/** An attempt that is over. `row` is undefined if nothing was tried. */
export type EndedAttempt = {
  endpointId: string;
  eventId: string;
  lease: string;
  verdict: AttemptVerdict;
  status: number | null;
  error: string | null;
  nextMs: number | undefined;
  /** Where it was sent. */
  url: string;
  row: WebhookAttemptRow | undefined;
};

type Payload = { ended: EndedAttempt[]; nowMs: number };

/** Writes one attempt down. False if its lease was lost: then the delivery is somebody else's. */
async function markOne(tx: Transaction, each: EndedAttempt, { isGone, nowMs }: { isGone: boolean; nowMs: number }): Promise<boolean> {
  if (each.row) await tx.change(insertAttempt(tx.db, each.row));
  const marked = { ...each, nowMs };
  const nextMs = isGone ? undefined : each.nextMs;
  const changed = await tx.change(each.verdict === "delivered" ? markDelivered(tx.db, marked) : markUndelivered(tx.db, { ...marked, nextMs }));
  return changed === 1;
}

type Endpoint = { url: string; state: string; failing_since: number | null; last_success_at: number | null };

/** How the endpoint fares after these attempts, in the order in which they ended. Attempts at a URL that it no longer has say nothing. */
function judgeHealth(endpoint: Endpoint, attempts: readonly EndedAttempt[], nowMs: number) {
  let { failing_since: failingSince, last_success_at: lastSuccessMs } = endpoint;
  let isGone = false;
  for (const { verdict, url } of attempts) {
    if (url !== endpoint.url || verdict === "unsendable") continue;
    if (verdict === "delivered") {
      failingSince = null;
      lastSuccessMs = nowMs;
      continue;
    }
    failingSince ??= nowMs;
    isGone ||= verdict === "gone";
  }
  const hasFailedForLong = failingSince !== null && failingSince <= nowMs - failingMsMax;
  const reason = isGone ? ("gone" as const) : hasFailedForLong ? ("failing" as const) : undefined;
  return { failingSince, lastSuccessMs, reason: endpoint.state === "disabled" ? undefined : reason };
}

type Disabled = { id: string; audience: string; reason: "gone" | "failing" };

/** Marks the attempts at one endpoint. Returns it if it is to be disabled. */
async function markEndpoint(tx: Transaction, { id, attempts, nowMs }: { id: string; attempts: readonly EndedAttempt[]; nowMs: number }): Promise<Disabled[]> {
  const [endpoint] = await tx.run(lockEndpoint(tx.db, id));
  // Deleted, with its deliveries: nothing may be written that names its URL.
  if (!endpoint) return [];
  const counted: EndedAttempt[] = [];
  for (const each of attempts) {
    if (await markOne(tx, each, { isGone: each.verdict === "gone" && each.url === endpoint.url, nowMs })) counted.push(each);
  }
  if (counted.length === 0) return [];
  const { failingSince, lastSuccessMs, reason } = judgeHealth(endpoint, counted, nowMs);
  await tx.change(setEndpointHealth(tx.db, { id, failingSince, lastSuccessMs, nowMs }));
  return reason === undefined ? [] : [{ id, audience: endpoint.audience, reason }];
}

/** Under the lock of the audience's events: none leaves a delivery behind for an endpoint that it saw active. */
async function disable(tx: Transaction, { id, audience, reason }: Disabled, nowMs: number): Promise<void> {
  await tx.change(lockHead(tx.db, audience));
  await tx.change(disableEndpoint(tx.db, { id, reason, nowMs }));
  await tx.change(failPending(tx.db, { endpointId: id, error: "endpoint_disabled", nowMs }));
}

/** Writes down what became of attempts, and disables endpoints that are gone or have failed for a week, in one transaction. */
export const work: TransactionWork<Payload, void> = async (tx, { ended, nowMs }) => {
  const byEndpoint = Map.groupBy(ended, ({ endpointId }) => endpointId);
  const disabled: Disabled[] = [];
  // In the order of their ids, so that two nodes never wait for each other.
  for (const id of [...byEndpoint.keys()].toSorted()) disabled.push(...(await markEndpoint(tx, { id, attempts: byEndpoint.get(id)!, nowMs })));
  if (disabled.length === 0) return;
  // Heads are locked in the order of their audiences, as everywhere.
  for (const each of disabled.toSorted((one, other) => (one.audience < other.audience ? -1 : 1))) await disable(tx, each, nowMs);
  const events = disabled.map(({ id, audience, reason }): NewEvent => ({ audience, type: "webhook.disabled", data: { endpoint_id: id, reason } }));
  await writeEvents(tx, events, nowMs);
};
