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

/** The six signals with their labels, in the contract's order. */
export const signalLines = (signals: Signals): { label: string; value: string }[] =>
  signalNames.map((name) => {
    const value = signals[name];
    const text = typeof value === "boolean" ? (value ? "yes" : "no") : value?.toString();
    return { label: signalLabels[name], value: text === undefined ? "not sent" : name === "session_duration" ? `${text} s` : text };
  });
