import type { OwnCalibrationReply } from "@assay/contract/dashboard/calibration.ts";

type Bin = NonNullable<OwnCalibrationReply["preview"]["fitted"]>["before"]["bins"][number];

const size = 200;
const margin = 44;
const dotMin = 2.5;
const dotScale = 9;

const x = (said: number) => margin + said * size;
const y = (seen: number) => 10 + (1 - seen) * size;
const ticks = [0, 0.5, 1];

/** What scores say against what was seen: on the diagonal they agree. A dot's area is its share of the sessions. */
export function ReliabilityPlot({ label, bins }: { label: string; bins: readonly Bin[] }) {
  const summary = bins.map(({ said, seen }) => `${Math.round(said * 100)}: ${Math.round(seen * 100)} %`).join(", ");
  return (
    <figure className="reliability">
      <figcaption>{label}</figcaption>
      <svg viewBox={`0 0 ${size + margin + 10} ${size + 44}`} role="img" aria-label={`${label}. Share of good outcomes by score: ${summary}.`}>
        <rect x={margin} y={10} width={size} height={size} />
        <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        {ticks.map((tick) => (
          <g key={tick}>
            <text x={x(tick)} y={size + 26} textAnchor="middle">{tick * 100}</text>
            <text x={margin - 6} y={y(tick) + 4} textAnchor="end">{tick * 100} %</text>
          </g>
        ))}
        <text x={x(0.5)} y={size + 41} textAnchor="middle">score</text>
        <polyline points={bins.map(({ said, seen }) => `${x(said)},${y(seen)}`).join(" ")} />
        {bins.map(({ said, seen, weight }) => (
          <circle key={said} cx={x(said)} cy={y(seen)} r={Math.max(dotMin, dotScale * Math.sqrt(weight))}>
            <title>{`Mean score ${(said * 100).toFixed(1)}: ${(seen * 100).toFixed(1)} % good`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  );
}
