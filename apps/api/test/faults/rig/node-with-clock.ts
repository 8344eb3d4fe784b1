// The service with a clock that a test can move: by `{ aheadMs }` over the IPC channel, which is acknowledged when it
// takes effect.
import { runService } from "../../../src/start/serve.ts";

const MachineDate = Date;
let aheadMs = 0;

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

process.on("message", (message: { aheadMs: number }) => {
  ({ aheadMs } = message);
  process.send?.(message);
});

await runService(undefined, { nowMs: () => MachineDate.now() + aheadMs });
