import type { SignalName } from "@assay/scoring/signals.ts";
import type { Draws } from "../../apps/api/test/scoring/draw-sessions.ts";

/** What an account sends about one session; null: it does not measure that signal. */
export type Visit = Record<SignalName, number | null>;

export const chance = (draws: Draws, share: number): boolean => draws.next() < share;

export const between = (draws: Draws, low: number, high: number): number => low + (high - low) * draws.next();

export const wholeBetween = (draws: Draws, low: number, high: number): number => Math.floor(between(draws, low, high + 1));

export const pick = <Value>(draws: Draws, values: readonly Value[]): Value => values[Math.floor(draws.next() * values.length)]!;

/** Log-normal, by its median and the spread of its logarithm. */
export const around = (draws: Draws, median: number, spread: number): number => median * Math.exp(spread * draws.normal());

export const roundTo = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
};

export const shareOf = (value: number): number => Math.min(1, Math.max(0, value));

/** Both signals that a call must have, and those that are given. */
export const makeVisit = (visit: Partial<Visit> & { user_engagement: number; session_duration: number }): Visit => ({
  scroll_depth: null,
  interaction_count: null,
  page_views: null,
  return_visitor: null,
  ...visit,
});

export function shuffle<Value>(draws: Draws, values: Value[]): Value[] {
  for (let index = values.length - 1; index > 0; index -= 1) {
    const other = Math.floor(draws.next() * (index + 1));
    [values[index], values[other]] = [values[other]!, values[index]!];
  }
  return values;
}
