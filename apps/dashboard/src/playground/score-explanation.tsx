import type { Signals } from "@assay/scoring/signals.ts";
import type { TrustLevel } from "@assay/scoring/trust-level.ts";
import { useId } from "react";
import { ContributionTable } from "./contribution-table.tsx";
import { describeRaise, type Raise } from "./describe-raise.ts";
import styles from "./playground.module.css";
import { SignalBars } from "./signal-bars.tsx";

type Props = {
  signals: Signals;
  level: TrustLevel;
  baseValue: number;
  contributions: readonly { signal: string; points: number }[];
  bySignal: readonly { signal: string; points: number }[];
  wouldRaise: readonly Raise[];
  unroundedScore: number;
};

const levelAbove = { low: "medium", medium: "high" } as const;

function WouldRaise({ level, wouldRaise }: { level: "low" | "medium"; wouldRaise: readonly Raise[] }) {
  const id = useId();
  return (
    <div className={styles.raises}>
      <p id={id}>What would raise it</p>
      {wouldRaise.length === 0 ? (
        <p>No change of one signal alone would lift it to {levelAbove[level]}.</p>
      ) : (
        <ul aria-labelledby={id}>
          {wouldRaise.map((raise) => <li key={raise.signal}>{describeRaise(raise)}</li>)}
        </ul>
      )}
    </div>
  );
}

/** Six bars first, then what would raise the score, and the full sum behind a fold. */
export function ScoreExplanation({ signals, level, baseValue, contributions, bySignal, wouldRaise, unroundedScore }: Props) {
  return (
    <>
      <SignalBars baseValue={baseValue} bySignal={bySignal} signals={signals} unroundedScore={unroundedScore} />
      {level !== "high" && <WouldRaise level={level} wouldRaise={wouldRaise} />}
      <details className={styles.fold}>
        <summary>The full sum, with what signals add in pairs</summary>
        <ContributionTable baseValue={baseValue} contributions={contributions} unroundedScore={unroundedScore} />
      </details>
    </>
  );
}
