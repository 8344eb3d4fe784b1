import type { Mutant } from "./mutant.ts";

export type Verdict = { kind: "killed" } | { kind: "lived" } | { kind: "stale"; why: string };

/** The text as a regular expression that matches it and nothing else. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** One part a day: all of them would take hours. */
export const partCount = 20;

/** Every twentieth mutant from the Nth on, so that each part has some of every wing. */
export const partOf = (mutants: readonly Mutant[], part: number): Mutant[] => mutants.filter((_, index) => index % partCount === part);

/**
 * Reads the outcome of the one test out of TAP. A mutant that only breaks the test file's loading kills nothing: then
 * the file fails, but no test of that title.
 */
export function readVerdict(tap: string, title: string): Verdict {
  const escaped = title.replaceAll("\\", "\\\\").replaceAll("#", "\\#");
  const outcomes = [...tap.matchAll(/^ *(ok|not ok) \d+ - (.*?)( # (?:SKIP|TODO).*)?$/gm)].filter(([, , name]) => name === escaped);
  if (outcomes.some(([, outcome]) => outcome === "not ok")) return { kind: "killed" };
  if (outcomes.some(([, , , skipped]) => skipped === undefined)) return { kind: "lived" };
  return { kind: "stale", why: outcomes.length > 0 ? "its test was skipped" : "no test of that title ran" };
}
