import type { Block } from "./read-document.ts";

/** In what a document shows: anything, or nothing. */
const anything = "…";

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
const toPattern = (text: string): RegExp => new RegExp(`^${text.split(anything).map(escaped).join("[\\s\\S]*?")}$`);

/** Whether a document that promised one thing may be followed by the other: objects may say more. */
function findDifference(promised: unknown, given: unknown, at: string): string | undefined {
  if (typeof promised === "string" && promised.includes(anything)) {
    return toPattern(promised).test(String(given)) ? undefined : `${at} is ${JSON.stringify(given)}, not ${promised}`;
  }
  if (typeof promised !== "object" || promised === null) {
    return Object.is(promised, given) ? undefined : `${at} is ${JSON.stringify(given)}, not ${JSON.stringify(promised)}`;
  }
  if (typeof given !== "object" || given === null) return `${at} is ${JSON.stringify(given)}`;
  if (Array.isArray(promised) && promised.length !== (given as unknown[]).length) return `${at} has ${String((given as unknown[]).length)} items`;
  for (const [name, value] of Object.entries(promised)) {
    const difference = findDifference(value, (given as Record<string, unknown>)[name], `${at}.${name}`);
    if (difference) return difference;
  }
  return undefined;
}

/** What an `answer` block promises of the output before it and the output does not keep. */
export function findBrokenPromise(block: Block, printed: string): string | undefined {
  if (block.language === "json") return findDifference(JSON.parse(block.text), JSON.parse(printed), "the answer");
  const tidy = (text: string) => text.trim().split("\n").map((line) => line.trimEnd()).join("\n");
  return toPattern(tidy(block.text)).test(tidy(printed)) ? undefined : `it printed\n${printed}\nand not\n${block.text}`;
}
