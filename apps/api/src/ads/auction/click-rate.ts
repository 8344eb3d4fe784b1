import type { Placement } from "../../store/schema-ads.ts";
import type { Belief } from "./rate-curve.ts";
import type { AuctionCampaign, ClickHistory } from "./snapshot.ts";

/*
 * A hierarchical estimate of a creative's click rate in one context (placement and category). Its prior is the
 * creative's rate in other contexts, whose prior is the rate of the campaign's other creatives, whose prior is the
 * overall rate. Each level excludes what the level below counts, so that no click counts twice. Only the overall
 * rate does not: one creative hardly weighs there.
 */

export type Tally = { impressions: number; clicks: number };

/** A display ad's typical click rate: the prior of the overall rate, with the weight of `firstClicks` clicks. */
const firstClickRate = 0.005;
const firstClicks = 10;
/** The prior's weight at each level, in clicks. */
const campaignPriorClicks = 2;
const creativePriorClicks = 2;
/** At least 1: the approximation in `rateAt` needs an alpha of 1 or more. */
const contextPriorClicks = 1;
/** `rateAt` needs a beta of at least this. Only rates over 10% are affected. */
const missesMin = 9;
/** Priors stay within these bounds. */
const clickRateMin = 1e-6;
const clickRateMax = 0.9;

const within = (rate: number) => Math.min(clickRateMax, Math.max(clickRateMin, rate));

function blend(priorRate: number, priorClicks: number, tally: Tally): number {
  const priorImpressions = priorClicks / priorRate;
  return within((priorClicks + tally.clicks) / (priorImpressions + tally.impressions));
}

const less = (whole: Tally, part: Tally): Tally => ({
  impressions: Math.max(0, whole.impressions - part.impressions),
  clicks: Math.max(0, whole.clicks - part.clicks),
});
const addTo = (tally: Tally, part: Tally): void => {
  tally.impressions += part.impressions;
  tally.clicks += part.clicks;
};
const emptyTally = (): Tally => ({ impressions: 0, clicks: 0 });
const nothing: Tally = Object.freeze(emptyTally());

/** The category of requests without one, and of those whose category is not learnt separately. */
export const anyCategory = "";
/** Callers choose category names freely, so the number that is learnt separately is bounded. */
const categoriesLearntMax = 64;

export type ClickRates = {
  /** Categories with a history of their own; all others share `anyCategory`. */
  readonly categories: ReadonlySet<string>;
  estimate(campaign: AuctionCampaign, creativeId: string, context: { placement: Placement; category: string }): Belief;
};

function mostSeenCategories(history: readonly ClickHistory[]): Set<string> {
  const impressions = new Map<string, number>();
  for (const row of history) impressions.set(row.category, (impressions.get(row.category) ?? 0) + row.impressions);
  impressions.delete(anyCategory);
  const byImpressions = [...impressions].toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
  return new Set(byImpressions.slice(0, categoriesLearntMax).map(([category]) => category));
}

/** A creative has few contexts: searching a list is faster than building a map. */
type CreativeHistory = { total: Tally; contexts: (Tally & { placement: Placement; category: string })[] };

function sumUp(history: readonly ClickHistory[], categories: ReadonlySet<string>): { overall: Tally; byCreative: Map<string, CreativeHistory> } {
  const overall = emptyTally();
  const byCreative = new Map<string, CreativeHistory>();
  for (const row of history) {
    addTo(overall, row);
    let creative = byCreative.get(row.creativeId);
    if (!creative) byCreative.set(row.creativeId, (creative = { total: emptyTally(), contexts: [] }));
    addTo(creative.total, row);
    const { placement, impressions, clicks } = row;
    const category = categories.has(row.category) ? row.category : anyCategory;
    const known = creative.contexts.find((each) => each.placement === placement && each.category === category);
    if (known) addTo(known, row);
    else creative.contexts.push({ placement, category, impressions, clicks });
  }
  return { overall, byCreative };
}

export function learnClickRates(campaigns: readonly AuctionCampaign[], history: readonly ClickHistory[]): ClickRates {
  const categories = mostSeenCategories(history);
  for (const campaign of campaigns) for (const category of campaign.categories) categories.add(category);
  const { overall, byCreative } = sumUp(history, categories);
  const overallRate = blend(firstClickRate, firstClicks, overall);
  const byCampaign = new Map<string, Tally>();
  for (const campaign of campaigns) {
    const total = emptyTally();
    for (const { id } of campaign.creatives) addTo(total, byCreative.get(id)?.total ?? nothing);
    if (total.impressions > 0) byCampaign.set(campaign.id, total);
  }
  return {
    categories,
    estimate(campaign, creativeId, { placement, category }) {
      const creative = byCreative.get(creativeId);
      const own = creative?.contexts.find((each) => each.placement === placement && each.category === category) ?? nothing;
      const total = creative?.total ?? nothing;
      const campaignRate = blend(overallRate, campaignPriorClicks, less(byCampaign.get(campaign.id) ?? nothing, total));
      const creativeRate = blend(campaignRate, creativePriorClicks, less(total, own));
      return toBelief(creativeRate, own);
    },
  };
}

export function toBelief(priorRate: number, tally: Tally): Belief {
  const priorImpressions = Math.max(contextPriorClicks / priorRate, missesMin / (1 - priorRate));
  return {
    alpha: priorImpressions * priorRate + tally.clicks,
    beta: priorImpressions * (1 - priorRate) + Math.max(0, tally.impressions - tally.clicks),
  };
}
