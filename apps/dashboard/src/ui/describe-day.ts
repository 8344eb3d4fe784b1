import type { CallDay } from "@assay/contract/dashboard/integrity.ts";
import { formatDays } from "./days.ts";
import { formatUtcDay } from "./format.ts";

/** The job that confirms days runs every few minutes, so a day may be confirmed a little later than it could be. */
const confirmingMs = 3_600_000;

const isKeptBack = (confirmsAt: string, nowMs: number): boolean => Date.parse(confirmsAt) + confirmingMs < nowMs;

/** A pending day says when it ends, a settled one when it was settled. */
export function describeState({ state, confirms_at, settled_at }: Pick<CallDay, "state" | "confirms_at" | "settled_at">, nowMs: number): string {
  if (state !== "pending") return settled_at === null ? "" : `on ${formatUtcDay(settled_at)}`;
  if (confirms_at === null) return "";
  return isKeptBack(confirms_at, nowMs) ? "kept back while a hold or a finding is open" : `confirmed on ${formatUtcDay(confirms_at)} at the earliest`;
}

/** When the next pending day is confirmed, as a sentence; undefined if none is pending. `days` begin with the newest. */
export function describeNextConfirmed(days: readonly Pick<CallDay, "day" | "state" | "confirms_at">[], nowMs: number): string | undefined {
  const next = days.findLast(({ state }) => state === "pending");
  if (!next || next.confirms_at === null) return undefined;
  const name = formatDays([next.day]);
  return isKeptBack(next.confirms_at, nowMs) ? `${name} is kept back while a hold or a finding is open.` : `Next, ${name} is confirmed on ${formatUtcDay(next.confirms_at)} at the earliest.`;
}
