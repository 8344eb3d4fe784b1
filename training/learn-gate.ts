import type { Artefact, PlainCheck, ReasonCode, TimedCheck } from "../packages/scoring/src/artefact.ts";
import { exactExp, exactLog1p } from "../packages/scoring/src/exact-math.ts";
import type { SignalName } from "../packages/scoring/src/signals.ts";
import type { Session } from "./read-sessions.ts";

/** Share of the score that a closed gate leaves. */
const floor = 0.05;
const quantile = 0.999;
/**
 * Distance from starting to close to closed, in ln(1 + x): wide enough that a change of one percent moves no score
 * by a point, narrow enough that impossible sessions end near 0.
 */
const width = 1.4;

const timedChecks = [
  { code: "too_many_interactions_per_second", numerator: "interaction_count" },
  { code: "too_many_pages_per_second", numerator: "page_views" },
] as const;
const durationKnots = [0, 5, 15, 45, 120, 300, 700, 1500, 3000, 6000, 12000];
/** Sessions count for a knot if their length is within this distance of it, in ln(1 + seconds) … */
const reach = 0.5;
/** … or if they are among this many nearest ones. */
const nearestMin = 300;

const plainChecks: readonly Pick<PlainCheck, "code" | "numerator" | "denominator">[] = [
  { code: "too_many_interactions_per_page", numerator: "interaction_count", denominator: "page_views" },
  { code: "session_too_long", numerator: "session_duration" },
];

/** For sessions whose length is not known: what people exceed in no length. */
const untimedCodes = {
  too_many_interactions_per_second: "too_many_interactions",
  too_many_pages_per_second: "too_many_pages",
} as const satisfies Partial<Record<ReasonCode, ReasonCode>>;

/** Sources with outcomes contain only people; in sources with robots and people the label decides. */
export const isPerson = (session: Session) => session.task === "engaged" || session.label === 1;

/**
 * Sets every check to what one person in a thousand exceeds, in the source with the largest value. Amounts are judged
 * by the length of the session: what one person in a thousand does in that length.
 */
export function learnGate(sessions: readonly Session[]): Artefact["gate"] {
  const people = sessions.filter(isPerson);
  const sources = [...new Set(people.map((session) => session.source))].toSorted();
  const largest = (limitIn: (people: readonly Session[]) => number) =>
    Math.max(...sources.map((source) => limitIn(people.filter((person) => person.source === source))));
  const timed = timedChecks.map(({ code, numerator }): TimedCheck & { code: keyof typeof untimedCodes } => {
    let limit = 0;
    const closesFrom = durationKnots.map((knot) => {
      // A longer session may hold more, never less: chance in a small neighbourhood must not say otherwise.
      limit = Math.max(limit, largest((from) => limitNear(from, numerator, knot)));
      return toTwoDigits(limit);
    });
    return { code, numerator, given: { signal: "session_duration", knots: durationKnots, closesFrom }, width };
  });
  const closing = (closesFrom: number) => ({ closesFrom, closedAt: toTwoDigits(exactExp(exactLog1p(closesFrom) + width) - 1) });
  const untimed = timed.map(({ code, numerator, given }) => ({
    code: untimedCodes[code],
    numerator,
    ...closing(given.closesFrom.at(-1) as number),
  }));
  const plain = plainChecks.map((check) => ({ ...check, ...closing(toTwoDigits(largest((from) => limitOf(from, check)))) }));
  return { floor, checks: [...timed, ...plain, ...untimed] };
}

/** What one in a thousand exceeds among the sessions of about this length. */
function limitNear(people: readonly Session[], numerator: SignalName, seconds: number): number {
  const at = exactLog1p(seconds);
  const near: { amount: number; distance: number }[] = [];
  for (const { signals } of people) {
    const amount = signals[numerator];
    if (amount === undefined || signals.session_duration === undefined) continue;
    near.push({ amount: Number(amount), distance: Math.abs(exactLog1p(signals.session_duration) - at) });
  }
  near.sort((left, right) => left.distance - right.distance || left.amount - right.amount);
  const within = near.filter(({ distance }) => distance <= reach).length;
  return quantileOf(near.slice(0, Math.max(within, nearestMin)).map(({ amount }) => amount));
}

function limitOf(people: readonly Session[], check: Pick<PlainCheck, "numerator" | "denominator">): number {
  const ratios: number[] = [];
  for (const { signals } of people) {
    const amount = signals[check.numerator];
    const divisor = check.denominator === undefined ? 0 : signals[check.denominator];
    if (amount !== undefined && divisor !== undefined) ratios.push(Number(amount) / (1 + Number(divisor)));
  }
  return quantileOf(ratios);
}

function quantileOf(amounts: number[]): number {
  amounts.sort((left, right) => left - right);
  return amounts[Math.ceil(quantile * amounts.length) - 1] ?? 0;
}

function toTwoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
