import { trustThresholds, type TrustLevel } from "@assay/scoring/trust-level.ts";
import styles from "./playground.module.css";

const radius = 84;
const centre = { x: 100, y: 100 };

function pointAt(score: number, distance: number): string {
  const angle = Math.PI * (1 - score / 100);
  return `${(centre.x + distance * Math.cos(angle)).toFixed(2)} ${(centre.y - distance * Math.sin(angle)).toFixed(2)}`;
}

const arc = (from: number, to: number, distance: number): string =>
  `M ${pointAt(from, distance)} A ${distance} ${distance} 0 0 1 ${pointAt(to, distance)}`;

const levelTexts: Record<TrustLevel, string> = { high: "High trust", medium: "Medium trust", low: "Low trust" };

type GaugeProps = { score: number; level: TrustLevel; confidence: number; interval?: readonly number[] | undefined };

export function ScoreGauge({ score, level, confidence, interval }: GaugeProps) {
  const [low = score, high = score] = interval ?? [];
  // Rounded down: only what is certain is 100 %.
  const percent = Math.floor(confidence * 100);
  return (
    <div className={styles.gauge} data-level={level}>
      <svg viewBox="0 0 200 112" role="img" aria-label={`Score ${score.toFixed(1)} of 100: ${levelTexts[level]}`}>
        <path d={arc(0, 100, radius)} className={styles.gaugeTrack} />
        {score > 0.4 && <path d={arc(0, score, radius)} className={styles.gaugeValue} />}
        {high - low > 0.4 && <path d={arc(low, high, radius - 13)} className={styles.gaugeInterval} />}
        {Object.values(trustThresholds).map((threshold) => (
          <path key={threshold} d={`M ${pointAt(threshold, radius - 9)} L ${pointAt(threshold, radius + 9)}`} className={styles.gaugeMark} />
        ))}
        <text x={centre.x} y={92} className={styles.gaugeScore}>{score.toFixed(1)}</text>
      </svg>
      <p className={styles.level}>{levelTexts[level]}</p>
      <dl className={styles.facts}>
        <div>
          <dt>Confidence</dt>
          <dd>{percent}%</dd>
        </div>
        {interval && (
          <div>
            <dt>90% interval</dt>
            <dd>{low.toFixed(1)} – {high.toFixed(1)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
