import { networkQuota } from "@assay/contract/attestation.ts";
import type { Outcome } from "./attack.ts";
import type { AttestedRun } from "./run-attested.ts";

const wantedPerHour = 1_000;
const nothing = "–";

const describeIssues = (issues: Outcome["issues"]): string =>
  issues.size === 0 ? "nothing" : [...issues].toSorted(([, left], [, right]) => right - left).map(([issue, count]) => `${issue} ${count}`).join(", ");

function describeOutcome({ name, networks, attempted, accepted, perHour, secondsPerAccepted, issues, forbidden, note }: Outcome): string {
  // One network gives what its hourly quota is, however many sessions are tried.
  const needed = perHour === undefined ? nothing : String(Math.ceil(wantedPerHour / networkQuota.perHour));
  const cells = [
    name,
    networks,
    attempted,
    accepted,
    forbidden === 0 ? "0" : `**${forbidden}**`,
    perHour === undefined ? nothing : perHour,
    needed,
    secondsPerAccepted === undefined ? nothing : secondsPerAccepted.toFixed(1),
    describeIssues(issues) + (note === undefined ? "" : ` (${note})`),
  ];
  return `| ${cells.join(" | ")} |`;
}

export const countForbidden = ({ outcomes }: AttestedRun): number => outcomes.reduce((sum, { forbidden }) => sum + forbidden, 0);

export function describeAttested(run: AttestedRun, { seconds }: { seconds: number }): string {
  const forbidden = countForbidden(run);
  return [
    `Forgers of attested sessions, against a service in a process of its own, over HTTP and in real time. Attacks at a rate lasted ${seconds} s.`,
    "Simulated: the networks, by a trusted proxy's X-Forwarded-For. Measured: everything but the column \"an hour\", which follows from",
    `the rate and the published quotas (${networkQuota.perMinute} sessions a minute and ${networkQuota.perHour} an hour per network). "Forbidden": accepted beyond the rules.`,
    "",
    `| attacker | networks | sessions tried | accepted | forbidden | accepted an hour, computed | networks for ${wantedPerHour} an hour | seconds per accepted session | flagged or refused |`,
    "|---|---|---|---|---|---|---|---|---|",
    ...run.outcomes.map(describeOutcome),
    "",
    ...run.skipped.map(({ name, why }) => `Skipped: ${name} (${why}).`),
    forbidden === 0 ? "Nothing was accepted beyond the rules." : `ACCEPTED BEYOND THE RULES: ${forbidden}.`,
    "",
  ].join("\n");
}
