import type { CheckName } from "./e-process.ts";

/** The six signals of a session in the order of `signalNames`; null: absent. */
export type SignalVector = readonly (number | null)[];

/** What a check counted as hits, from which the sessions can be found again. */
export type ResultDetail =
  | { kind: "vectors"; vectors: SignalVector[] }
  | { kind: "boxes"; centres: SignalVector[] }
  | { kind: "marks"; marks: number[] }
  | { kind: "placements"; placements: { placement: string; impressions: number; clicks: number }[] }
  | { kind: "gaps"; probability: number };

/** What one check says about one complete day of an account. The mean of e^logRatio under the check's null is at most 1. */
export type DayResult = { check: CheckName; tested: number; hits: number; logRatio: number; detail: ResultDetail };

export const checkTitles: Record<CheckName, string> = {
  exact_duplicates: "The same sessions again and again",
  near_duplicates: "Almost the same sessions again and again",
  shared_sessions: "Sessions that another account had sent",
  click_rate: "More clicks than people make",
  regular_clicks: "Clicks at even intervals",
};

/** From this many calls a day on, identical ones may be a monitor's. */
const monitorCallsMin = 1_000;

/** Two decimals below 99%, so that 99.9% of the sessions do not read as all of them. */
const percent = (share: number) => `${share > 0.99 && share < 1 ? (Math.floor(share * 1_000) / 10).toFixed(1) : Math.round(share * 100)}%`;

function describeVectors({ tested, hits }: DayResult, vectors: readonly SignalVector[]): string {
  const what = vectors.length === 1 ? "one and the same session" : `the same ${vectors.length} sessions`;
  const text = `${hits} of ${tested} calls (${percent(hits / tested)}) repeat ${what}, in every signal that was sent.`;
  if (tested < monitorCallsMin || hits / tested < 0.9) return text;
  return `${text} A monitor that calls with a live key looks like this: use a test key for monitoring. So does an instrument that measures nothing.`;
}

/** One or two sentences for the developer and the operator. */
export function describeResult(result: DayResult): string {
  const { tested, hits, detail } = result;
  switch (detail.kind) {
    case "vectors":
      return describeVectors(result, detail.vectors);
    case "boxes":
      return (
        `${hits} of ${tested} calls (${percent(hits / tested)}) are within 15% of one session in every signal. ` +
        "Visits of people differ more, even where all of them do the same thing."
      );
    case "marks":
      return `${hits} of ${tested} finely measured sessions (${percent(hits / tested)}) had been sent by another account before, with exactly the same numbers. A visit is paid once.`;
    case "placements":
      return detail.placements
        .map(({ placement, impressions, clicks }) => `${clicks} clicks on ${impressions} impressions in ${placement} are ${percent(clicks / Math.max(1, impressions, clicks))}.`)
        .join(" ");
    case "gaps":
      return `${tested} clicks came at more even intervals than chance leaves once in ${Math.floor(1 / detail.probability)} times.`;
  }
}
