import { useId, useState } from "react";
import styles from "./playground.module.css";
import { type AmountScale, parseAmount, positionOf, sliderSteps, valueAt } from "./signal-scales.ts";

type AmountProps = { scale: AmountScale; value: number | undefined; onChange: (value: number | undefined) => void };

/** A slider, a field for the exact value, and a checkbox for whether the signal was measured. */
export function AmountInput({ scale, value, onChange }: AmountProps) {
  const id = useId();
  const isMeasured = value !== undefined;
  // Kept while the signal is off, so that turning it on restores the value.
  const [last, setLast] = useState(value ?? valueAt(scale, sliderSteps / 3));
  const [typed, setTyped] = useState<string>();
  const shown = value ?? last;
  const isInvalid = typed !== undefined && parseAmount(scale, typed) === undefined;
  const set = (next: number) => {
    setLast(next);
    onChange(next);
  };
  return (
    <div className={styles.signal} data-off={!isMeasured || undefined}>
      <div className={styles.signalHead}>
        <label className={styles.measured}>
          <input
            type="checkbox"
            checked={isMeasured}
            onChange={(event) => onChange(event.currentTarget.checked ? last : undefined)}
            aria-label={`${scale.label} measured`}
          />
          <span>{scale.label}</span>
          <small className={styles.hint}>{isMeasured ? scale.hint : "not measured"}</small>
        </label>
        <input
          className={styles.number}
          type="number"
          inputMode="decimal"
          min={0}
          max={scale.valueMax}
          step={scale.kind === "fraction" ? 0.01 : scale.kind === "seconds" ? "any" : 1}
          disabled={!isMeasured}
          value={typed ?? shown}
          aria-label={`${scale.label}, exact value`}
          aria-invalid={isInvalid || undefined}
          aria-describedby={isInvalid ? `${id}-error` : undefined}
          onChange={(event) => {
            const text = event.currentTarget.value;
            setTyped(text);
            const next = parseAmount(scale, text);
            if (next !== undefined) set(next);
          }}
          onBlur={() => setTyped(undefined)}
        />
      </div>
      <input
        className={styles.range}
        type="range"
        min={0}
        max={sliderSteps}
        step={scale.kind === "fraction" ? sliderSteps / 100 : 1}
        disabled={!isMeasured}
        value={positionOf(scale, shown)}
        aria-label={scale.label}
        aria-valuetext={isMeasured ? `${shown} ${scale.kind === "fraction" ? "" : scale.hint}` : "not measured"}
        onChange={(event) => {
          setTyped(undefined);
          set(valueAt(scale, Number(event.currentTarget.value)));
        }}
      />
      {isInvalid && (
        <small id={`${id}-error`} className={styles.error}>
          {scale.kind === "fraction" ? "Enter a number from 0 to 1." : `Enter a ${scale.kind === "count" ? "whole " : ""}number from 0 to ${scale.valueMax.toLocaleString("en")}.`}
        </small>
      )}
    </div>
  );
}

const visitorChoices = [
  { label: "Returning", value: true },
  { label: "New", value: false },
  { label: "Not measured", value: undefined },
] as const;

export function VisitorInput({ value, onChange }: { value: boolean | undefined; onChange: (value: boolean | undefined) => void }) {
  const name = useId();
  return (
    <fieldset className={styles.visitor}>
      <legend>Visitor</legend>
      {visitorChoices.map((choice) => (
        <label key={choice.label}>
          <input type="radio" name={name} checked={value === choice.value} onChange={() => onChange(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
