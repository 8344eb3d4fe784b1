// What `npm test` runs: every check, then every test, with the database servers they need, and a twentieth of the mutants.
//   npm test                           everything
//   npm test -- --quick                the checks, and all tests that need no server, browser or process of their own
//   npm test -- apps/api/src/access/limits    the tests in these files or folders, without the checks
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { startPostgres } from "../apps/api/test/start-postgres.ts";
import { findQuickTests } from "./find-quick-tests.ts";
import { programs, runtimeFolder, servers } from "./find-servers.ts";
import { nothingRan, type Outcome } from "./testing/note-outcome.ts";
import { judgeTests } from "./testing/try-again.ts";

type Step = { name: string; ok: boolean; seconds: number; remark: string };

/** Concurrent test files: on two cores a third one uses the time that the others wait for disks and servers. */
const testsAtOnce = 3;
/** Fault tests mostly wait for processes to start and exit, and for timeouts. */
const faultTestsAtOnce = 3;
const testMsMax = 10 * 60_000;
/** Includes the duration requested with --minutes: see scripts/test-faults.ts. */
const faultTestMsMax = (30 + Number(process.env.ASSAY_TEST_MINUTES ?? 0)) * 60_000;
const endMsMax = 15_000;
const faultSuite = ".fault.test.ts";
const root = dirname(import.meta.dirname);
const isCi = process.env.CI === "true";
const steps: Step[] = [];
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

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // No process of the group is left.
  }
}

