import type { ResultDetail } from "../../money/evidence/day-result.ts";
import { isInBox } from "./check-duplicates.ts";
import { markOf } from "./check-shared.ts";
import { createVectorHash } from "./find-irregularities.ts";
import { type DayRow, signalsOf, vectorOf } from "./session-kinds.ts";

const hashOf = createVectorHash();

function createMatcher(detail: ResultDetail): (row: DayRow) => boolean {
  switch (detail.kind) {
    case "vectors": {
      const hashes = new Set(detail.vectors.map((vector) => hashOf(signalsOf(vector))));
      return (row) => hashes.has(hashOf(row));
    }
    case "boxes":
      return (row) => {
        const vector = vectorOf(row);
        return detail.centres.some((centre) => isInBox(vector, centre));
      };
    case "marks": {
      const marks = new Set(detail.marks);
      return (row) => {
        const mark = markOf(row);
        return mark !== undefined && marks.has(mark);
      };
    }
    case "placements":
    case "gaps":
      return () => false;
  }
}

/** The ids of a day's sessions that a result counts against the account. Of shared sessions it names the sampled ones only. */
export const matchSessions = (detail: ResultDetail, rows: readonly DayRow[]): string[] => rows.filter(createMatcher(detail)).map(({ id }) => id);
