import { trustLevels, type TrustLevel } from "@assay/scoring/trust-level.ts";
import { formatCount, formatPercent } from "./format.ts";
import { LevelBadge } from "./level-badge.tsx";

export function LevelMix({ levels }: { levels: Record<TrustLevel, number> }) {
  const total = levels.high + levels.medium + levels.low;
  const shareOf = (level: TrustLevel) => (total === 0 ? 0 : levels[level] / total);
  let reached = 0;
  return (
    <div className="level-mix">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        {trustLevels.map((level) => {
          const x = reached;
          reached += shareOf(level) * 100;
          return <rect key={level} x={x} y="0" width={shareOf(level) * 100} height="6" data-level={level} />;
        })}
      </svg>
      <dl>
        {trustLevels.map((level) => (
          <div key={level}>
            <dt><LevelBadge level={level} /></dt>
            <dd><strong>{formatPercent(shareOf(level))}</strong> <span>{formatCount(levels[level])}</span></dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
