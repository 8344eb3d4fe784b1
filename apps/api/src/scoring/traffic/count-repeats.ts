import { createVectorHash } from "./find-irregularities.ts";
import { isDistinctive } from "./find-unexamined.ts";
import { type DayRow, vectorOf } from "./session-kinds.ts";
import type { SignalVector } from "../../money/evidence/day-result.ts";

/** More different sessions than this are not remembered: of a day's, at most 50 are a fiftieth of it or more. */
const candidatesMax = 2_000;

type AssertedRow = DayRow & { attested: number | null };
type Candidate = { vector: SignalVector; calls: number };

/** Attested signals were measured by the service: only what a developer asserts can be made up. */
const isAsserted = ({ attested }: AssertedRow): boolean => attested === null || attested === 0;

const distinctiveOf = (row: AssertedRow): SignalVector | undefined => {
  const vector = vectorOf(row);
  return isAsserted(row) && isDistinctive(vector) ? vector : undefined;
};

/**
 * Finds the distinctive sessions that may be frequent, in bounded memory (Misra and Gries, 1982): whatever is sent more often than
 * once in `candidatesMax` calls is among them at the end.
 */
export function createCandidates(max = candidatesMax) {
  const hashOf = createVectorHash();
  const counts = new Map<number, number>();
  return {
    add(row: AssertedRow): void {
      if (distinctiveOf(row) === undefined) return;
      const hash = hashOf(row);
      const count = counts.get(hash);
      if (count !== undefined) counts.set(hash, count + 1);
      else if (counts.size < max) counts.set(hash, 1);
      else for (const [known, before] of counts) if (before === 1) counts.delete(known); else counts.set(known, before - 1);
    },
    hashes: (): ReadonlySet<number> => new Set(counts.keys()),
  };
}

/** Counts the candidates, exactly. */
export function createRepeats(candidates: ReadonlySet<number>) {
  const hashOf = createVectorHash();
  const known = new Map<number, Candidate>();
  return {
    add(row: AssertedRow): void {
      const vector = distinctiveOf(row);
      if (vector === undefined) return;
      const hash = hashOf(row);
      if (!candidates.has(hash)) return;
      const found = known.get(hash);
      if (found) found.calls += 1;
      else known.set(hash, { vector, calls: 1 });
    },
    /** Those with more calls than `max`, the most frequent first. */
    above: (max: number): Candidate[] => [...known.values()].filter(({ calls }) => calls > max).toSorted((left, right) => right.calls - left.calls),
  };
}