/** The first signal stops the running program gracefully; after `endMsMax` its process group is killed. */
function stop(signal: NodeJS.Signals): void {
  if (stoppedBy !== undefined || !running) process.exit(exitCodeOf(signal));
  stoppedBy = signal;
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

/** Finds the servers, installs missing ones where possible, and passes their paths to the tests. */
async function provideServers(environment: NodeJS.ProcessEnv): Promise<{ ok: boolean; remark?: string }> {
  const needed = [...servers, ...programs];
  const missing = needed.filter((server) => !server.find());
  const isDebianRoot = process.getuid?.() === 0 && existsSync("/etc/debian_version");
  const inDebian = missing.flatMap((each) => ("aptPackage" in each ? [each.aptPackage] : []));
  if (inDebian.length > 0 && isDebianRoot) await installWithApt(inDebian, environment);
  const inNpm = missing.flatMap((each) => ("npmPackage" in each ? [each.npmPackage] : []));
  if (inNpm.length > 0) await installWithNpm(inNpm, environment);
  const absent: string[] = [];
  for (const each of needed) {
    const { name, variable, find } = each;
    const path = find();
    if (path) {
      environment[variable] = path;
      say(`${name}: ${path}`);
    } else {
      delete environment[variable];
      absent.push(name);
      say(`${name}: NOT FOUND, so suites that need it are SKIPPED: ${"npmPackage" in each ? `npm could not install ${each.npmPackage}` : isDebianRoot ? `apt-get could not install ${each.aptPackage}` : `it is not installed (Debian: apt-get install ${each.aptPackage})`}.`);
    }
  }
  if (absent.length === 0) return { ok: true };
  return { ok: !isCi, remark: `${absent.join(" and ")} not found${isCi ? "; with CI=true no suite may be skipped" : ", so suites are skipped"}` };
}

/** Not among the project's own packages: nobody who starts the service needs them. */
async function installWithNpm(packages: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  mkdirSync(runtimeFolder, { recursive: true });
  const description = join(runtimeFolder, "package.json");
  if (!existsSync(description)) writeFileSync(description, '{ "private": true }\n');
  say(`Installing ${packages.join(" and ")} with npm …`);
  await run("npm", ["install", "--prefix", runtimeFolder, "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", ...packages], environment);
}

async function installWithApt(packages: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  // Without this file Debian would start the servers as services, but the tests start their own.
  const servicePolicy = "/usr/sbin/policy-rc.d";
  const isOurPolicy = !existsSync(servicePolicy);
  if (isOurPolicy) writeFileSync(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const quietly = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  try {
    say(`Installing ${packages.join(" and ")} with apt-get …`);
    if (!(await run("apt-get", ["update"], quietly))) say("apt-get update failed; trying with the existing package lists …");
    // One at a time, so that a missing package does not prevent the others.
    for (const name of packages) await run("apt-get", ["install", "--yes", "--no-install-recommends", name], quietly);
  } finally {
    if (isOurPolicy) rmSync(servicePolicy, { force: true });
  }
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

type RunOptions = { concurrency: number; timeoutMs: number };

async function runOnce(files: string[], options: RunOptions, environment: NodeJS.ProcessEnv): Promise<{ ok: boolean; outcome: Outcome }> {
  const folder = mkdtempSync(join(tmpdir(), "assay-test-"));
  const noted = join(folder, "outcome.json");
  const nodeOptions = [
    "--import",
    join(import.meta.dirname, "testing", "end-hanging-test.ts"),
    "--test",
    `--test-concurrency=${options.concurrency}`,
    `--test-timeout=${options.timeoutMs}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    `--test-reporter=${join(import.meta.dirname, "testing", "note-outcome.ts")}`,
    `--test-reporter-destination=${noted}`,
  ];
  try {
    const ok = await run(process.execPath, [...nodeOptions, ...files], { ...environment, ASSAY_TEST_FILE_MS_MAX: String(options.timeoutMs) });
    // Empty: it was stopped.
    const text = existsSync(noted) ? readFileSync(noted, "utf8") : "";
    const outcome = text === "" ? nothingRan : (JSON.parse(text) as Outcome);
    return { ok, outcome: { ...outcome, failedFiles: outcome.failedFiles.map((file) => relative(root, file)) } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runTests(files: string[], options: RunOptions, environment: NodeJS.ProcessEnv): Promise<{ ok: boolean; remark: string }> {
  const first = await runOnce(files, options, environment);
  const runAgain = async (file: string) => {
    say(`\n── Again, by itself: ${file}`);
    return runOnce([file], { ...options, concurrency: 1 }, environment);
  };
  return judgeTests(first, { isCi: isCi && stoppedBy === undefined, runAgain });
}

/** Runs the suites with one shared PostgreSQL, in which each file creates its own databases. */
async function runSuites(files: string[], options: RunOptions, environment: NodeJS.ProcessEnv) {
  if (environment.ASSAY_TEST_POSTGRES_BIN === undefined) return runTests(files, options, environment);
  const postgres = await startPostgres(environment.ASSAY_TEST_POSTGRES_BIN);
  try {
    return await runTests(files, options, { ...environment, ASSAY_TEST_POSTGRES_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop(signal));
if (process.channel) {
  process.on("disconnect", () => stop("SIGTERM"));
  process.channel.unref();
}
process.on("exit", () => running && killGroup(running, "SIGKILL"));

const isQuick = process.argv.includes("--quick");
const wanted = process.argv.slice(2).filter((argument) => argument !== "--quick");
const selected = selectTests(findTests(), wanted);
const files = isQuick ? findQuickTests(root, selected) : selected;
const environment: NodeJS.ProcessEnv = { ...process.env };
// It would make nested test runs report to the outer one.
delete environment.NODE_TEST_CONTEXT;

if (files.length === 0) {
  say(wanted.length > 0 ? `No test files in ${wanted.join(", ")}.` : "No test files found.");
  process.exit(1);
}
if (wanted.length === 0) {
  await step("Checks", async () => ({ ok: await run(process.execPath, [join("scripts", "check.ts")], environment) }));
}
if (!isQuick) await step("Servers", async () => provideServers(environment));
const suites = files.filter((file) => !file.endsWith(faultSuite));
const faultSuites = files.filter((file) => file.endsWith(faultSuite));
if (suites.length > 0) await step("Tests", async () => runSuites(suites, { concurrency: testsAtOnce, timeoutMs: testMsMax }, environment));
if (wanted.length === 0 && !isQuick) {
  await step("Mutants", async () => ({ ok: await run(process.execPath, [join("scripts", "mutate.ts"), "--today", "--tested"], environment) }));
}
if (faultSuites.length > 0) {
  // They come last because they load the machine.
  await step("Fault tests", async () => runTests(faultSuites, { concurrency: faultTestsAtOnce, timeoutMs: faultTestMsMax }, environment));
}

say("");
for (const { name, ok, seconds, remark } of steps) say(`${ok ? "✔" : "✖"} ${name} (${seconds.toFixed(1)} s)${remark ? `: ${remark}` : ""}`);
if (stoppedBy !== undefined) process.exitCode = exitCodeOf(stoppedBy);
else process.exitCode = steps.every(({ ok }) => ok) ? 0 : 1;
