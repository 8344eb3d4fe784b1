import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import { formatCount } from "./format.ts";

type Band = { from: number; to: number; count: number };

const height = 120;
const bandWidth = 40;
const gap = 6;

/** One bar per band, in the colour of its trust level. */
export function Histogram({ bands, label }: { bands: readonly Band[]; label: string }) {
  const countMax = Math.max(1, ...bands.map(({ count }) => count));
  const width = bands.length * bandWidth;
  const summary = bands.filter(({ count }) => count > 0).map(({ from, to, count }) => `${from} to ${to}: ${formatCount(count)}`).join(", ");
  return (
    <svg className="histogram" viewBox={`0 0 ${width} ${height + 22}`} role="img" aria-label={`${label}. ${summary === "" ? "None yet." : summary}`}>
      {bands.map(({ from, to, count }, index) => {
        const barHeight = count === 0 ? 2 : Math.max(4, (count / countMax) * height);
        return (
          <g key={from}>
            <rect
              x={index * bandWidth + gap / 2}
              y={height - barHeight}
              width={bandWidth - gap}
              height={barHeight}
              rx="3"
              data-level={count === 0 ? "none" : trustLevelOf(from)}
            >
              <title>{`${from} to ${to}: ${formatCount(count)}`}</title>
            </rect>
            <text x={index * bandWidth + bandWidth / 2} y={height + 16}>{from}</text>
          </g>
        );
      })}
    </svg>
  );
}
