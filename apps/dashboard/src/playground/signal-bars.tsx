import { type SignalName, signalNames, type Signals } from "@assay/scoring/signals.ts";
import { formatPoints } from "./format-points.ts";
import styles from "./playground.module.css";
import { labelOfContribution } from "./waterfall.ts";

type Line = { signal: string; points: number };
type Props = { baseValue: number; bySignal: readonly Line[]; signals: Signals; unroundedScore: number };

/** The shortest scale, in points to either side, so that small points do not look large. */
const reachMin = 10;

/** To the right of the middle what is added, to the left what is taken off. */
function Bar({ points, reach }: { points: number; reach: number }) {
  return (
    <svg className={styles.bar} viewBox={`${-reach} 0 ${2 * reach} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect x={-reach} y="4.5" width={2 * reach} height="1" className={styles.barTrack} />
      <rect x={Math.min(0, points)} y="0" width={Math.abs(points)} height="10" className={points >= 0 ? styles.barUp : styles.barDown} />
      <path d="M 0 0 V 10" vectorEffect="non-scaling-stroke" className={styles.barMiddle} />
    </svg>
  );
}

/** The gate has a line of its own only if it takes something off. */
const isShown = ({ signal, points }: Line) => signal !== "plausibility" || points !== 0;

/** One bar per signal: the base value and all of them add up to the score. */
export function SignalBars({ baseValue, bySignal, signals, unroundedScore }: Props) {
  const lines = bySignal.filter(isShown);
  const reach = Math.max(reachMin, ...lines.map(({ points }) => Math.abs(points)));
  const isMissing = (signal: string) => signalNames.includes(signal as SignalName) && signals[signal as SignalName] === undefined;
  return (
    <table className={styles.contributions}>
      <caption>How the score adds up</caption>
      <thead>
        <tr>
          <th scope="col">Signal</th>
          <th scope="col"><span className={styles.axis}><span>lowers it</span><span>raises it</span></span></th>
          <th scope="col">Points</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" colSpan={2}>Base value, before the values count</th>
          <td>{baseValue.toFixed(2)}</td>
        </tr>
        {lines.map(({ signal, points }) => (
          <tr key={signal} data-missing={isMissing(signal) || undefined}>
            <th scope="row">{labelOfContribution(signal)}</th>
            <td><Bar points={points} reach={reach} /></td>
            <td>{isMissing(signal) ? "not sent" : formatPoints(points)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>Score</th>
          <td>{unroundedScore.toFixed(2)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
