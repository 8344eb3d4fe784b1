// Plants faults that no test was written for, and asks the tests that reach them, the nearest first.
import { plant } from "./list-mutations.ts";
import type { DrawnMutant } from "./draw-mutants.ts";
import { createTestFinder } from "./find-tests.ts";
import type { Outcome } from "./read-outcomes.ts";
import { msMaxAfter } from "./run-kept.ts";
import { type Half, type Lab, readSource, root, type Tree } from "./run-tests.ts";

export type DrawnVerdict =
  | { kind: "killed" | "timeout"; by: string }
  | { kind: "lived"; tried: number; left: number }
  | { kind: "no_test" };

const runMsMax = 600_000;
/** So many of the nearest files run on PostgreSQL too. */
const onBothStores = 4;

type Green = { passed: ReadonlySet<string>; ms: number };

/** `msMax` bounds the tests of one mutant, without the runs that show that they pass. */
export async function runDrawn(lab: Lab, mutants: readonly DrawnMutant[], msMax: number, report: (mutant: DrawnMutant, verdict: DrawnVerdict) => void): Promise<void> {
  const findTests = createTestFinder(root);
  const seen = new Map<string, Promise<Green>>();

  /** The tests that pass without any fault; each file is asked once. */
  function readGreen(tree: Tree, file: string, half: Half): Promise<Green> {
    const name = `${half} ${file}`;
    const before = seen.get(name);
    if (before) return before;
    const run = tree.run({ file, half, msMax: runMsMax }).then(({ outcomes, ms }) => ({ ms, passed: new Set(outcomes.filter(({ result }) => result === "passed").map(({ path }) => path)) }));
    seen.set(name, run);
    return run;
  }

  async function judge(tree: Tree, mutant: DrawnMutant): Promise<DrawnVerdict> {
    const files = findTests(mutant.file);
    if (files.length === 0) return { kind: "no_test" };
    const runs = files.flatMap((file, index): { file: string; half: Half }[] =>
      lab.hasPostgres && index < onBothStores && /describeBothStores|ostgres/.test(readSource(file)) ? [{ file, half: "sqlite" }, { file, half: "postgres" }] : [{ file, half: "sqlite" }],
    );
    const text = plant(readSource(mutant.file), mutant);
    let usedMs = 0;
    let tried = 0;
    for (const { half, file } of runs) {
      if (usedMs > msMax) break;
      const green = await readGreen(tree, file, half);
      if (green.passed.size === 0) continue;
      const isDecided = ({ path, result }: Outcome): boolean => result === "failed" && green.passed.has(path);
      const { outcomes, end, ms } = await tree.withText(mutant.file, text, () => tree.run({ file, half, msMax: msMaxAfter(green.ms), isDecided }));
      usedMs += ms;
      tried += 1;
      if (end === "too_long") return { kind: "timeout", by: file };
      const failed = outcomes.find(isDecided);
      if (failed) return { kind: "killed", by: `${file}: ${failed.title}` };
      // A fault that breaks the loading of a file leaves no outcome of its tests at all.
      const missing = [...green.passed].find((path) => !outcomes.some((each) => each.path === path));
      if (missing !== undefined) return { kind: "killed", by: `${file}: ${missing} did not run` };
    }
    return { kind: "lived", tried, left: runs.length - tried };
  }

  await lab.forEach(mutants, async (tree, mutant) => report(mutant, await judge(tree, mutant)));
}
