import type { ReasonCode as GateReasonCode } from "./artefact.ts";
import { signalNames } from "./signals.ts";
import type { SignalName } from "./signals.ts";

/** Codes are stable; messages are for people and may change. */
export type Reason = { code: string; message: string };

const gateMessages: Record<GateReasonCode, string> = {
  too_many_interactions_per_second: "More interactions per second than people manage.",
  too_many_pages_per_second: "More pages per second than people can look at.",
  too_many_interactions_per_page: "More interactions per page than people make.",
  too_many_interactions: "More interactions than any person's session holds.",
  too_many_pages: "More pages than any person's session holds.",
  session_too_long: "The session lasts longer than people stay.",
};

const signalTexts: Record<SignalName, string> = {
  user_engagement: "Engagement",
  session_duration: "The length of the session",
  scroll_depth: "Scroll depth",
  interaction_count: "The number of interactions",
  page_views: "The number of pages",
  return_visitor: "Returning or not",
};

export const gateReason = (code: GateReasonCode): Reason => ({ code, message: gateMessages[code] });

export const missingSignalsReason: Reason = {
  code: "missing_signals",
  message: "Signals that were not sent could change the level: the confidence says how likely it is to stay.",
};

/** A signal is mentioned if it moves the score by at least this much. */
const pointsMin = 1;
const reasonsMax = 3;

/** The signals that moved the score most, `*_raises_score` or `*_lowers_score`. */
export function signalReasons(points: ReadonlyMap<SignalName, number>): Reason[] {
  return signalNames
    .map((name) => ({ name, points: points.get(name) ?? 0 }))
    .filter((each) => Math.abs(each.points) >= pointsMin)
    .toSorted((left, right) => Math.abs(right.points) - Math.abs(left.points))
    .slice(0, reasonsMax)
    .map(({ name, points: moved }) => {
      const amount = Math.abs(moved).toFixed(1);
      return moved > 0
        ? { code: `${name}_raises_score`, message: `${signalTexts[name]} adds ${amount} points.` }
        : { code: `${name}_lowers_score`, message: `${signalTexts[name]} takes ${amount} points off.` };
    });
}
