import type { Block } from "./read-document.ts";

/** Matches any text, including none. */
const wildcard = "…";

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const toPattern = (text: string): RegExp => new RegExp(`^${text.split(wildcard).map(escaped).join("[\\s\\S]*?")}$`);

/** First difference between the expected and the actual value; objects may have more fields than expected. */
function findDifference(expected: unknown, actual: unknown, at: string): string | undefined {
  if (typeof expected === "string" && expected.includes(wildcard)) {
    return toPattern(expected).test(String(actual)) ? undefined : `${at} is ${JSON.stringify(actual)}, not ${expected}`;
  }
  if (typeof expected !== "object" || expected === null) {
    return Object.is(expected, actual) ? undefined : `${at} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`;
  }
  if (typeof actual !== "object" || actual === null) return `${at} is ${JSON.stringify(actual)}`;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return `${at} has ${String((actual as unknown[]).length)} items`;
  for (const [name, value] of Object.entries(expected)) {
    const difference = findDifference(value, (actual as Record<string, unknown>)[name], `${at}.${name}`);
    if (difference) return difference;
  }
  return undefined;
}

/** Whether one of the lines that were printed is the one of a `shown` block. */
export const hasLine = (block: Block, printed: string): boolean => printed.split("\n").some((line) => toPattern(block.text.trim()).test(line.trimEnd()));

/** How the output of a command differs from the `answer` block after it, or undefined. */
export function findMismatch(block: Block, printed: string): string | undefined {
  if (block.language === "json") return findDifference(JSON.parse(block.text), JSON.parse(printed), "the answer");
  const trimmed = (text: string) => text.trim().split("\n").map((line) => line.trimEnd()).join("\n");
  return toPattern(trimmed(block.text)).test(trimmed(printed)) ? undefined : `it printed\n${printed}\ninstead of\n${block.text}`;
}
