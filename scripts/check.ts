// Static checks: types, lint, imports, unused code, settings, lockfile, licences, generated SQL. All of them run even if one
// fails. Each prints one line, and its findings if it fails.
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findLockFaults, type Lock } from "./check-lock.ts";
import { findRoomCycle, findSmallFiles, findTableFaults, findUnusedPermissions, findUpwardFaults, type TableOwners, type Wings } from "./check-structure.ts";

type Finding = { ok: boolean; output: string };
type Check = { name: string; run: () => Promise<Finding> };

const outputCharactersMax = 64 * 1024 * 1024;
const violationsShownMax = 200;
const root = dirname(import.meta.dirname);
const sourceFolders = ["apps", "packages", "clients", "scripts", "bench", "training"];
/** On two cores the longest check is what the others fit beside. */
const checksAtOnce = 2;
const running = new Set<ChildProcess>();

const toolPath = (name: string): string => join("node_modules", ".bin", name);

const checks: Check[] = [
  // One program for both: it finds the tsconfig.json of each file, and reads each type once. It takes a third of the time that tsc takes alone.
  { name: "types and lint (oxlint)", run: () => runNode([toolPath("oxlint"), "--type-aware", "--type-check", "--deny-warnings"]) },
  { name: "imports (dependency-cruiser)", run: checkImports },
  { name: "unused code (knip)", run: () => runNode([toolPath("knip"), "--no-progress", "--no-config-hints"]) },
  { name: "environment is read in config.ts only", run: async () => checkEnvironmentReaders() },
  { name: "packages (package-lock.json)", run: async () => checkLock() },
  { name: "licences (THIRD-PARTY-NOTICES.txt)", run: () => runNode([join("scripts", "print-notices.ts"), "--check"]) },
  { name: "generated SQL (docs/sql)", run: () => runNode([join("scripts", "print-sql.ts"), "--check"]) },
];

/** Runs a program with this Node. Standard output and standard error are gathered, in their order. */
async function runNode(programArguments: string[]): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const child = spawn(process.execPath, programArguments, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let output = "";
  const collect = (chunk: string): void => {
    if (output.length < outputCharactersMax) output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  child.on("error", (error) => resolve({ ok: false, output: error.message }));
  child.on("close", (code, signal) => {
    running.delete(child);
    resolve({ ok: code === 0, output: signal ? `${output}\nkilled by ${signal}` : output });
  });
  return promise;
}

type Cruise = {
  modules: { source: string; dependencies: { resolved: string }[] }[];
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
  const faults = [...lines, ...findLayoutFaults(cruise)];
  return { ok: faults.length === 0, output: faults.join("\n") };
}

const sourceFolder = "apps/api/src/";
const isProduct = (file: string): boolean => file.startsWith(sourceFolder) && !/\.(test|samples)\.ts$/.test(file);
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));

function findLayoutFaults({ modules }: Cruise): string[] {
  const wings = readJson("scripts/wings.json") as Wings;
  const within = (file: string): string => file.slice(sourceFolder.length);
  const product = modules.filter(({ source }) => isProduct(source));
  const imports = product.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ resolved }) => isProduct(resolved)).map(({ resolved }) => ({ from: within(source), to: within(resolved) })),
  );
  const sources = new Map(product.map(({ source }) => [within(source), readFileSync(join(root, source), "utf8")]));
  const files = [...sources].map(([path, text]) => ({ path, lines: text.trimEnd().split("\n").length }));
  const cycle = findRoomCycle(wings, imports);
  return [
    ...findUnusedPermissions(wings, imports),
    ...findUpwardFaults(wings, imports),
    ...(cycle ? [`rooms import each other in a cycle: ${cycle.join(" → ")}`] : []),
    ...findSmallFiles(files, imports),
    ...findTableFaults(readJson("scripts/table-owners.json") as TableOwners, sources),
  ];
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
    for (const child of running) child.kill("SIGKILL");
    process.exit(signal === "SIGINT" ? 130 : 143);
  });
}
if (process.channel) {
  process.on("disconnect", () => {
    for (const child of running) child.kill("SIGKILL");
    process.exit(143);
  });
  process.channel.unref();
}

let failed = 0;
const waiting = [...checks];

async function runNext(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const startedMs = performance.now();
    const { ok, output } = await check.run();
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`${ok ? "✔" : "✖"} ${check.name} (${seconds} s)`);
    if (ok) continue;
    failed += 1;
    console.log(output.trimEnd().replace(/^/gm, "    "));
  }
}

await Promise.all(Array.from({ length: checksAtOnce }, runNext));
if (failed > 0) {
  console.log(`${failed} of ${checks.length} checks failed.`);
  process.exitCode = 1;
}
