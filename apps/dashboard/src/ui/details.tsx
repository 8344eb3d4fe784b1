import type { ReactNode } from "react";

/** What few people need to read, behind a line that opens it. */
export function Details({ summary, children }: { summary: string; children: ReactNode }) {
  return (
    <details className="details">
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
