import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const root = dirname(dirname(import.meta.dirname));

const isOurs = (path: string): boolean => !path.split("/").some((part) => ["node_modules", "dist", "data", "screenshots"].includes(part) || (part.startsWith(".") && part !== "."));

/** Every document of the repository by its path from the root, without the templates of generated documents. */
export const listDocuments = (): string[] => globSync("**/*.md", { cwd: root, exclude: (path) => !isOurs(path) }).filter((path) => !path.endsWith("-template.md")).toSorted();

export const readDocument = (document: string): string => readFileSync(join(root, document), "utf8");

/**
 * A fenced block: ```LANGUAGE WORD … The words mean:
 *
 * - `sh`: the tests run it in a checkout, or with `project` in a separate project of the reader.
 * - `sh serve`: runs in a terminal of its own until the document ends. The next block waits until it has printed something.
 * - `shown` (`text`): a line that the latest `serve` prints sooner or later.
 * - `sh norun="why"`: not run, for the given reason.
 * - `answer` (`json` or `text`): output of the preceding command. JSON may have more fields than shown; `…` matches any text.
 * - `file=NAME`: the reader saves it under that name, in the folder of the next command.
 */
export type Block = { language: string; words: string[]; norun: string | undefined; text: string; line: number };

const fence = /^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm;
const norunWord = /\bnorun="([^"]+)"/;

export const readBlocks = (text: string): Block[] =>
  [...text.matchAll(fence)].map((found) => {
    const [, language = "", info = "", content = ""] = found;
    return {
      language,
      norun: norunWord.exec(info)?.[1],
      words: info.replace(norunWord, "").trim().split(/\s+/).filter(Boolean),
      text: content,
      line: text.slice(0, found.index).split("\n").length,
    };
  });

const withoutBlocks = (text: string): string => text.replaceAll(fence, "");
const withoutCode = (text: string): string => withoutBlocks(text).replaceAll(/`[^`\n]*`/g, "");

/** Targets of links and pictures, as written. */
export const readLinks = (text: string): string[] => [...withoutCode(text).matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|<(https?:[^>\s]+)>|\bsrc="([^"]+)"/g)].map(([, link, bare, source]) => (link ?? bare ?? source)!);

/** Inline code in sentences and tables, such as names of commands. */
export const readInlineCode = (text: string): string[] => [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);

/** Anchors of the headings, as GitHub generates them. */
export function readAnchors(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(text).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const name = words.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    anchors.add(times === 0 ? name : `${name}-${times}`);
  }
  return anchors;
}

/** Rows of a document's tables as cells, without header rows. */
export const readTableRows = (text: string): string[][] =>
  withoutBlocks(text)
    .split("\n")
    .filter((line, index, lines) => line.startsWith("|") && !/^\|[\s|:-]+\|$/.test(line) && !/^\|[\s|:-]+\|$/.test(lines[index + 1] ?? ""))
    .map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));
