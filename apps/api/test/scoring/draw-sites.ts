import type { SignalName } from "@assay/scoring/signals.ts";
import { createDraws, type Draws, drawPerson, usualSite } from "./draw-sessions.ts";

export type DrawnRow = Record<SignalName, number | null> & { id: string };
export type Drawn = Partial<Record<SignalName, number>>;

let drawn = 0;

/** A session record with an id of its own. */
export const toDrawnRow = (signals: Drawn): DrawnRow => ({
  id: `sess_${(drawn += 1)}`,
  user_engagement: signals.user_engagement ?? null,
  session_duration: signals.session_duration ?? null,
  scroll_depth: signals.scroll_depth ?? null,
  interaction_count: signals.interaction_count ?? null,
  page_views: signals.page_views ?? null,
  return_visitor: signals.return_visitor ?? null,
});

const roundTo = (value: number, step: number) => Number((Math.round(value / step) * step).toFixed(6));
const clampShare = (value: number) => Math.min(1, Math.max(0, value));

export function drawVisitor(draws: Draws, site = usualSite): Drawn {
  const { return_visitor: returning, ...numbers } = drawPerson(draws, site);
  return { ...numbers, ...(returning !== undefined && { return_visitor: Number(returning) }) };
}

/** Measured like the collector does, by a visitor who spends about a minute and a half. */
function drawFine(draws: Draws): Drawn {
  const seconds = Math.exp(4.5 + draws.normal());
  return {
    user_engagement: roundTo(clampShare(1 - draws.next() ** 2), 0.001),
    session_duration: roundTo(seconds, 0.1),
    scroll_depth: roundTo(draws.next(), 0.001),
    interaction_count: Math.floor((seconds / 12) * Math.exp(0.6 * draws.normal())),
    page_views: 1 + Math.floor(4 * draws.next()),
  };
}

/** One honest visit after the other, each as often as it is sent, in the order of sending. */
export type DrawDay = (count: number, draws: Draws) => Drawn[];

const eachVisit = (drawVisit: (draws: Draws) => Drawn): DrawDay => (count, draws) => Array.from({ length: count }, () => drawVisit(draws));
const sendEach = (times: number): DrawDay => (count, draws) =>
  Array.from({ length: Math.ceil(count / times) }, () => drawFine(draws)).flatMap((visit) => Array.from({ length: times }, () => visit));

/** Honest sites whose sessions are more alike than most, by what they measure, what visitors do there, and how they send. */
export const honestSites: Record<string, DrawDay> = {
  usual: eachVisit(drawVisitor),
  "measured finely": eachVisit(drawFine),
  "link shortener: nearly all leave at once": eachVisit((draws) => (draws.next() < 0.98 ? { user_engagement: 0, session_duration: 0, page_views: 1 } : drawFine(draws))),
  "two signals, in quarters and minutes": eachVisit((draws) => {
    const { user_engagement: engagement, session_duration: seconds } = drawFine(draws);
    return { user_engagement: roundTo(engagement!, 0.25), session_duration: roundTo(seconds!, 60) };
  }),
  "engaged or not, one page": eachVisit((draws) => ({ user_engagement: Number(draws.next() < 0.9), session_duration: 0, page_views: 1 })),
  "game with rounds of 90 s": eachVisit((draws) => ({
    user_engagement: 1,
    session_duration: 90 * (1 + Math.floor(-Math.log(1 - draws.next()))),
    interaction_count: 20,
    page_views: 3,
  })),
  "kiosk with a time-out of 60 s": eachVisit((draws) =>
    draws.next() < 0.85 ? { user_engagement: 0.05, session_duration: 60, interaction_count: 1, page_views: 1 } : drawFine(draws),
  ),
  "check-in of three steps, in minutes": eachVisit((draws) => ({
    user_engagement: 1,
    session_duration: draws.next() < 0.92 ? 60 : 120,
    interaction_count: 3,
    page_views: 3,
    return_visitor: Number(draws.next() < 0.02),
  })),
  "exam of half an hour": eachVisit((draws) => ({
    user_engagement: roundTo(clampShare(0.9 + 0.04 * draws.normal()), 0.001),
    session_duration: draws.next() < 0.96 ? 1_800 + Math.floor(5 * draws.next()) : Math.floor(1_800 * draws.next()),
    interaction_count: 40 + Math.floor(6 * draws.next()),
    page_views: 20,
  })),
  "quiz paced by the server, whole seconds": eachVisit((draws) => ({
    user_engagement: roundTo(0.93 + 0.06 * draws.next(), 0.01),
    session_duration: draws.next() < 0.9 ? 197 + Math.floor(10 * draws.next()) : 10 + Math.floor(180 * draws.next()),
    interaction_count: 10,
    page_views: 10,
  })),
  "download after a countdown": eachVisit((draws) => ({
    user_engagement: 0.1,
    session_duration: 31 + Math.floor(6 * draws.next()),
    interaction_count: draws.next() < 0.8 ? 2 : 1,
    page_views: draws.next() < 0.75 ? 2 : 1,
  })),
  "the same film for everybody": eachVisit((draws) =>
    draws.next() < 0.9 ? { user_engagement: 0.141, session_duration: 213, interaction_count: 1, page_views: 1 } : drawFine(draws),
  ),
  "one visit to three endpoints": sendEach(3),
  "every call sent five times": sendEach(5),
  "a queue that is sent in order of duration": (count, draws) =>
    Array.from({ length: count }, () => {
      const { user_engagement: engagement, session_duration: seconds } = drawFine(draws);
      return { user_engagement: roundTo(engagement!, 0.25), session_duration: roundTo(seconds!, 30), page_views: 2, interaction_count: 2 };
    }).toSorted((left, right) => left.session_duration - right.session_duration || left.user_engagement - right.user_engagement),
  "a monitor beside people": eachVisit((draws) =>
    draws.next() < 0.5 ? { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5 } : drawVisitor(draws),
  ),
};

export const drawSiteDay = (name: string, count: number, draws: Draws = createDraws(1)): DrawnRow[] => honestSites[name]!(count, draws).map(toDrawnRow);
