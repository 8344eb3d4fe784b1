import { releasedModels } from "@assay/scoring/released-models.ts";
import { type Signals, signalNames } from "@assay/scoring/signals.ts";
import { type BinnedDay, binDay } from "../../src/scoring/drift/bin-day.ts";
import { addSession, emptySummary } from "../../src/scoring/traffic/session-summary.ts";
import { createDraws, type Draws } from "./draw-sessions.ts";

/** The first one never changes, so what is simulated does not either. */
const { model } = releasedModels[0]!;

/** How a site's days and weeks differ without anything having changed; deviations of the logarithm, or of a share. */
export type Habits = { dayNoise: number; weekNoise: number; campaigns: number };

export const usualHabits: Habits = { dayNoise: 0.03, weekNoise: 0.02, campaigns: 0.04 };

/** What is different in the last week, if anything. */
export type Change = {
  durationFactor?: number;
  /** A narrower or wider spread around the same median. */
  durationSpreadFactor?: number;
  interactionsMissing?: number;
  /** The share of sessions that are robots': a page, two seconds, nothing else. */
  robots?: number;
  /** 0 to 6: the day of the week on which it began. */
  fromDay?: number;
};

type DaySite = {
  durationLog: number;
  durationSpread: number;
  bounces: number;
  pages: number;
  interactions: number;
  interactionsMissing: number;
  scrollMissing: number;
  returning: number;
  engagementPower: number;
  robots: number;
};

const clamp = (share: number) => Math.min(0.98, Math.max(0.005, share));

function drawSession(draws: Draws, site: DaySite): Signals {
  if (draws.next() < site.robots) return { user_engagement: 0, session_duration: 2, page_views: 1, interaction_count: 0, scroll_depth: 0, return_visitor: false };
  const isBounce = draws.next() < site.bounces;
  const seconds = isBounce ? 12 * draws.next() * Math.exp(site.durationLog - 4.6) : Math.exp(site.durationLog + site.durationSpread * draws.normal());
  const pages = isBounce ? 1 : Math.max(1, Math.round(site.pages * Math.exp(0.7 * draws.normal())));
  const signals: Signals = {
    user_engagement: Number((1 - draws.next() ** site.engagementPower * (isBounce ? 1 : 0.7)).toFixed(3)),
    session_duration: Number(Math.min(seconds, 40_000).toFixed(1)),
    page_views: pages,
  };
  if (draws.next() >= site.interactionsMissing) signals.interaction_count = Math.floor(pages * site.interactions * Math.exp(0.9 * draws.normal()));
  if (draws.next() >= site.scrollMissing) signals.scroll_depth = Number(draws.next().toFixed(3));
  if (draws.next() < 0.9) signals.return_visitor = draws.next() < site.returning;
  return signals;
}

function applyChange(site: DaySite, change: Change): DaySite {
  return {
    ...site,
    durationLog: site.durationLog + Math.log(change.durationFactor ?? 1),
    durationSpread: site.durationSpread * (change.durationSpreadFactor ?? 1),
    interactionsMissing: change.interactionsMissing ?? site.interactionsMissing,
    robots: change.robots ?? site.robots,
  };
}

/** Sessions of one day in five weeks, the first day first. */
export function* drawDays(options: { seed: number; sessionsPerWeek: number; habits?: Habits; change?: Change }): Generator<Signals[]> {
  const { seed, sessionsPerWeek, habits = usualHabits, change } = options;
  const draws = createDraws(seed);
  const account = { durationLog: 4.6 + 0.4 * draws.normal(), durationSpread: 0.9 + 0.4 * draws.next(), bounces: 0.1 + 0.2 * draws.next(), scrollMissing: 0.1 + 0.4 * draws.next(), returning: 0.2 + 0.4 * draws.next() };
  const weekend = { volume: 0.4 + draws.next(), duration: 0.3 * draws.normal(), bounces: 0.08 * draws.normal(), returning: 0.08 * draws.normal() };
  let weekLog = 0;
  for (let index = 0; index < 35; index += 1) {
    if (index % 7 === 0) weekLog = habits.weekNoise * draws.normal();
    const isWeekend = index % 7 >= 5;
    const noise = () => habits.dayNoise * draws.normal();
    const isCampaign = draws.next() < habits.campaigns;
    const site: DaySite = {
      durationLog: account.durationLog + weekLog + (isWeekend ? weekend.duration : 0) + noise() - (isCampaign ? 0.7 : 0),
      durationSpread: account.durationSpread,
      bounces: clamp(account.bounces + (isWeekend ? weekend.bounces : 0) + noise() / 2 + (isCampaign ? 0.3 : 0)),
      pages: 4 * Math.exp(noise()),
      interactions: 1.6 * Math.exp(noise()),
      interactionsMissing: clamp(0.05 + noise() / 4),
      scrollMissing: clamp(account.scrollMissing + noise() / 2),
      returning: clamp(account.returning + (isWeekend ? weekend.returning : 0) + noise() / 2 - (isCampaign ? 0.15 : 0)),
      engagementPower: 2.2 * Math.exp(noise()),
      robots: 0.05,
    };
    const isChanged = change !== undefined && index >= 28 + (change.fromDay ?? 0);
    const volume = (sessionsPerWeek / 7) * (isWeekend ? weekend.volume : 1) * Math.exp(0.15 * draws.normal()) * (isCampaign ? 3 : 1);
    yield Array.from({ length: Math.round(volume) }, () => drawSession(draws, isChanged ? applyChange(site, change) : site));
  }
}

export function drawWeeks(options: Parameters<typeof drawDays>[0]): BinnedDay[] {
  return Array.from(drawDays(options), (sessions) => {
    const summary = emptySummary();
    for (const signals of sessions) {
      const values = Object.fromEntries(signalNames.map((name) => [name, signals[name] === undefined ? null : Number(signals[name])])) as Record<(typeof signalNames)[number], number | null>;
      addSession(summary, { ...values, service_score: model.score(signals).serviceScore, model_version: model.version, calibration: null });
    }
    return binDay(summary);
  });
}
