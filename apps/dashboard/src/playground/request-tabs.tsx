import type { Signals } from "@assay/scoring/signals.ts";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { CodeBlock } from "./code-block.tsx";
import styles from "./playground.module.css";
import { codeLanguages, requestCode } from "./request-code.ts";

/** Arrow keys move between the tabs. */
export function RequestTabs({ signals, address }: { signals: Signals; address: string }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const language = codeLanguages[chosen] ?? "curl";
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = (chosen + step + codeLanguages.length) % codeLanguages.length;
    setChosen(next);
    tabs.current[next]?.focus();
  };
  return (
    <div className={styles.request}>
      <div role="tablist" aria-label="Language" className={styles.tabs} onKeyDown={move}>
        {codeLanguages.map((name, index) => (
          <button
            key={name}
            ref={(element) => {
              tabs.current[index] = element;
            }}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            aria-selected={index === chosen}
            aria-controls={`${id}-code`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-code`} aria-labelledby={`${id}-${language}`}>
        <CodeBlock code={requestCode(language, { address, signals })} label={`Request in ${language}`} />
      </div>
    </div>
  );
}
