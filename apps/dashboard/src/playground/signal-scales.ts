import type { SignalName, Signals } from "@assay/scoring/signals.ts";

/** A numeric signal with a slider. Sliders for seconds and counts are logarithmic: 5 to 10 matters as much as 500 to 1000. */
export type AmountScale = {
  name: Exclude<SignalName, "return_visitor">;
  label: string;
  hint: string;
  kind: "fraction" | "seconds" | "count";
  sliderMax: number;
  /** The API's limit. */
  valueMax: number;
  required: boolean;
};

export const sliderSteps = 1_000;

const countMax = 2_147_483_647;

export const amountScales: readonly AmountScale[] = [
  { name: "user_engagement", label: "Engagement", hint: "share of time the visitor was active", kind: "fraction", sliderMax: 1, valueMax: 1, required: true },
  { name: "session_duration", label: "Duration", hint: "seconds", kind: "seconds", sliderMax: 7_200, valueMax: 31_536_000, required: true },
  { name: "scroll_depth", label: "Scroll depth", hint: "furthest point reached", kind: "fraction", sliderMax: 1, valueMax: 1, required: false },
  { name: "interaction_count", label: "Interactions", hint: "clicks and taps", kind: "count", sliderMax: 2_000, valueMax: countMax, required: false },
  { name: "page_views", label: "Page views", hint: "pages seen", kind: "count", sliderMax: 300, valueMax: countMax, required: false },
];

export const signalLabels: Record<SignalName, string> = {
  user_engagement: "Engagement",
  session_duration: "Duration",
  scroll_depth: "Scroll depth",
  interaction_count: "Interactions",
  page_views: "Page views",
  return_visitor: "Returning visitor",
};

/** The slider position for a value, from 0 to sliderSteps. */
export function positionOf(scale: AmountScale, value: number): number {
  const share = scale.kind === "fraction" ? value / scale.sliderMax : Math.log1p(value) / Math.log1p(scale.sliderMax);
  return Math.round(Math.min(1, Math.max(0, share)) * sliderSteps);
}

export function valueAt(scale: AmountScale, position: number): number {
  const share = position / sliderSteps;
  if (scale.kind === "fraction") return Math.round(share * scale.sliderMax * 100) / 100;
  return Math.round(Math.expm1(share * Math.log1p(scale.sliderMax)));
}

/** The typed value, or undefined if the API would reject it. */
export function parseAmount(scale: AmountScale, text: string): number | undefined {
  if (text.trim() === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || value > scale.valueMax) return undefined;
  return scale.kind === "count" && !Number.isInteger(value) ? undefined : value;
}

export type Preset = { name: string; signals: Signals };

export const presets: readonly [Preset, ...Preset[]] = [
  {
    name: "Engaged reader",
    signals: { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true },
  },
  {
    name: "Quick bounce",
    signals: { user_engagement: 0.15, session_duration: 4, scroll_depth: 0.1, interaction_count: 0, page_views: 1, return_visitor: false },
  },
  {
    name: "Scraper",
    signals: { user_engagement: 0.05, session_duration: 20, scroll_depth: 0, interaction_count: 900, page_views: 180, return_visitor: false },
  },
  { name: "Few signals", signals: { user_engagement: 0.5, session_duration: 60 } },
];

/** The labels of missing signals that the API requires. The model itself works without them. */
export function missingRequired(signals: Signals): string[] {
  return amountScales.filter(({ name, required }) => required && signals[name] === undefined).map(({ label }) => label);
}
