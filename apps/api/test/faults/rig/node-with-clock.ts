// The service on a machine whose clock a test can move: by `{ aheadMs }` over the channel, which is answered when
// it holds.
import { runService } from "../../../src/start/serve.ts";

const MachineDate = Date;
let aheadMs = 0;

/** Sign-in is a library's, and libraries ask the machine: so its clock is moved as well as the service's. */
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
