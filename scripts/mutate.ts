// npm run mutate: plants one fault after another and checks that its test fails. See CONTRIBUTING.md.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../apps/api/test/start-postgres.ts";
import { servers } from "./find-servers.ts";
import { mutants } from "./mutants/all.ts";
import type { Mutant } from "./mutants/mutant.ts";
import { escapePattern, partCount, partOf, readVerdict, type Verdict } from "./mutants/verdict.ts";

const usage = `npm run mutate -- [TEXT …] [--part N] [--today] [--tested] [--list]

  TEXT       only mutants whose name or file contains it; default: all of them
  --part N   only the Nth of ${partCount} parts of the list, from 0 on
  --today    only the part whose turn it is; npm test runs that one
  --tested   the tests have just passed: they are not run without the fault too
  --list     prints the mutants and the tests that kill them, and runs nothing

Faults are planted in copies of this tree. A mutant that lives is a test that is missing.`;

const root = dirname(import.meta.dirname);
const atOnce = 2;
const testMsMax = 120_000;
const msPerDay = 86_400_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: "string" }, today: { type: "boolean" }, tested: { type: "boolean" }, list: { type: "boolean" }, help: { type: "boolean" } },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}
if (values.part !== undefined && !(/^\d{1,2}$/.test(values.part) && Number(values.part) < partCount)) {
  console.error(`--part takes a number from 0 to ${partCount - 1}.\n\n${usage}`);
  process.exit(1);
}

function choose(): readonly Mutant[] {
  const part = values.today ? Math.floor(Date.now() / msPerDay) % partCount : values.part;
  const some = part === undefined ? mutants : partOf(mutants, Number(part));
  if (part !== undefined) console.log(`Part ${part} of ${mutants.length} mutants.`);
  return some.filter(({ name, file }) => positionals.length === 0 || positionals.some((text) => name.includes(text) || file.includes(text)));
}

/** A copy of this tree, uncommitted changes included, that shares its installed packages and built pages. */
function copyTree(to: string): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n");
  for (const file of files.filter((each) => each !== "" && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(root, file), join(to, file));
  }
  // The workspaces' own links must lead into the copy, so the folder is not linked as a whole.
  mkdirSync(join(to, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => each !== "@assay")) symlinkSync(join(root, "node_modules", name), join(to, "node_modules", name));
  mkdirSync(join(to, "node_modules", "@assay"));
  for (const name of readdirSync(join(to, "packages"))) symlinkSync(join(to, "packages", name), join(to, "node_modules", "@assay", name));
  for (const shared of ["apps/api/node_modules", "apps/dashboard/dist"]) if (existsSync(join(root, shared))) symlinkSync(join(root, shared), join(to, shared));
}

/** Runs the one test in the copy and returns its TAP output. */
async function runTest(tree: string, { killedBy: [file, title], needs }: Mutant, environment: NodeJS.ProcessEnv): Promise<string> {
  // One test alone may leave open what the last one of its suite closes.
  const options = ["--test", "--test-force-exit", `--test-timeout=${testMsMax}`, "--test-reporter=tap", `--test-name-pattern=${escapePattern(title)}`];
  const env = { ...environment };
  // Both stores share most code: unless the fault is in PostgreSQL's half, SQLite's half of a suite is enough.
  if (needs !== "postgres") delete env.ASSAY_TEST_POSTGRES_BIN;
  const child = spawn(process.execPath, [...options, file], { cwd: tree, env, stdio: ["ignore", "pipe", "ignore"], timeout: 2 * testMsMax, killSignal: "SIGKILL" });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.on("error", reject);
  child.on("close", () => resolve(output));
  return promise;
}

async function tryMutant(tree: string, mutant: Mutant, environment: NodeJS.ProcessEnv): Promise<Verdict> {
  const path = join(tree, mutant.file);
  const original = readFileSync(path, "utf8");
  if (original.split(mutant.from).length !== 2) return { kind: "stale", why: `its text does not occur exactly once in ${mutant.file}` };
  const title = mutant.killedBy[1];
  writeFileSync(path, original.replace(mutant.from, () => mutant.to));
  const mutated = readVerdict(await runTest(tree, mutant, environment), title);
  writeFileSync(path, original);
  if (mutated.kind !== "killed" || values.tested) return mutated;
  // A test that fails without the fault too has not noticed it.
  return readVerdict(await runTest(tree, mutant, environment), title).kind === "lived"
    ? mutated
    : { kind: "stale", why: "its test fails without the fault too" };
}

const chosen = choose();
if (values.list) {
  for (const { name, file, killedBy } of chosen) console.log(`${name}\n    ${file}\n    ${killedBy.join(": ")}`);
  process.exit(0);
}
const environment: NodeJS.ProcessEnv = { ...process.env };
delete environment.NODE_TEST_CONTEXT;
for (const { variable, find } of servers) environment[variable] ??= find();
const needed = new Set(chosen.map(({ needs }) => needs));
const postgres = needed.has("postgres") ? await startPostgres(environment.ASSAY_TEST_POSTGRES_BIN) : undefined;
if (postgres) environment.ASSAY_TEST_POSTGRES_URL = postgres.url;
const folder = mkdtempSync(join(tmpdir(), "assay-mutants-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));
const waiting = [...chosen];
let survivors = 0;

async function work(name: string): Promise<void> {
  const tree = join(folder, name);
  copyTree(tree);
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const verdict = await tryMutant(tree, mutant, environment);
    if (verdict.kind !== "killed") survivors += 1;
    const remark = "why" in verdict ? `: ${verdict.why}` : "";
    console.log(`${verdict.kind === "killed" ? "✔" : "✖"} ${verdict.kind} ${mutant.name}${remark}`);
    if (verdict.kind !== "killed") console.log(`    ${mutant.file}\n    ${mutant.killedBy.join(": ")}`);
  }
}

try {
  await Promise.all(Array.from({ length: atOnce }, (_, index) => work(String(index))));
} finally {
  await postgres?.stop();
}
console.log(`${chosen.length - survivors} of ${chosen.length} mutants were killed.`);
process.exitCode = survivors === 0 && chosen.length > 0 ? 0 : 1;
