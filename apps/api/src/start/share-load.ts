import type { WorkerLoad } from "./worker-messages.ts";

/** Below this even the busiest worker answers without delay. */
const busyFrom = 0.5;
/** A smaller difference is not worth a new connection. */
const differenceMin = 0.25;

/**
 * Callers keep their connections, so a worker that was started again would have none of them. The busiest worker asks
 * callers to connect anew, and the least busy one is the first to accept them. Returns who hands over how many.
 */
export function shareLoad<Of extends { load: WorkerLoad | undefined }>(workers: readonly Of[]): { of: Of; connections: number }[] {
  const loaded = workers.flatMap((of) => (of.load ? [{ of, load: of.load }] : []));
  // Each report is used once; until all workers have reported again, what was handed over has had time to arrive.
  if (loaded.length < 2 || loaded.length < workers.length) return [];
  const [busiest, ...others] = loaded.toSorted((one, other) => other.load.utilization - one.load.utilization);
  const idlest = others.at(-1)!;
  for (const { of } of loaded) of.load = undefined;
  const difference = busiest!.load.utilization - idlest.load.utilization;
  if (busiest!.load.utilization < busyFrom || difference < differenceMin) return [];
  const share = difference / busiest!.load.utilization / 2;
  return [{ of: busiest!.of, connections: Math.ceil(busiest!.load.connections * share) }];
}
