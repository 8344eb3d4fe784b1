import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

/** On the socket itself: every request counts, and a map that is weak costs the collector more than the count is worth. */
const unanswered = Symbol("unanswered requests");
type Counted = Socket & { [unanswered]?: number };

/** Clients that send the next request before the last answer do so a few at a time. Each that waits is held in memory. */
const unansweredMax = 256;

/** Closes a connection on which more requests wait for their answers than anybody needs. */
export function limitPipelining(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const socket: Counted = request.raw.socket;
    const count = (socket[unanswered] ?? 0) + 1;
    socket[unanswered] = count;
    if (count > unansweredMax) socket.destroy();
    else done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    const socket: Counted = request.raw.socket;
    socket[unanswered] = (socket[unanswered] ?? 1) - 1;
    done();
  });
}
