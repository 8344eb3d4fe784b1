import { Session } from "node:inspector/promises";

type Range = { startOffset: number; endOffset: number; count: number };
type Coverage = { result: { url: string; functions: { functionName: string; ranges: Range[] }[] }[] };

/** Counts the blocks of our own code that have run. */
export type CoverageWatch = {
  /** Number of blocks that ran for the first time since the last call. */
  take(): Promise<number>;
  /** Number of blocks that have run so far. */
  count(): number;
  stop(): Promise<void>;
};

/** Uses V8's block coverage: no build step, and the tested code is the code in production. */
export async function watchCoverage(isOurs: (url: string) => boolean): Promise<CoverageWatch> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Without counts V8 reports each block once and then runs it at full speed.
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
