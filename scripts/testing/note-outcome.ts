// A reporter of node:test that notes one line of JSON per test file in the file that ASSAY_TEST_OUTCOME names: see
// test-process.ts, which makes each file a suite.
import { appendFileSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";

/** `todo`: what is to be done, with how. `skipped`: how many tests or suites were skipped, by reason. */
export type FileOutcome = { file: string; ms: number; passed: number; failed: number; todo: string[]; skipped: Record<string, number> };

const noted = process.env.ASSAY_TEST_OUTCOME;

const emptyOutcome = () => ({ passed: 0, failed: 0, todo: [] as string[], skipped: {} as Record<string, number> });

// oxlint-disable-next-line import/no-default-export -- node:test loads a reporter by its default export
export default async function* noteOutcome(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let counts = emptyOutcome();
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const isTest = data.details.type !== "suite";
    if (data.skip !== undefined && data.skip !== false) {
      const reason = String(data.skip);
      counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1;
    } else if (data.todo !== undefined && data.todo !== false) counts.todo.push(`${data.name} (${String(data.todo)})`);
    else if (isTest && type === "test:pass") counts.passed += 1;
    else if (isTest) counts.failed += 1;
    if (data.nesting > 0) continue;
    // The file's own suite also fails by its hooks, and when it cannot be loaded.
    if (type === "test:fail" && counts.failed === 0) counts.failed = 1;
    const outcome = { file: data.name, ms: data.details.duration_ms, ...counts } satisfies FileOutcome;
    if (noted !== undefined) appendFileSync(noted, `${JSON.stringify(outcome)}\n`);
    counts = emptyOutcome();
  }
  yield "";
}
