import type { Artefact, GateCheck } from "../packages/scoring/src/artefact.ts";
import { exactExp, exactLog1p } from "../packages/scoring/src/exact-math.ts";
import type { Session } from "./read-sessions.ts";

/** Share of the score that a closed gate leaves. */
const floor = 0.05;
const quantile = 0.999;
/**
 * Distance from starting to close to closed, in ln(1 + x): wide enough that a change of one percent moves no score
 * by a point, narrow enough that impossible sessions end near 0.
 */
const width = 1.75;

const checks: readonly Pick<GateCheck, "code" | "numerator" | "denominator">[] = [
  {
    code: "too_many_interactions_per_second",
    numerator: "interaction_count",
    denominator: "session_duration",
  },
  { code: "too_many_pages_per_second", numerator: "page_views", denominator: "session_duration" },
  { code: "too_many_interactions_per_page", numerator: "interaction_count", denominator: "page_views" },
  { code: "too_many_interactions", numerator: "interaction_count" },
  { code: "too_many_pages", numerator: "page_views" },
  { code: "session_too_long", numerator: "session_duration" },
];

/** Sources with outcomes contain only people; in sources with robots and people the label decides. */
export const isPerson = (session: Session) => session.task === "engaged" || session.label === 1;

/** Sets every check to the amount that one person in a thousand exceeds, in the source with the largest value. */
export function learnGate(sessions: readonly Session[]): Artefact["gate"] {
  const people = sessions.filter(isPerson);
  const sources = [...new Set(people.map((session) => session.source))].toSorted();
  return {
    floor,
    checks: checks.map((check) => {
      const limits = sources.map((source) => limitOf(people.filter((person) => person.source === source), check));
      const closesFrom = toTwoDigits(Math.max(...limits));
      const closedAt = toTwoDigits(exactExp(exactLog1p(closesFrom) + width) - 1);
      return Object.assign({}, check, { closesFrom, closedAt });
    }),
  };
}

function limitOf(people: readonly Session[], check: Pick<GateCheck, "numerator" | "denominator">): number {
  const ratios: number[] = [];
  for (const { signals } of people) {
    const amount = signals[check.numerator];
    const divisor = check.denominator === undefined ? 0 : signals[check.denominator];
    if (amount !== undefined && divisor !== undefined) ratios.push(Number(amount) / (1 + Number(divisor)));
  }
  ratios.sort((left, right) => left - right);
  return ratios[Math.ceil(quantile * ratios.length) - 1] ?? 0;
}

function toTwoDigits(value: number): number {
  return Number(value.toPrecision(2));
}
