import type { Belief } from "./rate-curve.ts";
import type { AuctionCampaign, ClickHistory, Placement } from "./snapshot.ts";

/*
 * What is believed about a creative's click rate in one context (placement and category). Its prior is the
 * creative's rate in other contexts, whose own prior is the rate of the campaign's other creatives, whose own
 * prior is the rate of everything that was ever shown here. Each level but the last, where one creative
 * hardly weighs, counts only what the level below does not: no click is believed twice.
 */

export type Tally = { impressions: number; clicks: number };

/** A display ad's usual click rate, believed like `firstClicks` clicks until there is history. */
const firstClickRate = 0.005;
const firstClicks = 10;
/** What the level above is worth, in clicks: this many own clicks weigh as much as the level above. */
const campaignPriorClicks = 2;
const creativePriorClicks = 2;
/** Not under 1: `rateAt` is an approximation that needs a belief of one click or more. */
const contextPriorClicks = 1;
/** For the same reason: it needs this many non-clicks or more. Only rates over 10% ever reach it. */
const missesMin = 9;
/** No prior is surer than this that nobody, or everybody, clicks. */
const clickRateMin = 1e-6;
const clickRateMax = 0.9;

const within = (rate: number) => Math.min(clickRateMax, Math.max(clickRateMin, rate));

/** The rate that a prior and a tally make together. */
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

/** The category of requests that name none, and of those whose category is not told apart. */
export const anyCategory = "";
/** Callers choose the names of categories freely; only so many are learnt apart from the rest. */
const categoriesLearntMax = 64;

export type ClickRates = {
  /** Categories with a history of their own; all others share `anyCategory`. */
  readonly categories: ReadonlySet<string>;
  believe(campaign: AuctionCampaign, creativeId: string, context: { placement: Placement; category: string }): Belief;
};

function mostSeenCategories(history: readonly ClickHistory[]): Set<string> {
  const impressions = new Map<string, number>();
  for (const row of history) impressions.set(row.category, (impressions.get(row.category) ?? 0) + row.impressions);
  impressions.delete(anyCategory);
  const byImpressions = [...impressions].toSorted((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1));
  return new Set(byImpressions.slice(0, categoriesLearntMax).map(([category]) => category));
}

/** A creative's history. Its contexts are few: a list is searched faster than a map is made. */
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
    believe(campaign, creativeId, { placement, category }) {
      const creative = byCreative.get(creativeId);
      const own = creative?.contexts.find((each) => each.placement === placement && each.category === category) ?? nothing;
      const total = creative?.total ?? nothing;
      const campaignRate = blend(overallRate, campaignPriorClicks, less(byCampaign.get(campaign.id) ?? nothing, total));
      const creativeRate = blend(campaignRate, creativePriorClicks, less(total, own));
      return believeFrom(creativeRate, own);
    },
  };
}

export function believeFrom(priorRate: number, tally: Tally): Belief {
  const priorImpressions = Math.max(contextPriorClicks / priorRate, missesMin / (1 - priorRate));
  return {
    alpha: priorImpressions * priorRate + tally.clicks,
    beta: priorImpressions * (1 - priorRate) + Math.max(0, tally.impressions - tally.clicks),
  };
}
