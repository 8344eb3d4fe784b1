import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve as resolvePath } from "node:path";

export const root = dirname(import.meta.dirname);

let exitsOnSignals = false;

/** A signal then ends this process as its own decision would: what is to be stopped and deleted at exit, is. */
export function exitOnSignals(): void {
  if (exitsOnSignals) return;
  exitsOnSignals = true;
  for (const [signal, code] of [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]] as const) process.on(signal, () => process.exit(code));
  process.on("disconnect", () => process.exit(143));
  process.channel?.unref();
}

type StartScript = { scripts: { start: string } };

/** Node's own options that `npm start` gives the service. Everything that is measured runs with them, the bare echo included. */
export function readNodeOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as StartScript;
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
}

/** What scripts/bootstrap.mjs adds to the environment, for benchmarks that are started without it. */
const environmentDefaults = { MALLOC_ARENA_MAX: "2", NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled") };

export type BenchChild = { url: string; pid: number; residentMiB(): number; stop(): Promise<void> };

/**
 * Starts and stops the service of each tree once: as on every machine that has started it before, its compiled code is then cached. A single
 * round only shows that everything runs, so it does without.
 */
export async function fillCompileCache(trees: readonly string[], folder: string, rounds: number): Promise<void> {
  if (rounds === 1) return;
  for (const [index, tree] of trees.entries()) {
    await (await startChild([resolvePath(tree, "apps/api/src/main.ts")], { DATA_DIR: resolvePath(folder, `first-${index}`), PORT: "0" })).stop();
  }
}

/** Starts a program of this tree, or of another one by its full path, and waits until it prints "is ready at URL". */
export async function startChild(program: string[], environment: Record<string, string> = {}, nodeOptions = readNodeOptions()): Promise<BenchChild> {
  exitOnSignals();
  const [file = "", ...rest] = program;
  const child = spawn(process.execPath, [...nodeOptions, resolvePath(root, file), ...rest], {
    env: { ...environmentDefaults, ...process.env, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = (): void => void child.kill("SIGKILL");
  // Before whatever deletes the folder that the program writes to.
  process.prependOnceListener("exit", kill);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const found = /is ready at (http:\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`${file} exited with ${code}`)));
  });
  return {
    url,
    pid: child.pid!,
    residentMiB() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
    },
    async stop() {
      child.kill("SIGTERM");
      await exited;
      process.off("exit", kill);
    },
  };
}
