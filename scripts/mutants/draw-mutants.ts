// Faults at random: in the lines that changed, or anywhere in the product's code.
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { createDraws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { listMutations, type Mutation, parse, parses, plant } from "./list-mutations.ts";
import { readSource, root } from "./run-tests.ts";

export type DrawnMutant = Mutation & { file: string };

const isProduct = (file: string): boolean => /^(?:apps\/api\/src|packages\/[^/]+\/src)\/.+\.tsx?$/.test(file) && !/\.(?:test|samples|d)\.ts$/.test(file);

export function wingOf(file: string): string {
  const [, package_, wing] = /^packages\/([^/]+)\/|^apps\/api\/src\/([^/]+)\//.exec(file) ?? [];
  return wing ?? package_ ?? "app";
}

function mutantsOf(file: string): DrawnMutant[] {
  const text = readSource(file);
  return listMutations(parse(file, text)).map((each) => ({ ...each, file }));
}

const canRun = (mutant: DrawnMutant): boolean => parses(mutant.file, plant(readSource(mutant.file), mutant));

/** As many from each wing as from any other, whatever its size; within a wing, a longer file is drawn more often. */
export function drawMutants({ count, seed, wings: wanted = [] }: { count: number; seed: number; wings?: readonly string[] }): DrawnMutant[] {
  const { next } = createDraws(seed);
  const files = globSync("{apps/api,packages/*}/src/**/*.{ts,tsx}", { cwd: root }).filter(isProduct).toSorted();
  const wings = Map.groupBy(files, wingOf);
  const unknown = wanted.find((each) => !wings.has(each));
  if (unknown !== undefined) throw new Error(`There is no wing ${unknown}: ${[...wings.keys()].toSorted().join(", ")}.`);
  const turns = shuffle(wanted.length > 0 ? wanted : [...wings.keys()], next);
  const drawn = new Map<string, DrawnMutant>();
  for (let turn = 0; drawn.size < count && turn < 10 * count; turn += 1) {
    const ends = wings.get(turns[turn % turns.length]!)!.map((file) => ({ file, length: readSource(file).length }));
    let at = next() * ends.reduce((total, { length }) => total + length, 0);
    const { file } = ends.find(({ length }) => (at -= length) < 0)!;
    const mutants = mutantsOf(file);
    const mutant = mutants[Math.floor(next() * mutants.length)];
    if (mutant && canRun(mutant)) drawn.set(`${file} ${mutant.operator} ${mutant.start}`, mutant);
  }
  return [...drawn.values()];
}

const shuffle = <T>(items: readonly T[], next: () => number): T[] => items.map((item) => ({ item, at: next() })).toSorted((a, b) => a.at - b.at).map(({ item }) => item);

const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], maxBuffer: 2 ** 28 });

/** Where this branch left the main one, or the commit before the last. */
export function findBase(): string {
  for (const words of [["merge-base", "HEAD", "origin/main"], ["merge-base", "HEAD", "main"], ["rev-parse", "HEAD~1"]]) {
    try {
      const commit = git(...words).trim();
      if (commit !== git("rev-parse", "HEAD").trim()) return commit;
    } catch {
      // There is no such branch here.
    }
  }
  return "HEAD";
}

/** Every fault in a line that differs from the base, uncommitted changes included; at most `count` of them. */
export function findChangedMutants({ base, count, seed }: { base: string; count: number; seed: number }): { mutants: DrawnMutant[]; outOf: number } {
  const lines = new Map<string, Set<number> | "all">();
  let file = "";
  for (const line of git("diff", "--unified=0", "--no-color", "--no-ext-diff", base).split("\n")) {
    if (line.startsWith("+++ ")) file = line.slice("+++ b/".length);
    const [, from, rows] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from === undefined || !isProduct(file)) continue;
    const known = lines.get(file) ?? new Set<number>();
    if (known !== "all") for (let row = 0; row < Number(rows ?? 1); row += 1) known.add(Number(from) + row);
    lines.set(file, known);
  }
  for (const added of git("ls-files", "--others", "--exclude-standard").split("\n").filter(isProduct)) lines.set(added, "all");
  const all = [...lines].flatMap(([path, changed]) => mutantsOf(path).filter(({ line }) => changed === "all" || changed.has(line))).filter(canRun);
  return { outOf: all.length, mutants: shuffle(all, createDraws(seed).next).slice(0, count) };
}
