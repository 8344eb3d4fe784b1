import type { FastifyInstance } from "fastify";
import { overloaded } from "../failure/failure.ts";

const tickMs = 100;
const lagMsMax = 1_000;
/** A single pause, of the garbage collector or of the machine, is over when it is noticed. */
const lateTicksMin = 2;

/** Probes must see the cause. Files of pages are cheap, and a page without one of them stays blank, or measures nothing. */
const probes = ["/health/live", "/health/ready", "/metrics"];
const pageFiles = ["/", "/dashboard", "/dashboard/*", "/dashboard/assets/*", "/dashboard/logo.svg", "/dashboard/color-scheme.js", "/docs", "/clients", "/clients/*", "/clients/php/packages.json", "/c/v1/collector.js"];
export const neverShed: ReadonlySet<string> = new Set([...probes, ...pageFiles]);

/** Detects consecutive late ticks. */
export function watchLag(startedMs: number, bounds: { tickMs: number; lagMsMax: number }) {
  let lastMs = startedMs;
  let lateTicks = 0;
  return {
    tick(nowMs: number): void {
      const lagMs = nowMs - lastMs - bounds.tickMs;
      lateTicks = lagMs > bounds.lagMsMax ? lateTicks + 1 : 0;
      lastMs = nowMs;
    },
    lags: () => lateTicks >= lateTicksMin,
  };
}

/**
 * Refuses requests while the event loop lags, which is what it returns. Watching begins when the service listens, because
 * startup blocks the loop.
 */
export function shedLoad(app: FastifyInstance, bounds = { tickMs, lagMsMax }): () => boolean {
  let watch: ReturnType<typeof watchLag> | undefined;
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onListen", async () => {
    const started = watchLag(performance.now(), bounds);
    watch = started;
    timer = setInterval(() => started.tick(performance.now()), bounds.tickMs);
    timer.unref();
  });
  app.addHook("onClose", async () => clearInterval(timer));
  const lags = () => watch !== undefined && watch.lags();
  app.addHook("onRequest", (request, _reply, done) => {
    if (!lags() || neverShed.has(request.routeOptions.url ?? "")) done();
    else done(overloaded("the event loop lags"));
  });
  return lags;
}
