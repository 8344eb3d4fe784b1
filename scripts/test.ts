// What `npm test` runs. scripts/testing/lanes.ts says which test belongs to which lane.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../apps/api/test/start-postgres.ts";
import { findQuickTests } from "./find-quick-tests.ts";
import type { Server } from "./find-servers.ts";
import { groupFiles, isEveryday, isFault } from "./testing/lanes.ts";
import type { FileOutcome } from "./testing/note-outcome.ts";
import { makeMemoryFolder } from "./testing/memory-folder.ts";
import { provideServers, tellMissing } from "./testing/provide-servers.ts";
import { shiftClock } from "./testing/shift-clock.ts";
import { addUp, killGroup, type Outcome, runFiles } from "./testing/run-files.ts";

const usage = `Usage:
  npm test                                  every check, and every test of every day: before a commit
  npm test -- --all                         everything, with all fault suites, clients, documents and a part of the kept mutants: what CI runs
  npm test -- --quick                       the checks, and all tests that need no server, browser or process of their own
  npm test -- apps/api/src/access/limits    the tests in these files or folders, of every lane, without the checks
  npm test -- --at 2028-02-29T23:58:00Z …   the same with tests, services and databases at another time`;

type Step = { name: string; ok: boolean; seconds: number; remark: string };

/** Concurrent test processes: on two cores a third one uses the time that the others wait for disks and servers. */
const atOnce = 3;
const testMsMax = 5 * 60_000;
/** Includes the duration requested with --minutes: see scripts/test-faults.ts. */
const faultTestMsMax = testMsMax + Number(process.env.ASSAY_TEST_MINUTES ?? 0) * 60_000;
const endMsMax = 15_000;
/** A file that takes longer holds up everybody: divide it, or let it wait for less. */
const fileSecondsMax = 120;
const slowestShown = 12;
const root = dirname(import.meta.dirname);
const isCi = process.env.CI === "true";
const steps: Step[] = [];
const done: FileOutcome[] = [];
const stopping = new AbortController();
let running: ChildProcess | undefined;
let stoppedBy: NodeJS.Signals | undefined;

const say = (line: string): void => console.log(line);

/** Runs a program in its own process group, shows its output, and kills whatever is left of the group. */
async function run(program: string, programArguments: string[], environment: NodeJS.ProcessEnv): Promise<boolean> {
  const { promise, resolve: end } = Promise.withResolvers<boolean>();
  const child = spawn(program, programArguments, { cwd: root, env: environment, stdio: ["ignore", "inherit", "inherit"], detached: true });
  running = child;
  child.on("error", (error) => {
    say(`${program} could not be run: ${error.message}`);
    end(false);
  });
  child.on("exit", (code) => {
    killGroup(child, "SIGKILL");
    end(code === 0);
  });
  const ok = await promise;
  running = undefined;
  return ok && stoppedBy === undefined;
}

/** The first signal stops what is running gracefully; the second ends this process. */
function stop(signal: NodeJS.Signals): void {
  if (stoppedBy !== undefined) process.exit(exitCodeOf(signal));
  stoppedBy = signal;
  stopping.abort();
  if (!running) return;
  const child = running;
  child.kill(signal);
  setTimeout(() => killGroup(child, "SIGKILL"), endMsMax).unref();
}

function exitCodeOf(signal: NodeJS.Signals): number {
  return { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal as "SIGHUP" | "SIGINT" | "SIGTERM"] ?? 1;
}

async function step(name: string, work: () => Promise<{ ok: boolean; remark?: string }>): Promise<void> {
  if (stoppedBy !== undefined) return;
  say(`\n── ${name}`);
  const startedMs = performance.now();
  const { ok, remark = "" } = await work();
  steps.push({ name, ok, remark, seconds: (performance.now() - startedMs) / 1_000 });
}

function findTests(): string[] {
  const isOwn = (path: string): boolean => !path.split("/").includes("node_modules");
  return globSync("{apps,packages,clients,examples,training,scripts,bench}/**/*.test.ts", { cwd: root, exclude: (path) => !isOwn(path) }).toSorted();
}

/** All test files, or those at or below one of the paths on the command line. */
function selectTests(all: string[], wanted: string[]): string[] {
  if (wanted.length === 0) return all;
  const paths = wanted.map((path) => relative(root, resolve(process.env.INIT_CWD ?? root, path)));
  return all.filter((file) => paths.some((path) => file === path || path === "" || file.startsWith(`${path}/`)));
}

const countSkipped = ({ skipped }: Outcome): number => Object.values(skipped).reduce((total, count) => total + count, 0);
const countsOf = (outcome: Outcome): string => `${outcome.passed} passed, ${outcome.failed} failed, ${countSkipped(outcome)} skipped`;

function judge(outcome: Outcome): { ok: boolean; remark: string } {
  done.push(...outcome.files);
  const skipped = countSkipped(outcome);
  const remark = countsOf(outcome) + (outcome.todo.length > 0 ? `, ${outcome.todo.length} to be done` : "");
  if (outcome.passed + outcome.failed + skipped === 0) return { ok: false, remark: "no tests ran" };
  if (isCi && skipped > 0) return { ok: false, remark: `${remark}; with CI=true no test may be skipped: ${Object.keys(outcome.skipped).join("; ")}` };
  return { ok: outcome.failed === 0, remark };
}

