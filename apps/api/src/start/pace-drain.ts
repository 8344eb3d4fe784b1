import { setTimeout as sleep } from "node:timers/promises";

/** For this long responses carry `Connection: close` before the port closes. */
const drainAnnouncedMs = 500;
const drainHeldMs = 150;
/** A drain is cut short after this time. Supervisors wait longer: see deploy/. */
export const drainMsMax = 20_000;

/** The steps of a drain, in their order. */
export type DrainSteps = Record<"announce" | "hold" | "closePort" | "finish", () => Promise<void> | void>;
export type DrainStep = keyof DrainSteps;

/**
 * Graceful shutdown without losing an accepted call: responses announce `Connection: close`, then the port closes, and
 * requests that arrived by then are answered before the store closes.
 */
export async function paceDrain(steps: DrainSteps): Promise<void> {
  await steps.announce();
  await sleep(drainAnnouncedMs);
  // Closing the port resets connections in the accept backlog. Responses are held for a moment: callers that wait for
  // one open no new connection, so the backlog is empty when the port closes.
  await steps.hold();
  await sleep(drainHeldMs);
  // Of several workers the last one to close its copy closes the port. None answers before: its callers would open
  // connections that nobody accepts any more.
  await steps.closePort();
  await steps.finish();
}
