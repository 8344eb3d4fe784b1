import type { Signals } from "@assay/scoring/signals.ts";

export type Draws = {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number;
  normal(): number;
};

/** Seeded, reproducible random numbers. */
export function createDraws(seed: number): Draws {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}

const atDecimals = (value: number, decimals: number) => Number(value.toFixed(decimals));

/** Typical behaviour of a site's visitors. */
export type Site = { durationLog: number; durationSpread: number; pages: number; engagementDecimals: number; bounces: number };

export const usualSite: Site = { durationLog: 4.6, durationSpread: 1.5, pages: 4, engagementDecimals: 2, bounces: 0.2 };

/** A human visitor: many short sessions, some long ones, with all signals correlated with the duration. */
export function drawPerson(draws: Draws, site: Site = usualSite): Signals {
  const isBounce = draws.next() < site.bounces;
  const seconds = isBounce ? Math.floor(draws.next() * 12) : Math.round(Math.exp(site.durationLog + site.durationSpread * draws.normal()));
  const pages = isBounce ? 1 : Math.max(1, Math.round(site.pages * Math.exp(0.8 * draws.normal())));
  const signals: Signals = {
    user_engagement: atDecimals(1 - draws.next() ** 2.2 * (isBounce ? 1 : 0.7), site.engagementDecimals),
    session_duration: Math.min(seconds, 40_000),
    page_views: pages,
  };
  if (draws.next() < 0.8) signals.interaction_count = Math.floor(pages * 1.6 * Math.exp(0.9 * draws.normal()));
  if (draws.next() < 0.5) signals.scroll_depth = atDecimals(draws.next(), 3);
  if (draws.next() < 0.7) signals.return_visitor = draws.next() < 0.5;
  return signals;
}
