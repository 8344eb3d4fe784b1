// Runs test files in copies of the tree, in which faults can be planted.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startPostgres } from "../../apps/api/test/start-postgres.ts";
import { programs, servers } from "../find-servers.ts";
import { createTapReader, escapePattern, type Outcome } from "./read-outcomes.ts";

export const root = dirname(dirname(import.meta.dirname));
export const readSource = (file: string): string => readFileSync(join(root, file), "utf8");

/** As in scripts/test.ts: one more than there are cores uses the time that the others wait. */
const atOnce = Math.max(2, Math.min(4, availableParallelism() + 1));

export type Half = "sqlite" | "postgres";
/** `isDecided` ends the run early; `titles` leaves out all other tests. */
export type Run = { file: string; half: Half; msMax: number; titles?: readonly string[]; isDecided?: (outcome: Outcome) => boolean };
export type RunResult = { outcomes: Outcome[]; end: "ended" | "decided" | "too_long"; ms: number };

export type Tree = {
  run(run: Run): Promise<RunResult>;
  /** Runs `work` while the text of a file is another one. */
  withText<T>(file: string, text: string, work: () => Promise<T>): Promise<T>;
};

export type Lab = {
  hasPostgres: boolean;
  hasRedis: boolean;
  /** Does all of the tasks, each in a tree that nobody else uses meanwhile. */
  forEach<T>(tasks: readonly T[], work: (tree: Tree, task: T) => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

/** A copy of this tree, uncommitted changes included, that shares its installed packages and built pages. */
function copyTree(to: string): void {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" }).split("\n");
  for (const file of files.filter((each) => each !== "" && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    copyFileSync(join(root, file), join(to, file));
  }
  // The workspaces' own links must lead into the copy, so the folder is not linked as a whole.
  mkdirSync(join(to, "node_modules", "@assay"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")).filter((each) => each !== "@assay")) symlinkSync(join(root, "node_modules", name), join(to, "node_modules", name));
  for (const name of readdirSync(join(to, "packages"))) symlinkSync(join(to, "packages", name), join(to, "node_modules", "@assay", name));
  for (const shared of ["apps/api/node_modules", "apps/dashboard/dist"]) if (existsSync(join(root, shared))) symlinkSync(join(root, shared), join(to, shared));
}

/** Ends a test with whatever it has started. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

const running = new Set<ChildProcess>();

async function runIn(tree: string, { file, half, msMax, titles = [], isDecided = () => false }: Run, environment: NodeJS.ProcessEnv): Promise<RunResult> {
  const env = { ...environment };
  // Both stores share most code: unless the fault is about PostgreSQL, SQLite's half of a suite is enough.
  if (half === "sqlite") delete env.ASSAY_TEST_POSTGRES_BIN;
  // A test alone may leave open what the last one of its suite closes.
  const options = ["--test-force-exit", `--test-timeout=${msMax}`, "--test-reporter=tap", ...titles.map((title) => `--test-name-pattern=${escapePattern(title)}`)];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...options, file], { cwd: tree, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
  running.add(child);
  const { promise, resolve, reject } = Promise.withResolvers<RunResult["end"]>();
  const outcomes: Outcome[] = [];
  const read = createTapReader();
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    const more = read(piece);
    outcomes.push(...more);
    if (more.some(isDecided)) resolve("decided");
  });
  child.on("error", reject);
  child.on("close", () => resolve("ended"));
  const timer = setTimeout(() => resolve("too_long"), msMax);
  try {
    return { end: await promise, outcomes, ms: performance.now() - startedMs };
  } finally {
    clearTimeout(timer);
    endGroup(child);
    running.delete(child);
  }
}

/** `needsPostgres`: one server for all tests, in which each file creates its own databases. */
export async function openLab(needsPostgres: boolean): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), "assay-mutants-"));
  process.on("exit", () => {
    for (const child of running) endGroup(child);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(1));
  const environment: NodeJS.ProcessEnv = { ...process.env, TMPDIR: join(folder, "tmp"), NODE_COMPILE_CACHE: join(folder, "compiled") };
  mkdirSync(environment.TMPDIR!, { mode: 0o777 });
  // It would make the tests report to the run that this one is part of.
  delete environment.NODE_TEST_CONTEXT;
  for (const { variable, find } of [...servers, ...programs]) environment[variable] ??= find();
  const hasPostgres = Boolean(environment.ASSAY_TEST_POSTGRES_BIN);
  const postgres = needsPostgres && hasPostgres ? await startPostgres(environment.ASSAY_TEST_POSTGRES_BIN) : undefined;
  if (postgres) environment.ASSAY_TEST_POSTGRES_URL = postgres.url;

  const openTree = (path: string): Tree => {
    copyTree(path);
    return {
      run: (run) => runIn(path, run, environment),
      async withText(file, text, work) {
        const original = readFileSync(join(path, file), "utf8");
        writeFileSync(join(path, file), text);
        try {
          return await work();
        } finally {
          writeFileSync(join(path, file), original);
        }
      },
    };
  };

  return {
    hasPostgres,
    hasRedis: Boolean(environment.ASSAY_TEST_REDIS_SERVER),
    async forEach(tasks, work) {
      const waiting = [...tasks];
      const inTurn = async (index: number): Promise<void> => {
        const tree = openTree(join(folder, String(index)));
        for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await work(tree, task);
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, waiting.length) }, (_, index) => inTurn(index)));
    },
    close: async () => postgres?.stop(),
  };
}
