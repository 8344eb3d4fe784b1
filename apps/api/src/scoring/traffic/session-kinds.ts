import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import type { SignalVector } from "../../money/evidence/day-result.ts";
import type { SessionRecordRow } from "../../store/schema.ts";

/** A session as the checks see it. Rows of a day are ordered by time: oldest first. */
export type DayRow = Pick<SessionRecordRow, SignalName | "id">;

export const vectorOf = (row: Pick<DayRow, SignalName>): SignalVector => signalNames.map((name) => row[name]);

export const signalsOf = (vector: SignalVector): Pick<DayRow, SignalName> =>
  Object.fromEntries(signalNames.map((name, index) => [name, vector[index] ?? null])) as Record<SignalName, number | null>;

const engagementAt = signalNames.indexOf("user_engagement");
const durationAt = signalNames.indexOf("session_duration");
const scrollAt = signalNames.indexOf("scroll_depth");
const interactionsAt = signalNames.indexOf("interaction_count");
const pagesAt = signalNames.indexOf("page_views");

/** Shorter sessions of different people look alike. */
const tellingSecondsMin = 10;
/** One interaction, or one page, is what a visit has at least. */
const tellingCountMin = 2;

const isBetween = (value: number | null | undefined) => (value ?? 0) > 0 && (value ?? 0) < 1;

/** How many of five signals tell something of a person: they have a value that a bounce or a missing instrument does not leave. */
export const tellingSignals = (vector: SignalVector): number =>
  Number(isBetween(vector[engagementAt])) +
  Number((vector[durationAt] ?? 0) >= tellingSecondsMin) +
  Number(isBetween(vector[scrollAt])) +
  Number((vector[interactionsAt] ?? 0) >= tellingCountMin) +
  Number((vector[pagesAt] ?? 0) >= tellingCountMin);

/** The steps of instruments. Whoever measures in such steps, or in larger ones, leaves few different sessions. */
const coarseSteps = { seconds: 5, share: 0.05 };
const usualSteps = { seconds: 1, share: 0.01 };

const isMultiple = (value: number, step: number) => Math.abs(value / step - Math.round(value / step)) < 1e-6;

/** Whether at least two signals lie between the steps. */
function isBetweenSteps(vector: SignalVector, steps: { seconds: number; share: number }): boolean {
  const isFineShare = (value: number | null | undefined) => isBetween(value) && !isMultiple(value!, steps.share);
  const seconds = vector[durationAt] ?? 0;
  const isFineDuration = seconds >= tellingSecondsMin && !isMultiple(seconds, steps.seconds);
  return Number(isFineShare(vector[engagementAt])) + Number(isFineDuration) + Number(isFineShare(vector[scrollAt])) >= 2;
}

/** Measured in finer steps than 5 s and 0.05. */
export const isFine = (vector: SignalVector): boolean => isBetweenSteps(vector, coarseSteps);

/** Measured in finer steps than 1 s and 0.01. */
export const isVeryFine = (vector: SignalVector): boolean => isBetweenSteps(vector, usualSteps);
