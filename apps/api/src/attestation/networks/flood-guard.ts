/**
 * The only hard limit of what browsers call: requests of one network on one node. It is far above what people in one
 * network do, and bounds what a single machine can cost. Counted in two-second steps, without a timer.
 */
const stepMs = 2_000;
/** Per network and step: 300 a second, or 7,500 sessions at once. */
export const requestsPerStepMax = 600;
/** More networks than this in one step, and the counting starts anew: nobody is refused because of others. */
const networksMax = 100_000;

export type FloodGuard = { /** False if the network has sent too much. */ admit(network: string): boolean };

export function createFloodGuard(nowMs: () => number): FloodGuard {
  let counts = new Map<string, number>();
  let step = -1;
  return {
    admit(network) {
      const now = Math.floor(nowMs() / stepMs);
      if (now !== step || counts.size >= networksMax) {
        step = now;
        counts = new Map();
      }
      const count = (counts.get(network) ?? 0) + 1;
      counts.set(network, count);
      return count <= requestsPerStepMax;
    },
  };
}

export const retryAfterSeconds = stepMs / 1_000;
