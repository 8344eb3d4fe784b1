import type { DriftLine, DriftReply } from "@assay/contract/dashboard/drift.ts";
import { signalLabels } from "../../playground/signal-scales.ts";
import { formatCount, formatPercent, formatStatistic, formatUtcDay } from "../../ui/format.ts";

export const driftNameOf = (name: DriftLine["name"]): string => (name === "service_score" ? "Score" : signalLabels[name]);

/** A value as the signal is measured: seconds, a share of visitors, points. */
export function formatDriftValue(name: DriftLine["name"], value: number): string {
  if (name === "session_duration") return `${formatStatistic(value)} s`;
  if (name === "return_visitor") return formatPercent(value);
  return formatStatistic(value);
}

function describeValues({ name, median, median_before: before }: DriftLine): string {
  const now = median === null ? "none" : formatDriftValue(name, median);
  const then = before === null ? "none" : formatDriftValue(name, before);
  return name === "return_visitor" ? `${now} of the visitors return, ${then} before` : `median ${now}, ${then} before`;
}

const describeMissing = ({ missing, missing_before: before }: DriftLine): string => `missing in ${formatPercent(missing)} of the sessions, ${formatPercent(before)} before`;

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** What is to be said of one signal, or of the score. */
export function describeDriftLine(line: DriftLine, scaleChangedOn: string | null): string {
  if (line.why === "never_sent") return "Never sent.";
  if (line.why === "scale_changed") return `Not compared: the model or your calibration changed on ${formatUtcDay(scaleChangedOn!)}, and scores of both cannot be compared.`;
  if (line.aspect === "missing") return capital(describeMissing(line));
  if (line.aspect === "shape") return capital(`spread differently: ${describeValues(line)}`);
  return capital(describeValues(line));
}

/** One sentence for all lines. */
export function summariseDrift({ lines }: DriftReply): string {
  const changed = lines.filter(({ state }) => state === "changed").length;
  return changed === 0 ? "As usual" : `${changed} of ${lines.length} changed`;
}

/** Why nothing is compared. */
export function explainNoDrift({ state, sessions_min: sessionsMin, week }: DriftReply): string {
  if (state === "too_young") return "The comparison begins after five weeks with live sessions.";
  if (state === "too_few") return `The comparison needs ${formatCount(sessionsMin)} live sessions in each of five weeks; the last one had ${formatCount(week.sessions)}. With fewer, most differences are chance.`;
  return "Older sessions are still being summed up. Reload in a minute.";
}
