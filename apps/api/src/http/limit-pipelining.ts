import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

/** Clients that send the next request before the last answer do so a few at a time. Each that waits is held in memory. */
const unansweredMax = 256;

/** Closes a connection on which more requests wait for their answers than anybody needs. */
export function limitPipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  app.addHook("onRequest", (request, _reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > unansweredMax) socket.destroy();
    else done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    const { socket } = request.raw;
    unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1);
    done();
  });
}
