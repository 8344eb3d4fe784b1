import type { FastifyInstance } from "fastify";
import { Server as NetServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { AppState } from "../app.ts";
import type { Deps } from "../deps.ts";
import type { DrainSteps } from "./pace-drain.ts";
import { drainMsMax } from "./pace-drain.ts";

/** Requests accepted before the port closed have been read by then. */
const drainArrivedMs = 250;

/** What each process does in each step of a drain. */
export function createDrain(app: FastifyInstance, deps: Deps, state: AppState): DrainSteps {
  const hold = Promise.withResolvers<void>();
  return {
    announce() {
      state.draining = true;
    },
    hold() {
      state.held = hold.promise;
    },
    closePort() {
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
