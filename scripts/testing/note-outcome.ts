// A reporter of node:test that notes, as one line of JSON, how many tests passed, and the files in which one failed.
import type { TestEvent } from "node:test/reporters";

export type Outcome = { passed: number; failed: number; skipped: number; failedFiles: string[] };

export const nothingRan: Outcome = { passed: 0, failed: 0, skipped: 0, failedFiles: [] };

/** The last summary is that of all files together. A file that crashes has none of its own, but fails by its name. */
// oxlint-disable-next-line import/no-default-export -- node:test loads a reporter by its default export
export default async function* noteOutcome(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failedFiles = new Set<string>();
  let outcome = nothingRan;
  for await (const { type, data } of events) {
    if (type === "test:fail" && data.file !== undefined && data.todo === undefined) failedFiles.add(data.file);
    if (type !== "test:summary" || data.file !== undefined) continue;
    const { tests, passed, skipped, todo } = data.counts;
    outcome = { passed, failed: tests - passed - skipped - todo, skipped, failedFiles: [] };
  }
  yield `${JSON.stringify({ ...outcome, failedFiles: [...failedFiles].toSorted() } satisfies Outcome)}\n`;
}
