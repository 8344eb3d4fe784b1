import type { FastifyInstance, FastifyRequest, RouteHandlerMethod, RouteOptions } from "fastify";
import { type TakeTurn, takeTurns } from "../queues/take-turns.ts";

/**
 * What reads many rows shares a few places on each node, so that whatever one account asks for leaves connections, and
 * the embedded store's reader, to key look-ups and to everybody else. Two of an account at once: a page asks for several.
 */
export const createReportTurns = (): TakeTurn => takeTurns({ atOnceMax: 3, perSubjectMax: 2, waitingMax: 300, what: "reports" });

const readsOnly = ({ method }: RouteOptions): boolean => [method].flat().every((each) => each === "GET" || each === "HEAD");

/** Makes those of the scope's reading routes that are reports, and come after this, wait for their account's turn. */
export function queueReports(
  scope: FastifyInstance,
  settings: { inTurn: TakeTurn; isReport: (url: string) => boolean; accountOf: (request: FastifyRequest) => string },
): void {
  const { inTurn, isReport, accountOf } = settings;
  /** HEAD is made out of GET: what waits already must not wait twice, or two of them would wait for each other. */
  const queued = new WeakSet<RouteHandlerMethod>();
  scope.addHook("onRoute", (route) => {
    const { handler } = route;
    if (!isReport(route.url) || !readsOnly(route) || queued.has(handler)) return;
    // Until the answer is made; how long it takes to send is the reader's affair and holds no place.
    const handleInTurn: RouteHandlerMethod = function handleInTurn(request, reply) {
      return inTurn(accountOf(request), async () => handler.call(this, request, reply));
    };
    queued.add(handleInTurn);
    route.handler = handleInTurn;
  });
}
