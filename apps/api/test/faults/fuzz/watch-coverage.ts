import { Session } from "node:inspector/promises";

type Range = { startOffset: number; endOffset: number; count: number };
type Coverage = { result: { url: string; functions: { functionName: string; ranges: Range[] }[] }[] };

/** Tells which blocks of our own code were run for the first time since it was last asked. */
export type CoverageWatch = {
  /** How many blocks are new. */
  take(): Promise<number>;
  /** How many have been run at all. */
  count(): number;
  stop(): Promise<void>;
};

/** Blocks that ran, as V8 sees them: no build step, and the code that is tested is the code that is served. */
export async function watchCoverage(isOurs: (url: string) => boolean): Promise<CoverageWatch> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Without counts V8 reports a block once and lets it run at full speed from then on.
  await session.post("Profiler.startPreciseCoverage", { callCount: false, detailed: true });
  const known = new Set<string>();
  return {
    async take() {
      const before = known.size;
      const { result } = (await session.post("Profiler.takePreciseCoverage")) as Coverage;
      for (const { url, functions } of result) {
        if (!isOurs(url)) continue;
        for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
          if (count > 0) known.add(`${url}:${startOffset}-${endOffset}`);
        }
      }
      return known.size - before;
    },
    count: () => known.size,
    async stop() {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
