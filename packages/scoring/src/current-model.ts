import type { Model } from "./model.ts";
import type { Signals } from "./signals.ts";
import { recommendationOf, trustLevelOf } from "./trust-level.ts";

/** Share of the way to `ceiling` on a logarithmic scale, 0 to 1. */
const logShare = (value: number, ceiling: number) => Math.min(1, Math.log1p(value) / Math.log1p(ceiling));

/** Weight and share of each signal that is present; the score is their weighted mean. */
function weighShares(signals: Signals): { weight: number; share: number }[] {
  const shares: { weight: number; share: number }[] = [];
  const add = (weight: number, share: number | undefined) => {
    if (share !== undefined) shares.push({ weight, share });
  };
  const { session_duration, interaction_count, page_views, return_visitor } = signals;
  add(0.3, signals.user_engagement);
  add(0.25, session_duration === undefined ? undefined : logShare(session_duration, 600));
  add(0.1, signals.scroll_depth);
  add(0.15, interaction_count === undefined ? undefined : logShare(interaction_count, 30));
  add(0.15, page_views === undefined ? undefined : logShare(page_views, 14));
  add(0.05, return_visitor === undefined ? undefined : Number(return_visitor));
  return shares;
}

/** More than this many interactions or pages in a second is no person's doing. */
const actionsPerSecondMax = 20;

function isImplausible(signals: Signals): boolean {
  const seconds = Math.max(1, signals.session_duration ?? Number.POSITIVE_INFINITY);
  return Math.max(signals.interaction_count ?? 0, signals.page_views ?? 0) / seconds > actionsPerSecondMax;
}

/** Provisional: weights set by hand until the trained model replaces them behind the same interface. */
export const currentModel: Model = {
  version: "provisional-1",
  score(signals) {
    const shares = weighShares(signals);
    const weight = shares.reduce((sum, each) => sum + each.weight, 0);
    const mean = weight === 0 ? 0.5 : shares.reduce((sum, each) => sum + each.weight * each.share, 0) / weight;
    const implausible = isImplausible(signals);
    const serviceScore = Math.round(1000 * mean * (implausible ? 0.05 : 1)) / 10;
    const trustLevel = trustLevelOf(serviceScore);
    return {
      serviceScore,
      trustLevel,
      confidence: Math.round(10_000 * (0.5 + 0.45 * weight)) / 10_000,
      recommendation: recommendationOf(trustLevel, implausible),
    };
  },
};
