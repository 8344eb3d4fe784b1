import type { TrustLevel } from "@assay/scoring/trust-level.ts";

export const levelNames: Record<TrustLevel, string> = { high: "High", medium: "Medium", low: "Low" };

export function LevelBadge({ level }: { level: TrustLevel }) {
  return <span className="level-badge" data-level={level}>{levelNames[level]}</span>;
}
