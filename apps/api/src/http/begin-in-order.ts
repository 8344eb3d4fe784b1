import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { noteAnswer, noteRequest } from "./server-limits.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Of all connections: each is some kilobytes. */
export const waitingMax = 4_096;
/** Of one connection, for which there is always room. */
export const waitingAlways = 8;

/** On the socket itself, like the count of unanswered requests. */
const waiting = Symbol("requests that wait");
type WaitingSocket = Socket & { [waiting]?: number };

/**
 * Begins a request when the answers before it on its connection are written. A client that sends many requests ahead and
 * reads nothing is thus owed one answer, with one open file, and not one for each. Those that wait are heads; more are not
 * read meanwhile. If the connection ends first, they never begin. When too many wait on a node, connections with more than
 * a few of them are closed.
 */
export function createOrder(): (handle: Handler) => Handler {
  let waitingInAll = 0;

  function wait(socket: WaitingSocket): boolean {
    const count = socket[waiting];
    if (waitingInAll >= waitingMax && (count ?? 0) >= waitingAlways) {
      socket.destroy();
      return false;
    }
    if (count === undefined) {
      socket.once("close", () => {
        waitingInAll -= socket[waiting]!;
      });
    }
    socket[waiting] = (count ?? 0) + 1;
    waitingInAll += 1;
    return true;
  }

  return (handle) => (request, response) => {
    // Node gives the connection to one answer after the other.
    if (response.socket) {
      handle(request, response);
      return;
    }
    const socket: WaitingSocket = request.socket;
    if (socket.destroyed || !noteRequest(socket) || !wait(socket)) return;
    socket.pause();
    // A turn later, because Node has not finished handing it over.
    response.once("socket", () => process.nextTick(begin));

    function begin(): void {
      // What was counted is given back with its end.
      if (socket.destroyed) return;
      const left = socket[waiting]! - 1;
      socket[waiting] = left;
      waitingInAll -= 1;
      // The handler counts it again.
      noteAnswer(socket);
      if (left === 0) socket.resume();
      handle(request, response);
    }
  };
}
