import { currentModel } from "@assay/scoring/current-model.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import { type ReactNode, useState } from "react";
import styles from "./playground.module.css";
import { RequestTabs } from "./request-tabs.tsx";
import { ScoreExplanation } from "./score-explanation.tsx";
import { ScoreGauge } from "./score-gauge.tsx";
import { AmountInput, VisitorInput } from "./signal-input.tsx";
import { amountScales, presets } from "./signal-scales.ts";

type Props = {
  address: string;
  /** Shown below the request: on the dashboard, the button that sends it. */
  children?: (signals: Signals) => ReactNode;
};

/** Leaves out undefined signals: they were not measured, so they are not sent. */
function withSignal(signals: Signals, name: keyof Signals, value: number | boolean | undefined): Signals {
  const { [name]: _replaced, ...others } = signals;
  return value === undefined ? others : { ...others, [name]: value };
}

function Presets({ onChoose }: { onChoose: (signals: Signals) => void }) {
  return (
    <div className={styles.presets} role="group" aria-label="Examples">
      {presets.map(({ name, signals }) => (
        <button key={name} type="button" onClick={() => onChoose(signals)}>{name}</button>
      ))}
    </div>
  );
}

/** Runs the real model in the browser. Nothing is sent or billed. */
export function Playground({ address, children }: Props) {
  const [signals, setSignals] = useState<Signals>(presets[0].signals);
  // Inputs remember their last value while they are off. A new generation remounts them, so that a preset replaces it.
  const [generation, setGeneration] = useState(0);
  const explanation = currentModel.explain(signals);
  const { serviceScore, trustLevel, confidence, interval, reasons } = explanation;
  const change = (name: keyof Signals) => (value: number | boolean | undefined) =>
    setSignals((current) => withSignal(current, name, value));
  const choose = (chosen: Signals) => {
    setSignals(chosen);
    setGeneration((current) => current + 1);
  };
  return (
    <div className={styles.playground}>
      <section className={styles.panel} aria-label="Signals" key={generation}>
        <Presets onChoose={choose} />
        {amountScales.map((scale) => (
          <AmountInput key={scale.name} scale={scale} value={signals[scale.name]} onChange={change(scale.name)} />
        ))}
        <VisitorInput value={signals.return_visitor} onChange={change("return_visitor")} />
      </section>
      <section className={styles.panel} aria-label="Score">
        <ScoreGauge score={serviceScore} level={trustLevel} confidence={confidence} interval={interval} />
        {reasons.length > 0 && (
          <ul className={styles.reasons} aria-label="Reasons">
            {reasons.map(({ code, message }) => <li key={code}>{message}</li>)}
          </ul>
        )}
      </section>
      <section className={`${styles.panel} ${styles.wide}`} aria-label="Explanation">
        <ScoreExplanation {...explanation} signals={signals} level={trustLevel} />
      </section>
      <section className={`${styles.panel} ${styles.wide}`} aria-label="Request">
        <RequestTabs signals={signals} address={address} />
        {children?.(signals)}
      </section>
    </div>
  );
}
