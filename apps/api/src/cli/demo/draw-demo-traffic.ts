/** A made-up site's traffic, the same for the same chance: when its calls come, and what its visitors do. */
import type { SessionData } from "@assay/contract/scoring.ts";
import type { Outcome } from "@assay/contract/sessions.ts";
import { msPerDay, msPerHour, startOfDay } from "../../formats/time.ts";

/** Shares of a day's visits by hour (UTC): quiet nights, a lunch-time hill, a long evening. */
const hourWeights = [2, 1.4, 1, 0.8, 0.9, 1.4, 2.4, 3.6, 4.4, 4.8, 5, 5.2, 5.6, 5.2, 4.8, 4.7, 4.8, 5.3, 6.2, 7, 7.4, 6.6, 4.8, 3.1];
const weekendShare = 0.7;
const callsOnFirstDay = 240;
const growthPerDay = 1.012;
const outcomeShare = 0.06;

export type DemoCall = {
  atMs: number;
  endpoint: "predict" | "score" | "analyze";
  signals: SessionData;
  processingTimeMs: number;
  outcome: Outcome | undefined;
};

type Chance = () => number;

const between = (chance: Chance, from: number, to: number) => from + chance() * (to - from);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
/** Many small values and few large ones, as counts and durations are. */
const skewed = (chance: Chance, typical: number) => Math.round(typical * Math.exp(0.7 * (chance() + chance() + chance() - 1.5) * 2));

type Kind = { share: number; draw: (chance: Chance) => SessionData; outcomes: readonly Outcome[] };

const kinds: readonly Kind[] = [
  {
    share: 0.58,
    outcomes: ["converted", "genuine", "genuine", "refunded"],
    draw: (chance) => ({
      user_engagement: round(between(chance, 0.45, 0.95), 2),
      session_duration: Math.max(20, skewed(chance, 210)),
      scroll_depth: round(between(chance, 0.4, 1), 2),
      interaction_count: Math.max(2, skewed(chance, 12)),
      page_views: Math.max(1, skewed(chance, 5)),
      return_visitor: chance() < 0.4,
    }),
  },
  {
    share: 0.28,
    outcomes: ["genuine"],
    draw: (chance) => ({
      user_engagement: round(between(chance, 0.1, 0.6), 2),
      session_duration: skewed(chance, 25),
      ...(chance() < 0.7 && { scroll_depth: round(between(chance, 0.05, 0.6), 2) }),
      ...(chance() < 0.8 && { interaction_count: skewed(chance, 2) }),
      page_views: 1 + Math.floor(chance() * 2),
    }),
  },
  {
    share: 0.14,
    outcomes: ["bot", "fraud", "bot"],
    draw: (chance) => ({
      user_engagement: round(chance() * 0.15, 2),
      session_duration: Math.floor(chance() * 4),
      interaction_count: chance() < 0.3 ? skewed(chance, 60) : 0,
      page_views: Math.max(1, skewed(chance, 9)),
      return_visitor: false,
    }),
  },
];

function drawKind(chance: Chance): Kind {
  let left = chance();
  return kinds.find((kind) => (left -= kind.share) < 0) ?? kinds[0]!;
}

function drawCall(atMs: number, chance: Chance): DemoCall {
  const kind = drawKind(chance);
  const which = chance();
  return {
    atMs,
    endpoint: which < 0.72 ? "predict" : which < 0.9 ? "score" : "analyze",
    signals: kind.draw(chance),
    processingTimeMs: round(between(chance, 0.05, 0.4), 3),
    outcome: chance() < outcomeShare ? kind.outcomes[Math.floor(chance() * kind.outcomes.length)] : undefined,
  };
}

/** The calls of one UTC day that come before `untilMs`, in the order of their times. */
export function drawDay(day: { startMs: number; index: number; untilMs: number }, chance: Chance): DemoCall[] {
  const weekday = new Date(day.startMs).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const expected = callsOnFirstDay * growthPerDay ** day.index * (isWeekend ? weekendShare : 1) * between(chance, 0.85, 1.15);
  const weights = hourWeights.reduce((sum, weight) => sum + weight, 0);
  const times: number[] = [];
  for (const [hour, weight] of hourWeights.entries()) {
    const calls = Math.round((expected * weight) / weights + between(chance, -1, 1));
    for (let call = 0; call < calls; call += 1) times.push(day.startMs + Math.floor((hour + chance()) * msPerHour));
  }
  return times
    .filter((atMs) => atMs < day.untilMs)
    .toSorted((a, b) => a - b)
    .map((atMs) => drawCall(atMs, chance));
}

/** The days up to and with today, the oldest first. */
export function listDays(days: number, nowMs: number): { startMs: number; index: number; untilMs: number }[] {
  const today = startOfDay(nowMs);
  return Array.from({ length: days }, (_, index) => ({ startMs: today - (days - 1 - index) * msPerDay, index, untilMs: nowMs }));
}
