import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import { type TakeTurn, takeTurns } from "../queues/take-turns.ts";

/**
 * Reads with a key or a session share a few places per node, so that one account's many do not keep key look-ups and other
 * accounts from the store for long. A read may send several queries at once: on PostgreSQL one can hold every connection of
 * the pool for a moment, and then waits behind what the others ask meanwhile. An account has two places because a page sends
 * several requests at once.
 */
export const createReportTurns = (): TakeTurn => takeTurns({ atOnceMax: 3, perSubjectMax: 2, waitingMax: 300, what: "reports" });

declare module "fastify" {
  interface FastifyContextConfig {
    /** A read of one row, or of none: it does not wait for a turn. test/queued-routes.test.ts lists them. */
    readsOneRow?: true;
    /** A change that reads many rows waits like a read. Not for a handler that takes a turn itself: it would wait for its own place. */
    readsMany?: true;
  }
}

const readsOnly = ({ method }: RouteOptions): boolean => [method].flat().every((each) => each === "GET" || each === "HEAD");

/** Every read, unless its route says otherwise: one that forgets to say anything waits. */
const takesTurns = (route: RouteOptions): boolean => (readsOnly(route) ? !route.config?.readsOneRow : route.config?.readsMany === true);

/**
 * Makes the reads that are added to the scope after this call wait for their account's turn. `accountOf` is undefined for
 * a request of nobody's, which does not wait.
 */
export function queueReports(
  scope: FastifyInstance,
  options: { inTurn: TakeTurn; isWithin?: (url: string) => boolean; accountOf: (request: FastifyRequest) => string | undefined },
): void {
  const { inTurn, isWithin = () => true, accountOf } = options;
  /** Fastify derives HEAD from GET. A handler must not be wrapped twice, or two requests could deadlock. */
  const queued = new WeakSet<RouteHandlerMethod>();
  scope.addHook("onRoute", (route) => {
    const { handler } = route;
    if (!isWithin(route.url) || !takesTurns(route) || queued.has(handler)) return;
    // The place is held until the answer is made, not until it is sent.
    const handleInTurn: RouteHandlerMethod = function handleInTurn(request, reply) {
      const account = accountOf(request);
      return account === undefined ? handler.call(this, request, reply) : inTurn(account, async () => handler.call(this, request, reply));
    };
    queued.add(handleInTurn);
    route.handler = handleInTurn;
  });
}
