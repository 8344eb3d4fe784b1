import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import { type TakeTurn, takeTurns } from "../queues/take-turns.ts";

/**
 * Routes that read many rows share a few places per node. No account can then occupy all connections, or the reader of
 * the embedded store, which key look-ups and other accounts need. An account has two places because a page sends several
 * requests at once.
 */
export const createReportTurns = (): TakeTurn => takeTurns({ atOnceMax: 3, perSubjectMax: 2, waitingMax: 300, what: "reports" });

const readsOnly = ({ method }: RouteOptions): boolean => [method].flat().every((each) => each === "GET" || each === "HEAD");

/** Makes the report routes that are added to the scope after this call wait for their account's turn. */
export function queueReports(
  scope: FastifyInstance,
  options: { inTurn: TakeTurn; isReport: (url: string) => boolean; accountOf: (request: FastifyRequest) => string },
): void {
  const { inTurn, isReport, accountOf } = options;
  /** Fastify derives HEAD from GET. A handler must not be wrapped twice, or two requests could deadlock. */
  const queued = new WeakSet<RouteHandlerMethod>();
  scope.addHook("onRoute", (route) => {
    const { handler } = route;
    if (!isReport(route.url) || !readsOnly(route) || queued.has(handler)) return;
    // The place is held until the answer is made, not until it is sent.
    const handleInTurn: RouteHandlerMethod = function handleInTurn(request, reply) {
      return inTurn(accountOf(request), async () => handler.call(this, request, reply));
    };
    queued.add(handleInTurn);
    route.handler = handleInTurn;
  });
}
