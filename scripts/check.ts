// Static checks: types, lint, imports, unused code, settings, lockfile, generated SQL. All of them run even if one
// fails. Each prints one line, and its findings if it fails.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLockFaults, type Lock } from "./check-lock.ts";

type Finding = { ok: boolean; output: string };
type Check = { name: string; run: () => Promise<Finding> };

const outputCharactersMax = 64 * 1024 * 1024;
const violationsShownMax = 200;
const root = dirname(import.meta.dirname);
const sourceFolders = ["apps", "packages", "scripts", "bench", "training"];
let running: ChildProcess | undefined;

const toolPath = (name: string): string => join("node_modules", ".bin", name);

const checks: Check[] = [
  { name: "types (tsc)", run: () => runNode([toolPath("tsc"), "--noEmit", "-p", "."]) },
  { name: "types of the dashboard (tsc)", run: () => runNode([toolPath("tsc"), "--noEmit", "-p", "apps/dashboard"]) },
  { name: "types of the collector (tsc)", run: () => runNode([toolPath("tsc"), "--noEmit", "-p", "packages/collector"]) },
  { name: "lint (oxlint)", run: () => runNode([toolPath("oxlint"), "--type-aware", "--deny-warnings"]) },
  { name: "imports (dependency-cruiser)", run: checkImports },
  { name: "unused code (knip)", run: () => runNode([toolPath("knip"), "--no-progress", "--no-config-hints"]) },
  { name: "environment is read in config.ts only", run: async () => checkEnvironmentReaders() },
  { name: "packages (package-lock.json)", run: async () => checkLock() },
  { name: "generated SQL (docs/sql)", run: () => runNode([join("scripts", "print-sql.ts"), "--check"]) },
];

/** Runs a program with this Node and collects its standard output and standard error in order. */
async function runNode(programArguments: string[]): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const child = spawn(process.execPath, programArguments, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  running = child;
  let output = "";
  const collect = (chunk: string): void => {
    if (output.length < outputCharactersMax) output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  child.on("error", (error) => resolve({ ok: false, output: error.message }));
  child.on("close", (code, signal) => {
    running = undefined;
    resolve({ ok: code === 0, output: signal ? `${output}\nkilled by ${signal}` : output });
  });
  return promise;
}

type Cruise = {
  summary: {
    totalCruised: number;
    totalDependenciesCruised?: number;
    violations: { from: string; to: string; rule: { name: string; severity: string }; cycle?: { name: string }[]; comment?: string }[];
    ruleSetUsed?: { forbidden?: { name?: string; comment?: string }[] };
  };
};

async function checkImports(): Promise<Finding> {
  const { ok, output } = await runNode([toolPath("depcruise"), "--config", ".dependency-cruiser.cjs", "--output-type", "json", ...sourceFolders]);
  const cruise = ok ? parseCruise(output) : undefined;
  if (!cruise) return { ok: false, output };
  const { totalCruised, totalDependenciesCruised, violations, ruleSetUsed } = cruise.summary;
  // With a TypeScript version it does not support, dependency-cruiser reads no modules and reports success.
  if (!totalCruised || !totalDependenciesCruised) return { ok: false, output: "dependency-cruiser read no modules, so nothing was checked." };
  const commentOf = new Map(ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment ?? ""]));
  const lines = violations.slice(0, violationsShownMax).map(({ rule, from, to, cycle }) => {
    const route = cycle ? cycle.map(({ name }) => name).join(" → ") : to;
    return `${rule.name}: ${from} → ${route}\n    ${commentOf.get(rule.name) ?? ""}`;
  });
  return { ok: violations.length === 0, output: lines.join("\n") };
}

function parseCruise(output: string): Cruise | undefined {
  try {
    return JSON.parse(output) as Cruise;
  } catch {
    return undefined;
  }
}

function checkLock(): Finding {
  const faults = findLockFaults(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock);
  return { ok: faults.length === 0, output: faults.join("\n") };
}

/** Reading the environment needs no import, so it is found in the source text. */
function checkEnvironmentReaders(): Finding {
  const readsEnvironment = /\bprocess\s*(\.|\?\.)\s*env\b|\bprocess\s*\[|from\s+["'](node:)?process["']/;
  const settings = "apps/api/src/config.ts";
  const files = globSync("apps/api/src/**/*.ts", { cwd: root })
    .filter((file) => file !== settings && !file.endsWith(".test.ts"))
    .toSorted();
  const lines = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (readsEnvironment.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  const output = lines.length > 0 ? `Only ${settings} may read the environment; pass the setting as an argument:\n${lines.join("\n")}` : "";
  return { ok: files.length > 0 && lines.length === 0, output: files.length > 0 ? output : "no source files found" };
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    running?.kill("SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  });
}
if (process.channel) {
  process.on("disconnect", () => {
    running?.kill("SIGKILL");
    process.exit(143);
  });
  process.channel.unref();
}

let failed = 0;
for (const { name, run } of checks) {
  const startedMs = performance.now();
  const { ok, output } = await run();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${ok ? "✔" : "✖"} ${name} (${seconds} s)`);
  if (ok) continue;
  failed += 1;
  console.log(output.trimEnd().replace(/^/gm, "    "));
}
if (failed > 0) {
  console.log(`${failed} of ${checks.length} checks failed.`);
  process.exitCode = 1;
}
