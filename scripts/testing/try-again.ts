import type { Outcome } from "./note-outcome.ts";

/** More files than this do not fail by chance. */
export const filesMax = 6;

export type Verdict = { ok: boolean; remark: string };

const textOf = ({ passed, failed, skipped }: Outcome): string => `${passed} passed, ${failed} failed, ${skipped} skipped`;
const filesText = (files: readonly string[]): string => files.join(", ");

/**
 * In CI, where another machine's load may end a browser's or a server's patience, a file that fails runs once more, by
 * itself. What passes then is named as unsteady and is no failure; what fails twice is one.
 */
export async function judgeTests(first: { outcome: Outcome; ok: boolean }, options: { isCi: boolean; runAgain: (file: string) => Promise<{ outcome: Outcome; ok: boolean }> }): Promise<Verdict> {
  const { outcome, ok } = first;
  const { isCi, runAgain } = options;
  if (outcome.passed + outcome.failed + outcome.skipped === 0) return { ok: false, remark: "no tests ran" };
  if (isCi && outcome.skipped > 0) return { ok: false, remark: `${textOf(outcome)}; with CI=true no test may be skipped` };
  const { failedFiles } = outcome;
  if (ok || !isCi || failedFiles.length === 0 || failedFiles.length > filesMax) return { ok, remark: textOf(outcome) };
  const stillFailing: string[] = [];
  for (const file of failedFiles) {
    const again = await runAgain(file);
    if (!again.ok || again.outcome.passed === 0 || again.outcome.skipped > 0) stillFailing.push(file);
  }
  const unsteady = failedFiles.filter((file) => !stillFailing.includes(file));
  const remarks = [
    textOf(outcome),
    ...(unsteady.length === 0 ? [] : [`unsteady, passed when run again: ${filesText(unsteady)}`]),
    ...(stillFailing.length === 0 ? [] : [`failed twice: ${filesText(stillFailing)}`]),
  ];
  return { ok: stillFailing.length === 0, remark: remarks.join("; ") };
}
