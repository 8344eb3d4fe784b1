/**
 * Sessions that two accounts send. Only sessions are compared that were measured so finely that two people practically
 * never leave the same numbers: knowing everything else of a session, its duration and its interactions cannot be
 * guessed better than to a factor of about 1.5, and shares are spread over at least a tenth of their range. That
 * bounds the probability that a given other session is equal; `bitsMin` makes it at most 2^-25.
 */
import type { SignalName } from "@assay/scoring/signals.ts";
import { addTrials, logRatioOf, openBet } from "../../money/evidence/bet-on-hits.ts";
import type { DayResult } from "../../money/evidence/day-result.ts";
import { createVectorHash } from "./find-irregularities.ts";
import { type DayRow, tellingSignals, vectorOf } from "./session-kinds.ts";

/** Among 2^24 earlier sessions (17 million) an honest one finds its equal by chance at most every second time: less than the p0 below. */
const bitsMin = 25;
const tellingMin = 3;
/** One session in so many is compared, by its hash: the same ones in every account. */
const sampledOneIn = 8;
/** A result names at most so many marks. */
const marksNamedMax = 64;

/**
 * The most that another account's earlier sessions make up of an honest account's. Not only chance makes sessions equal:
 * where two parties measure the same page, their numbers agree about every second time.
 */
export const sharedShareMax = 0.8;

/** Shares like 2/3 and durations in thirds have many decimals without being measured finely. */
const denominatorMax = 20;
const roundingShare = 0.0006;

/** The step that a value seems to be measured in. */
function stepOf(value: number, finest: number): number {
  for (let parts = 1; parts <= denominatorMax; parts += 1) {
    if (Math.abs(value * parts - Math.round(value * parts)) <= roundingShare * parts) return 1 / parts;
  }
  for (let step = 0.01; step > finest; step /= 10) if (Math.abs(value / step - Math.round(value / step)) < 1e-6) return step;
  return finest;
}

const bitsOfShare = (value: number | null, stepMin: number): number =>
  value === null || value <= 0 || value >= 1 ? 0 : Math.max(0, -Math.log2(10 * Math.max(stepMin, stepOf(value, 1e-4))));

/** A lower bound of the information in a session's numbers: another person's session is equal with a probability of at most 2^-bits. */
export function finenessBitsOf(row: Pick<DayRow, SignalName>): number {
  const seconds = row.session_duration ?? 0;
  if (seconds <= 0) return 0;
  const step = stepOf(seconds, 1e-3);
  return (
    Math.max(0, Math.log2(seconds / step)) +
    // A share of a duration that was measured in steps has only as many values as there were steps.
    bitsOfShare(row.user_engagement, step / seconds) +
    bitsOfShare(row.scroll_depth, 0) +
    Math.log2(Math.max(1, row.interaction_count ?? 0))
  );
}

const hashOf = createVectorHash();

/** The mark of a finely measured session, a whole number below 2^53; undefined for the others and for those not sampled. */
export function markOf(row: Pick<DayRow, SignalName>): number | undefined {
  const mark = hashOf(row);
  if (mark % sampledOneIn !== 0) return undefined;
  return tellingSignals(vectorOf(row)) >= tellingMin && finenessBitsOf(row) >= bitsMin ? mark : undefined;
}

/** `tested`: the day's marks that the account had not sent before; `hits`: those of them that another account had sent before it did. */
export function checkShared({ tested, hits }: { tested: number; hits: readonly number[] }): DayResult {
  const bet = openBet();
  addTrials(bet, { tested, hits: hits.length, p0: sharedShareMax, perVisit: 1 });
  return { check: "shared_sessions", tested, hits: hits.length, logRatio: logRatioOf(bet), detail: { kind: "marks", marks: hits.slice(0, marksNamedMax) } };
}
