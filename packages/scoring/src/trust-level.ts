/** Lowest score of each level, compared with the score as shown, rounded to one decimal. */
export const trustThresholds = { high: 70, medium: 40 } as const;

export type TrustLevel = "high" | "medium" | "low";

export const trustLevels = ["high", "medium", "low"] as const satisfies readonly TrustLevel[];

/** Recommended treatment of the session. */
export const recommendations = [
  "high_value_user",
  "standard_user",
  "low_value_user",
  "suspected_automation",
] as const;

export type Recommendation = (typeof recommendations)[number];

export function trustLevelOf(serviceScore: number): TrustLevel {
  if (serviceScore >= trustThresholds.high) return "high";
  return serviceScore >= trustThresholds.medium ? "medium" : "low";
}

/** `implausible`: the plausibility gate considers the session impossible for a person. */
export function recommendationOf(level: TrustLevel, implausible: boolean): Recommendation {
  if (implausible) return "suspected_automation";
  if (level === "high") return "high_value_user";
  return level === "medium" ? "standard_user" : "low_value_user";
}
