import { signalLabels } from "./signal-scales.ts";

export type WaterfallStep = {
  key: string;
  label: string;
  points: number;
  /** Start and end of the bar, on the scale of the score. */
  from: number;
  to: number;
};

type Explanation = { baseValue: number; contributions: readonly { signal: string; points: number }[] };

const extraLabels: Record<string, string> = { plausibility: "Plausibility gate", test_scenario: "Test scenario" };

export function labelOfContribution(signal: string): string {
  return extraLabels[signal] ?? signal.split("×").map((name) => (signalLabels as Record<string, string>)[name] ?? name).join(" × ");
}

/** Each step starts where the previous one ends; the last one ends at the score. */
export function waterfallOf({ baseValue, contributions }: Explanation): WaterfallStep[] {
  let reached = baseValue;
  return contributions.map(({ signal, points }) => {
    const from = reached;
    reached += points;
    return { key: signal, label: labelOfContribution(signal), points, from, to: reached };
  });
}
