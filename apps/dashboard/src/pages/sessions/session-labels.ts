import type { AttestationIssue, AttestedSignal } from "@assay/contract/attestation.ts";
import type { Outcome } from "@assay/contract/sessions.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import type { Recommendation } from "@assay/scoring/trust-level.ts";
import { amountScales, signalLabels } from "../../playground/signal-scales.ts";

export const outcomeLabels: Record<Outcome, { label: string; text: string }> = {
  converted: { label: "Converted", text: "bought, signed up or stayed" },
  genuine: { label: "Genuine", text: "a real person, as far as you know" },
  refunded: { label: "Refunded", text: "the purchase was refunded" },
  fraud: { label: "Fraud", text: "a person acting in bad faith" },
  bot: { label: "Bot", text: "not a person" },
};

export const outcomeNames = Object.keys(outcomeLabels) as Outcome[];

export const recommendationLabels: Record<Recommendation, string> = {
  high_value_user: "High value",
  standard_user: "Standard",
  low_value_user: "Low value",
  suspected_automation: "Suspected automation",
};

const signalNames = [...amountScales.map(({ name }) => name), "return_visitor"] as const;

/** What is to be known of a session's token. */
const issueTexts: Record<AttestationIssue, string> = {
  crowded_network: "Many sessions began in its network or on its site at about the same time, so it counts as asserted.",
  late_beats: "The page reported late; the time in between counts in part only.",
  proxied: "The page's requests came through a server, not from a browser directly.",
  origin_mismatch: "Its requests did not say which page they came from, as those of browsers do.",
  too_short: "Its page had reported for less than 3 seconds, so it counts as asserted.",
  token_expired: "Its token had expired, so it counts as asserted.",
  token_used: "The session was used for an attested call before, so it counts as asserted.",
};

/** Codes may be added: one that is not known here is shown as it is. */
export const describeIssue = (issue: string): string => (issueTexts as Readonly<Record<string, string>>)[issue] ?? issue.replaceAll("_", " ");

/** The signals, as the rest of a sentence. */
export const attestedNames = (attested: readonly AttestedSignal[]): string => attested.map((name) => signalLabels[name].toLowerCase()).join(", ");

/** The six signals with their labels, in the contract's order. */
export const signalLines = (signals: Signals): { label: string; value: string }[] =>
  signalNames.map((name) => {
    const value = signals[name];
    const text = typeof value === "boolean" ? (value ? "yes" : "no") : value?.toString();
    return { label: signalLabels[name], value: text === undefined ? "not sent" : name === "session_duration" ? `${text} s` : text };
  });
