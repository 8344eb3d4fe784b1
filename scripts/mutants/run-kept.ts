// Plants each kept mutant and asks the one test that is there for it.
import type { KeptMutant } from "./locate.ts";
import { locate } from "./locate.ts";
import { plant } from "./list-mutations.ts";
import { judgeTitle, type Verdict } from "./read-outcomes.ts";
import { type Half, type Lab, readSource, type Tree } from "./run-tests.ts";

const greenMsMax = 600_000;
/** A busy machine is slow, and slower at times than it was a minute ago. */
export const msMaxAfter = (greenMs: number): number => 120_000 + 5 * greenMs;

/** The mutants of one test file and half: their tests are run together without a fault, once, and then with one fault each. */
type Group = { file: string; half: Half; mutants: KeptMutant[] };

function groupByFile(mutants: readonly KeptMutant[]): Group[] {
  const groups = Map.groupBy(mutants, ({ killedBy: [file], needs }) => `${needs === "postgres"} ${file}`);
  const half = (needs: KeptMutant["needs"]): Half => (needs === "postgres" ? "postgres" : "sqlite");
  // The largest first, so that no tree is still busy when all others are done.
  return [...groups.values()].map((each) => ({ file: each[0]!.killedBy[0], half: half(each[0]!.needs), mutants: each })).toSorted((a, b) => b.mutants.length - a.mutants.length);
}

async function runGroup(tree: Tree, { file, half, mutants }: Group, report: (mutant: KeptMutant, verdict: Verdict) => void): Promise<void> {
  // The same tests run with and without the fault, so the fault is the only difference.
  const titles = [...new Set(mutants.map(({ killedBy }) => killedBy[1]))];
  const green = await tree.run({ file, half, msMax: greenMsMax, titles });
  const msMax = msMaxAfter(green.ms);
  for (const mutant of mutants) {
    const title = mutant.killedBy[1];
    const before = judgeTitle(green.outcomes, title);
    const place = locate(mutant.in, readSource(mutant.in), mutant);
    if (before.kind !== "lived") report(mutant, { kind: "error", why: before.kind === "error" ? `${before.why} without the fault` : "its test fails without the fault too" });
    else if ("stale" in place) report(mutant, { kind: "error", why: place.stale });
    else {
      const isDecided = (outcome: { title: string; result: string }): boolean => outcome.title === title && outcome.result === "failed";
      const { outcomes, end } = await tree.withText(mutant.in, plant(readSource(mutant.in), place), () => tree.run({ file, half, msMax, titles, isDecided }));
      const verdict = judgeTitle(outcomes, title);
      report(mutant, end === "too_long" && verdict.kind === "error" ? { kind: "error", why: `its test did not end within ${Math.round(msMax / 1_000)} s` } : verdict);
    }
  }
}

/** Every Nth test file with its mutants, from one on, so that N turns run all of them. */
export const partOf = (mutants: readonly KeptMutant[], { turn, turns }: { turn: number; turns: number }): KeptMutant[] =>
  groupByFile(mutants).flatMap((group, index) => (index % turns === turn % turns ? group.mutants : []));

/** Reports a verdict on every mutant that can be run here, and returns those that cannot. */
export async function runKept(lab: Lab, mutants: readonly KeptMutant[], report: (mutant: KeptMutant, verdict: Verdict) => void): Promise<KeptMutant[]> {
  const isHere = ({ needs }: KeptMutant): boolean => !(needs === "postgres" && !lab.hasPostgres) && !(needs === "redis" && !lab.hasRedis);
  await lab.forEach(groupByFile(mutants.filter(isHere)), (tree, group) => runGroup(tree, group, report));
  return mutants.filter((mutant) => !isHere(mutant));
}
