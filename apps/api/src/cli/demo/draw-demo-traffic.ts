/** Synthetic traffic of a site: when calls arrive and what visitors do. Deterministic for a given random source. */
import type { SessionData } from "@assay/contract/scoring.ts";
import type { Outcome } from "@assay/contract/sessions.ts";
import { msPerDay, msPerHour, startOfDay } from "../../formats/time.ts";

/** Weights of the hours of a day (UTC): quiet nights, a peak at noon, a long evening. */
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

type Random = () => number;

const between = (random: Random, from: number, to: number) => from + random() * (to - from);
const round = (value: number, digits: number) => Number(value.toFixed(digits));
/** Right-skewed, as counts and durations are. */
const skewed = (random: Random, typical: number) => Math.round(typical * Math.exp(0.7 * (random() + random() + random() - 1.5) * 2));

type Kind = { share: number; draw: (random: Random) => SessionData; outcomes: readonly Outcome[] };

const kinds: readonly Kind[] = [
  {
    share: 0.58,
    outcomes: ["converted", "genuine", "genuine", "refunded"],
    draw: (random) => ({
      user_engagement: round(between(random, 0.45, 0.95), 2),
      session_duration: Math.max(20, skewed(random, 210)),
      scroll_depth: round(between(random, 0.4, 1), 2),
      interaction_count: Math.max(2, skewed(random, 12)),
      page_views: Math.max(1, skewed(random, 5)),
      return_visitor: random() < 0.4,
    }),
  },
  {
    share: 0.28,
    outcomes: ["genuine"],
    draw: (random) => ({
      user_engagement: round(between(random, 0.1, 0.6), 2),
      session_duration: skewed(random, 25),
      ...(random() < 0.7 && { scroll_depth: round(between(random, 0.05, 0.6), 2) }),
      ...(random() < 0.8 && { interaction_count: skewed(random, 2) }),
      page_views: 1 + Math.floor(random() * 2),
    }),
  },
  {
    share: 0.14,
    outcomes: ["bot", "fraud", "bot"],
    draw: (random) => ({
      user_engagement: round(random() * 0.15, 2),
      session_duration: Math.floor(random() * 4),
      interaction_count: random() < 0.3 ? skewed(random, 60) : 0,
      page_views: Math.max(1, skewed(random, 9)),
      return_visitor: false,
    }),
  },
];

function drawKind(random: Random): Kind {
  let left = random();
  return kinds.find((kind) => (left -= kind.share) < 0) ?? kinds[0]!;
}

function drawCall(atMs: number, random: Random): DemoCall {
  const kind = drawKind(random);
  const which = random();
  return {
    atMs,
    endpoint: which < 0.72 ? "predict" : which < 0.9 ? "score" : "analyze",
    signals: kind.draw(random),
    processingTimeMs: round(between(random, 0.05, 0.4), 3),
    outcome: random() < outcomeShare ? kind.outcomes[Math.floor(random() * kind.outcomes.length)] : undefined,
  };
}

export type DemoDay = { startMs: number; index: number; untilMs: number };

/** A shop that grows by about a tenth in a week. */
export const callsOfShop = ({ index }: DemoDay): number => callsOnFirstDay * growthPerDay ** index;

/** About `calls` calls of visitors on one UTC day before `untilMs`, in chronological order. */
export function drawDay(day: DemoDay, calls: number, random: Random): DemoCall[] {
  const weekday = new Date(day.startMs).getUTCDay();
  const isWeekend = weekday === 0 || weekday === 6;
  const expected = calls * (isWeekend ? weekendShare : 1) * between(random, 0.85, 1.15);
  const weights = hourWeights.reduce((sum, weight) => sum + weight, 0);
  const times: number[] = [];
  for (const [hour, weight] of hourWeights.entries()) {
    const callsOfHour = Math.round((expected * weight) / weights + between(random, -1, 1));
    for (let call = 0; call < callsOfHour; call += 1) times.push(day.startMs + Math.floor((hour + random()) * msPerHour));
  }
  return times
    .filter((atMs) => atMs < day.untilMs)
    .toSorted((a, b) => a - b)
    .map((atMs) => drawCall(atMs, random));
}

/** What a script sends that has measured nothing: the same session, again and again. */
const scriptedSession: SessionData = {
  user_engagement: 0.8317,
  session_duration: 147.36,
  scroll_depth: 0.7129,
  interaction_count: 17,
  page_views: 6,
  return_visitor: true,
};

/** A script's calls on one UTC day before `untilMs`: one after the other, at a fixed distance. */
export function drawScriptedDay(day: DemoDay, calls: number): DemoCall[] {
  const times = Array.from({ length: calls }, (_, index) => day.startMs + Math.floor((index * msPerDay) / calls));
  return times
    .filter((atMs) => atMs < day.untilMs)
    .map((atMs) => ({ atMs, endpoint: "predict", signals: scriptedSession, processingTimeMs: 0.2, outcome: undefined }));
}

/** The last `days` days including today, oldest first. */
export function listDays(days: number, nowMs: number): DemoDay[] {
  const today = startOfDay(nowMs);
  return Array.from({ length: days }, (_, index) => ({ startMs: today - (days - 1 - index) * msPerDay, index, untilMs: nowMs }));
}
