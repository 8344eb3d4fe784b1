import type { FastifyInstance } from "fastify";
import { Server as NetServer } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { AppState } from "../app.ts";
import type { Deps } from "../deps.ts";
import { drainMsMax, type DrainSteps } from "./pace-drain.ts";

/** Nobody has connected for this long: callers that were answered before the hold are back. */
const quietMs = 150;
/** Callers that never stop connecting do not keep the others waiting. */
const heldMsMax = 600;
/** Requests accepted before the port closed have been read by then. */
const drainArrivedMs = 250;

/** Resolves when no connection has come for a moment. */
async function untilQuiet(server: FastifyInstance["server"]): Promise<void> {
  const beganMs = performance.now();
  let lastMs = beganMs;
  const note = () => {
    lastMs = performance.now();
  };
  server.on("connection", note);
  for (let nowMs = beganMs; nowMs - lastMs < quietMs && nowMs - beganMs < heldMsMax; nowMs = performance.now()) {
    await sleep(quietMs - (nowMs - lastMs));
    // A timer may be late: what came meanwhile is accepted before the next immediate.
    await turn();
  }
  server.off("connection", note);
}

/** What each process does in each step of a drain. */
export function createDrain(app: FastifyInstance, deps: Deps, state: AppState): DrainSteps {
  const hold = Promise.withResolvers<void>();
  return {
    announce() {
      state.draining = true;
    },
    async hold() {
      state.held = hold.promise;
      await untilQuiet(app.server);
    },
    async closePort() {
      // Right after connections were accepted.
      await turn();
      // Close only the port: http's own close() also ends connections whose request has arrived but is not yet read.
      NetServer.prototype.close.call(app.server);
    },
    async finish() {
      hold.resolve();
      state.held = undefined;
      await sleep(drainArrivedMs);
      const overdue = setTimeout(() => app.server.closeAllConnections(), drainMsMax);
      await app.close();
      clearTimeout(overdue);
      await deps.close();
    },
  };
}
