import type { Contribution, SignalPoints } from "../model.ts";
import { signalNames } from "../signals.ts";

/**
 * The contributions by signal: a pair's points go to its two signals in equal halves, which is its Shapley value.
 * Six lines and the gate, always; a signal that was not seen has 0 points. Halves of 1/4096 are still exact, so that
 * these lines add up to the same score in any order.
 */
export function bySignalOf(contributions: readonly Contribution[]): SignalPoints[] {
  const totals = new Map<string, number>(signalNames.map((name) => [name, 0]));
  for (const { signal, points } of contributions) {
    const sharers = signal.split("×");
    for (const name of sharers) totals.set(name, (totals.get(name) ?? 0) + points / sharers.length);
  }
  return Array.from(totals, ([signal, points]) => ({ signal, points }));
}
