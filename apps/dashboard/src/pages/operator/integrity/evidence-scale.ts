import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { logPosition, powersOfTen } from "../../../ui/scales.ts";

type Evidence = IntegrityReply["evidence"];
export type Point = { day: string; value: number };

/** Evidence below this says no more than that nothing was found. */
const valueMin = 0.01;
const labelsMax = 7;

export const checksOf = (evidence: Evidence): string[] => [...new Set(evidence.flatMap(({ checks }) => checks.map(({ check }) => check)))].toSorted();

/** The account's evidence day by day, or that of one check on the days on which it was computed. */
export const pointsOf = (evidence: Evidence, check?: string): Point[] =>
  evidence.flatMap(({ day, total, checks }) => {
    const value = check === undefined ? total : checks.find((each) => each.check === check)?.evidence;
    return value === undefined ? [] : [{ day, value }];
  });

export type Axes = { days: { first: number; last: number }; values: { from: number; to: number }; labels: number[] };

/** One pair of axes for all lines: by day, and by powers of ten with the threshold well inside. */
export function axesOf(lines: readonly (readonly Point[])[], threshold: number): Axes {
  const points = lines.flat();
  const times = points.map(({ day }) => Date.parse(day));
  const values = points.map(({ value }) => value);
  const powers = powersOfTen({ least: Math.max(valueMin, Math.min(0.1, ...values)), most: Math.max(threshold * 10, ...values) });
  const step = Math.ceil(powers.length / labelsMax);
  return {
    days: { first: Math.min(...times), last: Math.max(...times) },
    values: { from: powers[0] ?? valueMin, to: powers.at(-1) ?? threshold },
    labels: powers.filter((power) => Math.round(Math.log10(power)) % step === 0),
  };
}

/** From the top, as a share. */
export const heightOf = (value: number, { values }: Axes): number => 1 - logPosition(value, values);

/** From the left and from the top, as shares. A single day is in the middle. */
export function place({ day, value }: Point, axes: Axes): { x: number; y: number } {
  const { first, last } = axes.days;
  return { x: last === first ? 0.5 : (Date.parse(day) - first) / (last - first), y: heightOf(value, axes) };
}
