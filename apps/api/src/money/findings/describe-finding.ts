import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import { overdueMs, titleOf } from "./finding-codes.ts";
import type { selectFindings } from "./findings.table.ts";

export type StoredFinding = Awaited<ReturnType<ReturnType<typeof selectFindings>["execute"]>>[number];

export const daysOf = (finding: Pick<StoredFinding, "days">): string[] => JSON.parse(finding.days) as string[];
export const sessionsOf = (finding: Pick<StoredFinding, "sessions">): string[] => JSON.parse(finding.sessions) as string[];

/** What the developer and operators both see. */
export const describeFinding = (row: StoredFinding) => ({
  id: row.id,
  code: row.code,
  title: titleOf(row.code),
  detail: row.detail,
  statistic: row.statistic,
  threshold: row.threshold,
  days: daysOf(row),
  sessions: sessionsOf(row),
  opened_at: isoTime(row.opened_at),
  overdue_at: row.closed_at === null ? isoTime(row.opened_at + overdueMs) : null,
  answer: row.answer === null ? null : { text: row.answer, at: isoTime(row.answered_at ?? row.opened_at) },
  closed_at: isoTimeOrNull(row.closed_at),
  decision: row.decision,
  resolution: row.resolution,
});
