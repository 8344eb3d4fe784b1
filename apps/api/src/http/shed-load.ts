import type { FastifyInstance } from "fastify";
import { overloaded } from "../failure/failure.ts";

/** So often the event loop is asked for a sign of life; how late that comes is its lag. */
const tickMs = 100;
/** An event loop that lags this far behind is not helped by more work. */
const lagMsMax = 1_000;
/** A single pause, of the collector or of the whole machine, is over when it is noticed: who calls after it is no burden. */
const lateTicksMin = 2;

/** The probes, which must see why; and the files of the pages: they cost little, and a page that lacks one of them stays blank. */
const probes = ["/health/live", "/health/ready", "/metrics"];
const pageFiles = ["/", "/dashboard", "/dashboard/*", "/dashboard/assets/*", "/dashboard/logo.svg", "/dashboard/color-scheme.js", "/docs", "/docs/*"];
export const neverShed: ReadonlySet<string> = new Set([...probes, ...pageFiles]);

/** Whether ticks go on coming too late, told the time of each. */
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

/** Turns requests away while the event loop goes on lagging. It is watched once the service listens: a start is all lag. */
export function shedLoad(app: FastifyInstance, bounds = { tickMs, lagMsMax }): void {
  let watch: ReturnType<typeof watchLag> | undefined;
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onListen", async () => {
    const started = watchLag(performance.now(), bounds);
    watch = started;
    timer = setInterval(() => started.tick(performance.now()), bounds.tickMs);
    timer.unref();
  });
  app.addHook("onClose", async () => clearInterval(timer));
  app.addHook("onRequest", (request, _reply, done) => {
    if (watch === undefined || !watch.lags() || neverShed.has(request.routeOptions.url ?? "")) done();
    else done(overloaded("the event loop lags"));
  });
}
