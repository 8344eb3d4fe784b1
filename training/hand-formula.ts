import { exactLog1p } from "../packages/scoring/src/exact-math.ts";
import type { Signals } from "../packages/scoring/src/signals.ts";

/** Position between 0 and `ceiling` on a logarithmic scale, 0 to 1. */
const logShare = (value: number, ceiling: number) => Math.min(1, exactLog1p(value) / exactLog1p(ceiling));

/** Baseline: weighted mean of the signals seen, with weights set by hand, as one would write it without data. */
export function handFormulaScore(signals: Signals): number {
  const { user_engagement, session_duration, scroll_depth, interaction_count, page_views, return_visitor } = signals;
  const parts: [weight: number, share: number | undefined][] = [
    [0.3, user_engagement],
    [0.25, session_duration === undefined ? undefined : logShare(session_duration, 600)],
    [0.1, scroll_depth],
    [0.15, interaction_count === undefined ? undefined : logShare(interaction_count, 30)],
    [0.15, page_views === undefined ? undefined : logShare(page_views, 14)],
    [0.05, return_visitor === undefined ? undefined : Number(return_visitor)],
  ];
  let [weightSum, sum] = [0, 0];
  for (const [weight, share] of parts) {
    if (share === undefined) continue;
    weightSum += weight;
    sum += weight * share;
  }
  return weightSum === 0 ? 0.5 : sum / weightSum;
}
