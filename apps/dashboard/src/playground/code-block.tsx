import { useEffect, useState } from "react";
import styles from "./playground.module.css";

const copiedMs = 1_600;

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), copiedMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(() => setState("copied"), () => setState("refused"));
  };
  return (
    <button type="button" className={styles.copy} onClick={copy}>
      <span aria-live="polite">{state === "copied" ? "Copied" : state === "refused" ? "Copy failed. Select the text." : label}</span>
    </button>
  );
}

/** Code that can be copied. It scrolls by itself and can be focused to do so. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.code}>
      <pre tabIndex={0} role="region" aria-label={label}><code>{code}</code></pre>
      <CopyButton text={code} />
    </div>
  );
}
