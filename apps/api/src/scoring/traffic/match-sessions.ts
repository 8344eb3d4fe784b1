import type { ResultDetail } from "../../money/evidence/day-result.ts";
import { findInBoxes } from "./check-duplicates.ts";
import { markOf } from "./check-shared.ts";
import { createVectorHash } from "./find-irregularities.ts";
import { type DayRow, signalsOf } from "./session-kinds.ts";

function findMatching(detail: ResultDetail, rows: readonly DayRow[]): DayRow[] {
  switch (detail.kind) {
    case "vectors": {
      const hashOf = createVectorHash();
      const hashes = new Set(detail.vectors.map((vector) => hashOf(signalsOf(vector))));
      return rows.filter((row) => hashes.has(hashOf(row)));
    }
    case "boxes":
      return findInBoxes(rows, detail.centres);
    case "marks": {
      const marks = new Set<number | undefined>(detail.marks);
      return rows.filter((row) => marks.has(markOf(row)));
    }
    case "placements":
    case "gaps":
      return [];
  }
}

/** The ids of a day's sessions that a result counts against the account. Of shared sessions it names the sampled ones only. */
export const matchSessions = (detail: ResultDetail, rows: readonly DayRow[]): string[] => findMatching(detail, rows).map(({ id }) => id);
