import { formatPoints } from "./format-points.ts";
import styles from "./playground.module.css";
import { waterfallOf } from "./waterfall.ts";

type Props = {
  baseValue: number;
  contributions: readonly { signal: string; points: number }[];
  unroundedScore: number;
};

type Span = { from: number; to: number };

/** SVG, because its widths are attributes and need no inline style. */
function Bar({ from, to, scale }: Span & { scale: Span }) {
  const start = Math.min(from, to);
  return (
    <svg className={styles.bar} viewBox={`${scale.from} 0 ${scale.to - scale.from} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect x={scale.from} y="4.5" width={scale.to - scale.from} height="1" className={styles.barTrack} />
      <rect x={start} y="0" width={Math.max(Math.abs(to - from), 0.4)} height="10" className={to >= from ? styles.barUp : styles.barDown} />
    </svg>
  );
}

export function ContributionTable({ baseValue, contributions, unroundedScore }: Props) {
  const steps = waterfallOf({ baseValue, contributions });
  // Intermediate sums can go above 100 or below 0 before the last step.
  const reached = steps.map(({ to }) => to);
  const scale = { from: Math.min(0, ...reached), to: Math.max(100, ...reached) };
  return (
    <table className={styles.contributions}>
      <caption>Every contribution</caption>
      <thead>
        <tr>
          <th scope="col">Signal</th>
          <th scope="col"><span className={styles.axis}><span>{scale.from.toFixed(0)}</span><span>{scale.to.toFixed(0)}</span></span></th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Base value</th>
          <td><Bar from={0} to={baseValue} scale={scale} /></td>
          <td>{baseValue.toFixed(2)}</td>
        </tr>
        {steps.map((step) => (
          <tr key={step.key} data-pair={step.key.includes("×") || undefined}>
            <th scope="row">{step.label}</th>
            <td><Bar from={step.from} to={step.to} scale={scale} /></td>
            <td>{formatPoints(step.points)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Score</th>
          <td><Bar from={0} to={unroundedScore} scale={scale} /></td>
          <td>{unroundedScore.toFixed(2)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
