import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { askAgainForMany, insertMissing, selectReplayed } from "../deliveries/ask-again.table.ts";
import { attemptsInAllMax, wantedTypes } from "../endpoints/endpoint-rules.ts";
import { lockOwnEndpoint } from "../endpoints/endpoints.table.ts";
import { lockHead } from "../events/events.table.ts";
import { type Asked, ownerOf } from "./send-test.work.ts";

export type Replay = Asked & { endpointId: string; fromMs: number; eventsMax: number };
export type ReplayOutcome =
  | { kind: "unknown" | "paused" | "disabled" }
  /** `events`: those that the replay took. `queued`: of these, how many were not under way anyway. `nextFromMs`: of the first one left out. */
  | { kind: "replayed"; events: number; queued: number; nextFromMs: number | null };

/** Holds the audience's head: an event is written before the replay and is in it, or after it and goes out by itself. */
export const work: TransactionWork<Replay, ReplayOutcome> = async (tx, replay) => {
  const { audience, endpointId, actorAccountId, fromMs, eventsMax, nowMs } = replay;
  const [endpoint] = await tx.run(lockOwnEndpoint(tx.db, replay));
  if (!endpoint) return { kind: "unknown" };
  if (endpoint.state !== "active") return { kind: endpoint.state };
  await tx.change(lockHead(tx.db, audience));
  const types = wantedTypes(audience, endpoint.types);
  const found = await tx.run(selectReplayed(tx.db, { audience, fromMs, types, limit: eventsMax + 1 }));
  const taken = found.slice(0, eventsMax);
  const next = found[eventsMax];
  let queued = 0;
  if (taken.length > 0) {
    const which = { endpointId, audience, fromMs, types, throughSequence: taken.at(-1)!.sequence, nowMs };
    queued += await tx.change(askAgainForMany(tx.db, { ...which, attemptsMax: attemptsInAllMax }));
    queued += await tx.change(insertMissing(tx.db, which));
  }
  const detail = { from: fromMs, events: taken.length, queued };
  await tx.change(noteAction(tx.db, { actorAccountId, action: "webhook.replay", subject: endpointId, accountId: ownerOf(audience), detail, nowMs }));
  return { kind: "replayed", events: taken.length, queued, nextFromMs: next?.at ?? null };
};
