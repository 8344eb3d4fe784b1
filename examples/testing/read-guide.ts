import { readFileSync } from "node:fs";

/** One fenced block of a document: ```LANGUAGE WORD … The words say what a test does with it: run, settings, answer, in-checkout, file=NAME. */
export type Block = { language: string; words: string[]; text: string };

export function readBlocks(file: string): Block[] {
  const found = readFileSync(file, "utf8").matchAll(/^```(\S+)(.*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", words = "", text = ""]) => ({ language, words: words.trim().split(/\s+/).filter(Boolean), text }));
}

/** What an `answer` block promises of the output before it: each of its fields, or its text. */
export function findBrokenPromise(block: Block, printed: string): string | undefined {
  if (block.language !== "json") return printed.trim() === block.text.trim() ? undefined : `printed ${printed}, not ${block.text}`;
  const promised = JSON.parse(block.text) as Record<string, unknown>;
  const answer = JSON.parse(printed) as Record<string, unknown>;
  const broken = Object.keys(promised).find((name) => answer[name] !== promised[name]);
  return broken && `${broken} is ${JSON.stringify(answer[broken])}, not ${JSON.stringify(promised[broken])}`;
}
