import type { selectUnsettled } from "./unsettled.table.ts";

type UnsettledRow = Awaited<ReturnType<ReturnType<typeof selectUnsettled>["execute"]>>[number];

/** Calls that may still be reversed, those that wait for a decision included: how many, and what they earned. */
const unsettledCallsOf = (row: UnsettledRow): { calls: number; microUsd: number } => ({
  calls: (row.unsettled_calls ?? 0) - (row.reversed_calls ?? 0) + (row.waiting_calls ?? 0),
  microUsd: (row.unsettled_calls_micro ?? 0) - (row.reversed_calls_micro ?? 0) + (row.waiting_calls_micro ?? 0),
});

/** The same with clicks. */
export function pendingOf(row: UnsettledRow): { calls: number; clicks: number; microUsd: number } {
  const { calls, microUsd } = unsettledCallsOf(row);
  return { calls, clicks: row.pending_clicks ?? 0, microUsd: microUsd + (row.pending_clicks_micro ?? 0) };
}