/** Runs test files with one shared PostgreSQL, in which each file creates its own databases. */
async function runTests(files: string[], environment: NodeJS.ProcessEnv) {
  const options = { atOnce, testMsMax, signal: stopping.signal, logFolder: join(logFolder, "tests") };
  const groups = groupFiles(root, files);
  if (environment.ASSAY_TEST_POSTGRES_BIN === undefined) return judge(await runFiles(groups, { ...options, environment }));
  const postgres = await startPostgres(environment.ASSAY_TEST_POSTGRES_BIN);
  try {
    return judge(await runFiles(groups, { ...options, environment: { ...environment, ASSAY_TEST_POSTGRES_URL: postgres.url } }));
  } finally {
    await postgres.stop();
  }
}

function readCommandLine() {
  try {
    return parseArgs({ allowPositionals: true, options: { all: { type: "boolean" }, quick: { type: "boolean" }, at: { type: "string" }, help: { type: "boolean" } } });
  } catch (error) {
    say(`${(error as Error).message}\n${usage}`);
    process.exit(1);
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal));
if (process.channel) {
  process.on("disconnect", () => stop("SIGTERM"));
  process.channel.unref();
}
process.on("exit", () => running && killGroup(running, "SIGKILL"));

const { values, positionals: wanted } = readCommandLine();
if (values.help) {
  say(usage);
  process.exit(0);
}
const isQuick = values.quick ?? false;
/** What is named by its path is run completely. */
const isAll = values.all ?? wanted.length > 0;
const selected = selectTests(findTests(), wanted).filter((file) => isAll || isEveryday(file));
const files = isQuick ? findQuickTests(root, selected) : selected;
const environment: NodeJS.ProcessEnv = { ...process.env, ASSAY_TEST_LANE: isAll ? "all" : "everyday" };
// It would make nested test runs report to the outer one.
delete environment.NODE_TEST_CONTEXT;
let absent: Server[] = [];

if (files.length === 0) {
  say(wanted.length > 0 ? `No test files in ${wanted.join(", ")}.` : "No test files found.");
  process.exit(1);
}
/** Of this run: a test may start another one. */
const logFolder = mkdtempSync(join(tmpdir(), "assay-test-logs-"));
// Also for this process, which starts the shared PostgreSQL.
const folder = process.env.TMPDIR ?? makeMemoryFolder();
if (folder !== undefined) process.env.TMPDIR = environment.TMPDIR = folder;
if (wanted.length === 0) {
  await step("Checks", async () => ({ ok: await run(process.execPath, [join("scripts", "check.ts")], environment) }));
}
if (!isQuick) {
  await step("Servers", async () => {
    absent = await provideServers(isAll ? "all" : "everyday", environment, run);
    return { ok: absent.length === 0 || !isCi, remark: absent.map(({ name }) => name).join(", ") + (absent.length > 0 ? " not found" : "") };
  });
}
if (values.at !== undefined) {
  // Also for this process, which starts the shared PostgreSQL.
  const shifted = shiftClock(environment, values.at);
  for (const each of [environment, process.env]) Object.assign(each, shifted);
  say(`\nFor tests, services and databases it is ${values.at}.`);
}
const suites = files.filter((file) => !isFault(file));
const faultSuites = files.filter(isFault);
if (suites.length > 0) await step("Tests", async () => runTests(suites, environment));
// Faults are noticed at any time, or at none.
if (values.all && wanted.length === 0 && values.at === undefined) {
  await step("Mutants", async () => ({ ok: await run(process.execPath, [join("scripts", "mutate.ts"), "--kept", "--turns", "4"], environment) }));
}
if (faultSuites.length > 0) {
  // They come last because they load the machine.
  const options = { atOnce, testMsMax: faultTestMsMax, signal: stopping.signal, environment, logFolder: join(logFolder, "faults") };
  await step("Fault tests", async () => judge(await runFiles(groupFiles(root, faultSuites), options)));
}

const outcome = addUp(done);
const bySeconds = done.toSorted((one, other) => other.ms - one.ms);
if (wanted.length === 0) {
  say("\nThe slowest files:");
  for (const { file, ms } of bySeconds.slice(0, slowestShown)) say(`  ${(ms / 1_000).toFixed(1).padStart(6)} s  ${file}${ms > fileSecondsMax * 1_000 ? `  OVER ${fileSecondsMax} s` : ""}`);
}
for (const each of outcome.todo) say(`To be done: ${each}`);
if (absent.length > 0) say(["", ...tellMissing(absent, outcome.skipped)].join("\n"));
say("");
for (const { name, ok, seconds, remark } of steps) say(`${ok ? "✔" : "✖"} ${name} (${seconds.toFixed(1)} s)${remark ? `: ${remark}` : ""}`);
for (const { file } of done.filter(({ failed }) => failed > 0)) say(`✖ ${file}`);
say(`In all ${(steps.reduce((total, { seconds }) => total + seconds, 0) / 60).toFixed(1)} minutes.`);
if (outcome.failed > 0) say(`What the tests printed is in ${logFolder}.`);
else rmSync(logFolder, { recursive: true, force: true });
say(countsOf(outcome));
if (stoppedBy !== undefined) process.exitCode = exitCodeOf(stoppedBy);
else process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
