import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import { Failure, overloadedText } from "./failure.ts";

/** An event loop that lags this far behind is not helped by more work. */
const lagMsMax = 1_000;
/** For so long after the start a measured lag may be that of the start: two samples. */
const startLagMs = 2_500;

/** The probes, which must see why; and the files of the pages: they cost little, and a page that lacks one of them stays blank. */
const neverShed = new Set([
  ...["/health/live", "/health/ready", "/metrics"],
  ...["/", "/dashboard", "/dashboard/*", "/dashboard/assets/*", "/dashboard/logo.svg", "/dashboard/color-scheme.js", "/docs", "/docs/*"],
]);

/**
 * Turns requests away while the event loop lags. The lag of the start itself, when everything is loaded, says
 * nothing about the requests that come after it.
 */
export async function shedLoad(app: FastifyInstance, bounds = { lagMsMax, startLagMs }): Promise<void> {
  let shedsFromMs = Number.POSITIVE_INFINITY;
  app.addHook("onListen", async () => {
    shedsFromMs = performance.now() + bounds.startLagMs;
  });
  await app.register(underPressure, {
    maxEventLoopDelay: bounds.lagMsMax,
    pressureHandler(request) {
      if (neverShed.has(request.routeOptions.url ?? "") || performance.now() < shedsFromMs) return;
      throw new Failure("overloaded", overloadedText, "the event loop lags");
    },
  });
}
