// One small run of `npm run bench`, so that the harness does not break unnoticed. What is asserted is the shape of its output, never a speed.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { checkOut } from "./check-out.ts";
import { runBenchmark } from "./run-benchmark.ts";
import { root } from "./start-child.ts";

const whyGitIsSkipped = spawnSync("git", ["--version"]).status === 0 ? false : "no git";

const folder = mkdtempSync(join(tmpdir(), "assay-bench-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

type Row = { name: string; numbers: number[]; verdicts: string[] };

/** The rows below a header up to the next empty line: a name, then numbers. */
function readTable(output: string, header: RegExp): Row[] {
  const lines = output.split("\n");
  const start = lines.findIndex((line) => header.test(line));
  assert.ok(start >= 0, `no line matches ${header} in:\n${output}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === "");
  return lines.slice(start + 1, end).map((line) => {
    const [, name = "", cells = line] = /^([^\d\s].*?)\s{2,}(.*)$/.exec(line) ?? [];
    return { name, numbers: [...cells.matchAll(/-?\d+(?:\.\d+)?|NaN|Infinity/g)].map(([number]) => Number(number)), verdicts: cells.match(/[≥≤] \d\.\d\d (?:reached|missed)\b/g) ?? [] };
  });
}

/** Every row has this many numbers, all of them finite, and those that must be are above 0. */
function assertNumbers(rows: readonly Omit<Row, "verdicts">[], columns: number, positive: readonly number[]): void {
  for (const { name, numbers } of rows) {
    assert.equal(numbers.length, columns, `${name}: ${numbers.join(" ")}`);
    assert.ok(numbers.every(Number.isFinite), `${name}: ${numbers.join(" ")}`);
    for (const column of positive) assert.ok(numbers[column]! > 0, `${name}, column ${column}: ${numbers.join(" ")}`);
  }
}

const assertAllPositive = (rows: readonly Omit<Row, "verdicts">[], columns: number): void => assertNumbers(rows, columns, Array.from({ length: columns }, (_, column) => column));
const namesOf = (rows: readonly Row[]): string[] => rows.map(({ name }) => name);

/** calls/s, p50, p99, main thread, all threads, database, failed, memory. */
function checkContenders(rows: readonly Row[], names: readonly string[]): void {
  assert.deepEqual(namesOf(rows), names);
  assertNumbers(rows, 8, [0, 1, 2, 3, 4, 7]);
  for (const { name, numbers } of rows) {
    const [mainUs, allUs, databaseUs, failed] = numbers.slice(3, 7);
    assert.ok(mainUs! <= allUs!, name);
    assert.deepEqual([databaseUs, failed], [0, 0], name);
  }
}

/** By name, the targets of the ratios to the bare echo: of calls/s, of both processor times, and of the p99 at the same offered load. */
type TargetsPrinted = Record<string, { ratios: number[]; p99?: number }>;

/** Every target stands beside its ratio (median, lowest, highest) and says whether it is reached. */
function checkTargets(output: string, targets: TargetsPrinted): void {
  const ratios = readTable(output, /^ +calls\/s +main thread µs +all threads µs$/);
  assert.deepEqual(namesOf(ratios), Object.keys(targets));
  for (const { name, numbers, verdicts } of ratios) {
    const wanted = targets[name]!.ratios;
    assertAllPositive([{ name, numbers }], 9 + wanted.length);
    assert.deepEqual(numbers.filter((_, column) => column % 4 === 3 && column < 4 * wanted.length), wanted, name);
    assert.equal(verdicts.length, wanted.length, name);
  }
  const paced = readTable(output, /offered calls\/s/);
  assert.deepEqual(namesOf(paced), Object.keys(targets).filter((name) => targets[name]!.p99 !== undefined));
  for (const { name, numbers, verdicts } of paced) {
    // Offered, p50, p99, the same of bare and of the flushing echo, failed, ratio, lowest, highest, target, ratio to the flushing echo, lowest, highest.
    assertNumbers([{ name, numbers }], 15, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14]);
    assert.deepEqual([numbers[7], numbers[11], verdicts.length], [0, targets[name]!.p99, 1], name);
  }
}

const bench = (signal: AbortSignal, ...words: string[]) => runBenchmark("main.ts", words, { cwd: folder, signal });

describe("npm run bench", () => {
  it("measures the service beside a bare echo, and prints its ratios with their targets", async ({ signal }) => {
    const { code, output, errors } = await bench(signal, "--only", "sqlite", "--rounds", "1", "--seconds", "0.1", "--connections", "4");
    assert.equal(code, 0, `${output}\n${errors}`);
    const names = ["one insert per request", "Assay", "Assay, unique Idempotency-Key"];
    checkContenders(readTable(output, /calls\/s/), ["bare Fastify echo", ...names]);
    checkTargets(output, { [names[0]!]: { ratios: [] }, [names[1]!]: { ratios: [0.75, 1.1, 1.7], p99: 1.5 }, [names[2]!]: { ratios: [0.6, 1.25, 2.1], p99: 1.5 } });
    assert.doesNotMatch(output, /NaN|Infinity|undefined/);
  });

  it("explains its options, and refuses an unknown part", async ({ signal }) => {
    const { code, output } = await bench(signal, "--help");
    assert.equal(code, 0);
    for (const option of ["--against COMMIT", "--only PART", "--rounds N", "--seconds N"]) assert.ok(output.includes(option), option);
    assert.equal((await bench(signal, "--only", "mysql")).code, 2);
  });
});

describe("a commit to compare with", { skip: whyGitIsSkipped }, () => {
  const gitDir = join(folder, "git");
  const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, env: { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: root }, encoding: "utf8" }).trim();
  before(() => {
    // A repository of its own: the tests also run where the project's is missing, and never touch it.
    git("init", "--quiet");
    git("add", "--all");
    git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "This tree");
  });

  it("has its own files and its own packages, and the packages of others from here", () => {
    const checkOutFolder = join(folder, "check-out");
    mkdirSync(checkOutFolder);
    process.env.GIT_DIR = gitDir;
    const { tree, revision } = checkOut("HEAD", checkOutFolder);
    delete process.env.GIT_DIR;
    assert.equal(revision, git("rev-parse", "HEAD"));
    assert.equal(readFileSync(join(tree, "package.json"), "utf8"), readFileSync(join(root, "package.json"), "utf8"));
    assert.equal(realpathSync(join(tree, "node_modules/@assay/scoring")), realpathSync(join(tree, "packages/scoring")));
    assert.equal(realpathSync(join(tree, "node_modules/fastify")), realpathSync(join(root, "node_modules/fastify")));
  });
});
