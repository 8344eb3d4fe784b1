import { Failure } from "../../failure/failure.ts";
import { msPerDay } from "../../formats/time.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import { askAgain } from "../deliveries/ask-again.table.ts";
import { selectDelivery } from "../deliveries/log.table.ts";
import { attemptsInAllMax, logMs, replayedMax } from "../endpoints/endpoint-rules.ts";
import { selectEndpoint } from "../endpoints/endpoints.table.ts";
import { endpointIsOff, type OfEndpoint, unknownEndpoint } from "./manage-endpoints.ts";
import type { Replay, ReplayOutcome } from "./replay-events.work.ts";
import { ownerOf } from "./send-test.work.ts";

const replayWork = new URL("./replay-events.work.ts", import.meta.url);
const logDays = logMs / msPerDay;

/** Why nothing was sent again. */
async function refuse(store: Store, { audience, endpointId, eventId }: OfEndpoint & { eventId: string }): Promise<Failure> {
  const endpoint = await selectEndpoint(store.db, { endpointId, audience }).executeTakeFirst();
  if (!endpoint) return unknownEndpoint();
  if (endpoint.state !== "active") return endpointIsOff(endpoint.state);
  const delivery = await selectDelivery(store.db, { audience, endpointId, eventId }).executeTakeFirst();
  if (!delivery) return new Failure("not_found", "This event was never sent to this endpoint. A replay sends what an endpoint has missed.");
  if (delivery.attempts >= attemptsInAllMax) return new Failure("invalid_request", `This event was sent to this endpoint ${attemptsInAllMax} times: it is not sent again.`);
  return new Failure("invalid_request", `This event is older than ${logDays} days: it is not sent again.`);
}

/** Sends one event again, with all its attempts before it gives up. The attempts keep counting. */
export async function redeliver(store: Store, named: OfEndpoint & { eventId: string }): Promise<void> {
  const { audience, endpointId, eventId, actorAccountId, nowMs } = named;
  const again = askAgain(store.db, { endpointId, audience, eventId, fromMs: nowMs - logMs, attemptsMax: attemptsInAllMax, nowMs });
  const note = noteAction(store.db, { actorAccountId, action: "webhook.redeliver", subject: endpointId, accountId: ownerOf(audience), detail: { event_id: eventId }, nowMs });
  const [rows] = await store.write([again, note], { guards: 1 });
  if (rows !== 1) throw await refuse(store, named);
}

export type Replayed = Omit<Extract<ReplayOutcome, { kind: "replayed" }>, "kind">;

/** Sends every event since a time again that the endpoint chose, each once, also those that it missed. */
export async function replay(store: Store, { fromMs, eventsMax = replayedMax, ...named }: OfEndpoint & { fromMs: number; eventsMax?: number }): Promise<Replayed> {
  const { nowMs } = named;
  if (fromMs > nowMs) throw new Failure("invalid_request", "from must not be in the future");
  if (fromMs < nowMs - logMs) throw new Failure("invalid_request", `from must be at most ${logDays} days ago`);
  const outcome = await store.transact<Replay, ReplayOutcome>(replayWork, { ...named, fromMs, eventsMax });
  if (outcome.kind === "unknown") throw unknownEndpoint();
  if (outcome.kind !== "replayed") throw endpointIsOff(outcome.kind);
  const { events, queued, nextFromMs } = outcome;
  return { events, queued, nextFromMs };
}
