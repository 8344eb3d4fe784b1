// The service, with two handles for a test over the IPC channel. `{ aheadMs }` moves its clock, which starts at
// RIG_AHEAD_MS. `{ measure: true }` collects garbage and returns the memory that is left. Both are answered when they
// are done.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runService } from "../../../src/start/run-service.ts";

const MachineDate = Date;
let aheadMs = Number(process.env["RIG_AHEAD_MS"] ?? 0);

/** Libraries, such as the one for sign-in, use the global clock, so that one is moved as well as the service's. */
class MovedDate extends MachineDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(MovedDate.now());
    else super(...given);
  }
  static override now(): number {
    return MachineDate.now() + aheadMs;
  }
}
globalThis.Date = MovedDate as DateConstructor;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

process.on("message", (message: { aheadMs: number } | { measure: true }) => {
  if ("aheadMs" in message) {
    ({ aheadMs } = message);
    process.send?.(message);
    return;
  }
  collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send?.({ liveBytes: heapUsed + external, residentBytes: rss });
});

await runService(undefined, { nowMs: () => MachineDate.now() + aheadMs });
