import { formatStatistic } from "./format.ts";
import styles from "./pictures.module.css";
import { gaugePosition, gaugeThresholdAt } from "./scales.ts";

/** A statistic against the threshold that it crossed, or did not. */
export function Gauge({ statistic, threshold }: { statistic: number; threshold: number }) {
  const isOver = statistic >= threshold;
  return (
    <div className={styles.gauge} role="img" aria-label={`${formatStatistic(statistic)}, threshold ${formatStatistic(threshold)}`}>
      <div className={styles.track}>
        <div className={styles.reached} data-over={isOver} style={{ width: `${100 * gaugePosition(statistic, threshold)}%` }} />
        <div className={styles.mark} style={{ left: `${100 * gaugeThresholdAt}%` }} />
      </div>
      <div className={styles.gaugeTexts}>
        <span>found <strong>{formatStatistic(statistic)}</strong></span>
        <span className={styles.markText} style={{ left: `${100 * gaugeThresholdAt}%` }}>threshold {formatStatistic(threshold)}</span>
      </div>
    </div>
  );
}
