/**
 * Lets in what pages send. Scoring calls go first: one turn of the event loop takes only a few requests of pages, however
 * many have arrived. What one network sends too much is refused, and not at once: a sender that waits for its answers
 * then sends no faster than it gets them.
 */
import type { IncomingMessage } from "node:http";
import { Failure, overloaded } from "../failure/failure.ts";
import { createLine } from "../queues/line.ts";
import { type FloodGuard, retryAfterSeconds } from "./networks/flood-guard.ts";
import type { NetworkTagger, NetworkTags } from "./networks/network-tags.ts";

/** About half a millisecond of work. */
export const perTurn = 8;
/** What a node answers in a fraction of a second. Each may have 16 KiB of headers. */
export const waitingMax = 1_000;
export const refusalMs = 500;
/** Beyond it refusals are sent at once: each that waits is held in memory. */
export const refusalsMax = 1_000;

export type PageWaiter = { enter(tags: NetworkTags): void; refuse(failure: Failure): void };

export type PageGate = {
  /** A request that has been let in before is let in at once. */
  admit(request: IncomingMessage, address: string, waiter: PageWaiter): void;
};

type Schedule = { nextTurn: (run: () => void) => void; later: (run: () => void, ms: number) => void };

const realSchedule: Schedule = { nextTurn: setImmediate, later: setTimeout };

const sendsTooMuch = new Failure("rate_limit_exceeded", "This network sends too much. Try again in a moment.", undefined, { retryAfterSeconds, limit: "burst" });

/** On the request itself, because a WeakMap costs the garbage collector too much per request. */
const admitted = Symbol("admitted");
type Admitted = IncomingMessage & { [admitted]?: NetworkTags };

type Waiting = { request: Admitted; tags: NetworkTags; waiter: PageWaiter };

export function createPageGate(
  { tagger, floodGuard, nowMs }: { tagger: Pick<NetworkTagger, "tagsOf">; floodGuard: FloodGuard; nowMs: () => number },
  { nextTurn, later }: Schedule = realSchedule,
): PageGate {
  const waiting = createLine<Waiting>(waitingMax);
  let isTurnPlanned = false;
  let refusals = 0;

  function takeTurn(): void {
    // Those that arrive meanwhile wait for the next turn.
    for (let left = Math.min(waiting.size(), perTurn); left > 0; left -= 1) {
      const { request, tags, waiter } = waiting.take()!;
      request[admitted] = tags;
      waiter.enter(tags);
    }
    isTurnPlanned = waiting.size() > 0;
    if (isTurnPlanned) nextTurn(takeTurn);
  }

  function refuseLater(waiter: PageWaiter): void {
    if (refusals >= refusalsMax) {
      waiter.refuse(sendsTooMuch);
      return;
    }
    refusals += 1;
    later(() => {
      refusals -= 1;
      waiter.refuse(sendsTooMuch);
    }, refusalMs);
  }

  return {
    admit(request: Admitted, address, waiter) {
      const known = request[admitted];
      if (known) {
        waiter.enter(known);
        return;
      }
      const tags = tagger.tagsOf(address, nowMs());
      if (!tags || !floodGuard.admit(tags.today)) {
        refuseLater(waiter);
        return;
      }
      if (!waiting.add({ request, tags, waiter })) {
        waiter.refuse(overloaded("too many requests of pages wait"));
        return;
      }
      if (isTurnPlanned) return;
      isTurnPlanned = true;
      nextTurn(takeTurn);
    },
  };
}
