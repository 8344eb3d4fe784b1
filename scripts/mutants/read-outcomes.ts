// What became of the tests of a run, read out of its TAP while it is written.

export type Outcome = { title: string; path: string; result: "passed" | "failed" | "skipped" };

/** The text as a regular expression that matches it and nothing else. */
export const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

const line = /^( *)(?:# Subtest: (.*)|(ok|not ok) \d+ - (.*?)( # (?:SKIP|TODO).*)?)$/;
const unescape = (title: string): string => title.replaceAll(/\\([\\#])/g, "$1");

/** Takes TAP in pieces and returns the outcomes that each piece completes. */
export function createTapReader(): (piece: string) => Outcome[] {
  let rest = "";
  const around: string[] = [];
  return (piece) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    return lines.flatMap((each): Outcome[] => {
      const [, indent, begun, word, ended, skipped] = line.exec(each) ?? [];
      if (indent === undefined) return [];
      around.length = indent.length / 4;
      if (begun !== undefined) around.push(unescape(begun));
      if (ended === undefined) return [];
      const title = unescape(ended);
      return [{ title, path: [...around, title].join(" > "), result: word === "not ok" ? "failed" : skipped === undefined ? "passed" : "skipped" }];
    });
  };
}

export type Verdict = { kind: "killed" } | { kind: "lived" } | { kind: "error"; why: string };

/**
 * What one test says about a fault. A fault that only breaks the loading of the test's file kills nothing: then the file
 * fails, but no test of that title.
 */
export function judgeTitle(outcomes: readonly Outcome[], title: string): Verdict {
  const own = outcomes.filter((each) => each.title === title);
  if (own.some(({ result }) => result === "failed")) return { kind: "killed" };
  if (own.some(({ result }) => result === "passed")) return { kind: "lived" };
  return { kind: "error", why: own.length > 0 ? "its test was skipped" : "no test of that title ran" };
}
