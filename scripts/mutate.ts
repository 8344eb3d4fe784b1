// npm run mutate: plants one fault after another and checks that a test fails. See CONTRIBUTING.md.
import { parseArgs } from "node:util";
import { drawMutants, findBase, findChangedMutants, wingOf } from "./mutants/draw-mutants.ts";
import { keptMutants } from "./mutants/kept.ts";
import { openLab } from "./mutants/run-tests.ts";
import { runDrawn } from "./mutants/run-drawn.ts";
import { partOf, runKept } from "./mutants/run-kept.ts";

const usage = `npm run mutate -- [--kept] [TEXT …] | --changed [--base COMMIT] | --sample N [--wing WING …]

  --kept       the faults in scripts/mutants, each with its own test; the default
  TEXT         only kept ones whose meaning, file or test contains it
  --turns N    only an Nth of the kept ones: another one every day, and all of them in N days
  --changed    faults in lines of the product that differ from a commit
  --base       that commit; default: where this branch left origin/main, or the commit before the last
  --sample N   N faults at random, over all wings or those named by --wing; with --changed: at most so many, default 60
  --seed S     draws the same ones again
  --minutes M  how long the tests of one fault at random may take, default 4
  --list       prints the faults and runs nothing

Faults are planted in copies of this tree, and tests are seen to pass without them first. A fault that lives is a test
that is missing. The exit code is 1 if a kept one lives, or cannot be planted.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kept: { type: "boolean" },
    changed: { type: "boolean" },
    base: { type: "string" },
    sample: { type: "string" },
    wing: { type: "string", multiple: true },
    seed: { type: "string" },
    turns: { type: "string" },
    minutes: { type: "string" },
    list: { type: "boolean" },
    help: { type: "boolean" },
  },
});

const msPerDay = 86_400_000;

function fail(text: string): never {
  console.error(`${text}\n\n${usage}`);
  process.exit(1);
}

function numberOf(name: "sample" | "seed" | "minutes" | "turns", fallback: number): number {
  const value = values[name] === undefined ? fallback : Number(values[name]);
  return Number.isInteger(value) && value >= 0 ? value : fail(`--${name} takes a whole number.`);
}

type Score = { killed: number; all: number };
const scores = new Map<string, Score>();

function count(file: string, isKilled: boolean): void {
  const score = scores.get(wingOf(file)) ?? { killed: 0, all: 0 };
  scores.set(wingOf(file), { killed: score.killed + Number(isKilled), all: score.all + 1 });
}

function printScores(): void {
  const all = [...scores].toSorted(([a], [b]) => a.localeCompare(b));
  for (const [wing, score] of all) console.log(`${wing.padEnd(14)}${String(score.killed).padStart(4)} of ${score.all}`);
  const sum = (field: keyof Score): number => all.reduce((total, [, score]) => total + score[field], 0);
  console.log(`${sum("killed")} of ${sum("all")} faults were noticed.`);
}

async function testKept(): Promise<boolean> {
  const turns = Math.max(1, numberOf("turns", 1));
  const turn = Math.floor(Date.now() / msPerDay) % turns;
  if (turns > 1) console.log(`Part ${turn + 1} of ${turns} of the kept mutants.`);
  const chosen = partOf(keptMutants, { turn, turns }).filter((mutant) => positionals.length === 0 || positionals.some((text) => [mutant.means, mutant.in, ...mutant.killedBy].some((each) => each.includes(text))));
  if (chosen.length === 0) fail(`No kept mutant has ${positionals.join(" or ")}.`);
  if (values.list) {
    for (const { means, in: file, function: name, change, killedBy } of chosen) console.log(`${means}\n    ${file}, ${name}: ${change.join(" ")}\n    ${killedBy.join(": ")}`);
    return true;
  }
  const lab = await openLab(chosen.some(({ needs }) => needs === "postgres"));
  let isGood = true;
  try {
    const leftOut = await runKept(lab, chosen, (mutant, verdict) => {
      const isKilled = verdict.kind === "killed";
      isGood &&= isKilled;
      count(mutant.in, isKilled);
      console.log(`${isKilled ? "✔" : "✖"} ${verdict.kind}: ${mutant.means}${"why" in verdict ? `: ${verdict.why}` : ""}`);
      if (!isKilled) console.log(`    ${mutant.in}, ${mutant.function}: ${mutant.change.join(" ")}\n    ${mutant.killedBy.join(": ")}`);
    });
    if (leftOut.length > 0) console.log(`${leftOut.length} kept mutants are left out: they need ${[...new Set(leftOut.map(({ needs }) => needs))].join(" and ")}, which was not found here.`);
  } finally {
    await lab.close();
  }
  printScores();
  return isGood;
}

async function testDrawn(): Promise<void> {
  const seed = numberOf("seed", Math.floor(Math.random() * 1_000_000));
  const { mutants, outOf } = values.changed
    ? findChangedMutants({ base: values.base ?? findBase(), count: numberOf("sample", 60), seed })
    : { mutants: drawMutants({ count: numberOf("sample", 60), seed, wings: values.wing ?? [] }), outOf: undefined };
  console.log(`${mutants.length} faults${outOf === undefined ? "" : ` out of ${outOf}`}, with --seed ${seed}.`);
  const describe = ({ file, line, operator, was, to }: (typeof mutants)[number]): string =>
    `${file}:${line} ${operator}: ${was.replaceAll(/\s+/g, " ").slice(0, 100)}${to === "" || to === ";" ? "" : ` → ${to.replaceAll(/\s+/g, " ").slice(0, 60)}`}`;
  if (values.list) return mutants.forEach((mutant) => console.log(describe(mutant)));
  if (mutants.length === 0) return;
  const lab = await openLab(true);
  try {
    await runDrawn(lab, mutants, numberOf("minutes", 4) * 60_000, (mutant, verdict) => {
      const isKilled = verdict.kind === "killed" || verdict.kind === "timeout";
      count(mutant.file, isKilled);
      const remark = "by" in verdict ? verdict.by : verdict.kind === "lived" ? `${verdict.tried} test files passed${verdict.left > 0 ? `, ${verdict.left} were not asked` : ""}` : "";
      console.log(`${isKilled ? "✔" : "✖"} ${verdict.kind} ${describe(mutant)}\n    ${remark}`);
    });
  } finally {
    await lab.close();
  }
  printScores();
}

if (values.help) console.log(usage);
else if (values.changed || values.sample !== undefined) await testDrawn();
else process.exitCode = (await testKept()) ? 0 : 1;
