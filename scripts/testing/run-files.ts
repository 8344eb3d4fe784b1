// Runs test files in processes, several at once, and says what became of each file.
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FileOutcome } from "./note-outcome.ts";

export type Outcome = { files: FileOutcome[]; passed: number; failed: number; todo: string[]; skipped: Record<string, number> };

export type RunOptions = {
  atOnce: number;
  /** The longest that one test may take. */
  testMsMax: number;
  environment: NodeJS.ProcessEnv;
  /** For what the processes print; emptied first. */
  logFolder: string;
  /** Aborted: running processes are told to end, no other is started. */
  signal: AbortSignal;
};

const root = dirname(dirname(import.meta.dirname));
const linesShownMax = 300;
const endMsMax = 15_000;
/** Beyond a test's own limit: a process that blocks its event loop cannot end itself. */
const silenceMsMore = 90_000;
const pollMs = 1_000;
const failingTests = "failing tests:";
const passing = /^\s*(✔|▶|ℹ) /;

const say = (line: string): void => console.log(line);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No process of the group is left.
  }
}

export function addUp(files: readonly FileOutcome[]): Outcome {
  const skipped: Record<string, number> = {};
  for (const [reason, count] of files.flatMap((file) => Object.entries(file.skipped))) skipped[reason] = (skipped[reason] ?? 0) + count;
  const total = (part: "passed" | "failed"): number => sum(files.map((file) => file[part]));
  return { files: [...files], passed: total("passed"), failed: total("failed"), todo: files.flatMap(({ todo }) => todo), skipped };
}

type Paths = { out: string; outcome: string };

function spawnTests(files: readonly string[], paths: Paths, isShown: boolean, options: RunOptions): ChildProcess {
  const nodeOptions = [
    "--test",
    "--test-isolation=none",
    `--test-timeout=${options.testMsMax}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    `--test-reporter=${join(import.meta.dirname, "note-outcome.ts")}`,
    // It prints nothing here, and appends to a file of its own: a program that a test starts with these options must not empty it.
    "--test-reporter-destination=stderr",
  ];
  const out = openSync(paths.out, "a");
  try {
    return spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, "test-process.ts")], {
      cwd: root,
      env: { ...options.environment, ASSAY_TEST_FILES: files.join("\n"), ASSAY_TEST_OUTCOME: paths.outcome },
      stdio: isShown ? ["ignore", "inherit", "inherit"] : ["ignore", out, out],
      detached: true,
    });
  } finally {
    closeSync(out);
  }
}

/** Kills a process that has reported nothing for longer than a test may take. */
async function killWhenSilent(child: ChildProcess, paths: Paths, { testMsMax, signal }: RunOptions, ended: AbortSignal): Promise<void> {
  const startedMs = Date.now();
  let isStopping = false;
  while (!ended.aborted) {
    await wait(pollMs, undefined, { signal: ended }).catch(() => {});
    const spokenMs = Math.max(startedMs, ...[paths.out, paths.outcome].filter(existsSync).map((path) => statSync(path).mtimeMs));
    if (Date.now() - spokenMs > testMsMax + silenceMsMore) killGroup(child, "SIGKILL");
    if (!signal.aborted || isStopping) continue;
    isStopping = true;
    child.kill("SIGTERM");
    setTimeout(() => killGroup(child, "SIGKILL"), endMsMax).unref();
  }
}

const readLines = (path: string): string[] => (existsSync(path) ? readFileSync(path, "utf8").split("\n") : []);

/** What a reader needs first: the failures with their errors, and before them what else was printed. */
function showFailure(paths: Paths): void {
  const lines = readLines(paths.out);
  const start = lines.findIndex((line) => line.includes(failingTests));
  const before = (start === -1 ? lines : lines.slice(0, start)).filter((line) => !passing.test(line));
  const shown = [...before.slice(-linesShownMax), ...(start === -1 ? [] : lines.slice(start))];
  say(shown.join("\n").trim().replace(/^/gm, "    "));
}

async function runGroup(files: readonly string[], name: string, isShown: boolean, options: RunOptions): Promise<FileOutcome[]> {
  const { logFolder } = options;
  const paths = { out: join(logFolder, `${name}.log`), outcome: join(logFolder, `${name}.json`) };
  const startedMs = performance.now();
  const child = spawnTests(files, paths, isShown, options);
  const ended = new AbortController();
  const watch = killWhenSilent(child, paths, options, ended.signal);
  const { promise, resolve } = Promise.withResolvers<string>();
  child.on("error", (error) => resolve(error.message));
  child.on("exit", (code, signal) => resolve(code === 0 ? "" : `ended with ${code ?? signal}`));
  const fault = await promise;
  // Whatever the tests left running.
  killGroup(child, "SIGKILL");
  ended.abort();
  await watch;
  const noted = readLines(paths.outcome).filter(Boolean).map((line) => JSON.parse(line) as FileOutcome);
  // A test outside of every file is one that nobody would miss if it were gone.
  for (const stray of noted.filter(({ file }) => !files.includes(file))) stray.failed += 1;
  const missing = files.filter((file) => !noted.some((each) => each.file === file));
  const unfinished = missing.map((file): FileOutcome => ({ file, ms: performance.now() - startedMs, passed: 0, failed: 1, todo: [], skipped: {} }));
  const outcomes = [...noted, ...unfinished];
  for (const { file, ms, passed, failed } of outcomes) say(`${failed === 0 ? "✔" : "✖"} ${file} (${passed} passed${failed === 0 ? "" : `, ${failed} failed`}, ${seconds(ms)})`);
  const hasFailed = outcomes.some(({ failed }) => failed > 0);
  if (fault !== "" && !hasFailed) outcomes[0]!.failed += 1;
  if (fault !== "") say(`✖ The process of ${files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} more`} ${fault}.`);
  if ((fault !== "" || hasFailed) && !isShown) showFailure(paths);
  return outcomes;
}

/** Runs each group in a process of its own. One group alone shows what it prints; several print a line per file, and more if one fails. */
export async function runFiles(groups: readonly (readonly string[])[], options: RunOptions): Promise<Outcome> {
  rmSync(options.logFolder, { recursive: true, force: true });
  mkdirSync(options.logFolder, { recursive: true });
  const waiting = groups.map((files, index) => ({ files, name: String(index).padStart(3, "0") }));
  const outcomes: FileOutcome[] = [];
  const runNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !options.signal.aborted; next = waiting.shift()) {
      outcomes.push(...(await runGroup(next.files, next.name, groups.length === 1, options)));
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, runNext));
  return addUp(outcomes);
}
