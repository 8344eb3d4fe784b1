import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { clockEnvironment } from "../../../../../scripts/testing/shift-clock.ts";
import { answerWatch, makeTestFolder, noteUndescribed } from "../../start-service.ts";

const startMsMax = 120_000;
const root = new URL("../../../../../", import.meta.url).pathname;
const nodeMajorMin = 24;

type RunningProcess = { pid: number; parent: number; command: string };

/** `npm start` as run from a shell. */
export type NpmStart = {
  url: string;
  dataDir: string;
  npm: ChildProcess;
  logs(): string;
  /** npm and all its descendants, npm first. */
  tree(): RunningProcess[];
  /** Its exit code, or the signal that killed it. */
  whenEnded: Promise<number | NodeJS.Signals>;
  /** Kills whatever is left of it. */
  kill9(): void;
};

export type NpmStartOptions = { folder: string; path: string; environment: Record<string, string> };

/** The repository itself, on the Node that runs this test, which can load the watch of the answers. */
export const onThisNode = (): NpmStartOptions => ({
  folder: root,
  path: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
  environment: { NODE_OPTIONS: `--import=${answerWatch}` },
});

function majorOf(node: string): number {
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  return Number(/^v(\d+)\./.exec(stdout ?? "")?.[1] ?? Number.NaN);
}

/** Undefined if the machine has no Node that is too old for the service. */
function findOlderNodeFolder(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => existsSync(join(folder, "node")) && existsSync(join(folder, "npm")));
  return folders.find((folder) => {
    const major = majorOf(join(folder, "node"));
    return major >= 20 && major < nodeMajorMin;
  });
}

export const hasOlderNode = (): boolean => findOlderNodeFolder() !== undefined;

/**
 * A copy of the repository for an older Node, with this Node where the bootstrap would put the downloaded one: the
 * same files run, and nothing is downloaded.
 */
export function onOlderNode(): NpmStartOptions {
  const nodeFolder = findOlderNodeFolder();
  if (nodeFolder === undefined) throw new Error("there is no older Node");
  const folder = makeTestFolder();
  for (const name of ["apps", "packages", "node_modules"]) symlinkSync(join(root, name), join(folder, name));
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, "scripts"));
  copyFileSync(join(root, "scripts", "bootstrap.mjs"), join(folder, "scripts", "bootstrap.mjs"));
  const runtime = join(folder, ".runtime", "node_modules", `node-${process.platform}-${process.arch}`, "bin");
  mkdirSync(runtime, { recursive: true });
  symlinkSync(process.execPath, join(runtime, "node"));
  const cache = join(folder, "compiled");
  mkdirSync(cache);
  const path = [nodeFolder, process.env.PATH ?? ""].join(delimiter);
  return { folder, path, environment: { NODE_COMPILE_CACHE: cache } };
}

/** All processes of the machine except zombies. */
function listProcesses(): RunningProcess[] {
  const found: RunningProcess[] = [];
  for (const name of readdirSync("/proc").filter((each) => /^\d+$/.test(each))) {
    try {
      const [, rest = ""] = /\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, "utf8")) ?? [];
      const [state, parent] = rest.split(" ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      if (state !== "Z") found.push({ pid: Number(name), parent: Number(parent), command });
    } catch {
      // The process exited in the meantime.
    }
  }
  return found;
}

export const areRunning = (pids: readonly number[]): number[] =>
  listProcesses().map(({ pid }) => pid).filter((pid) => pids.includes(pid));

export const childrenOf = (parent: number): RunningProcess[] => listProcesses().filter((each) => each.parent === parent);

function treeOf(top: number): RunningProcess[] {
  const all = listProcesses();
  const tree = all.filter(({ pid }) => pid === top);
  for (const each of tree) tree.push(...all.filter(({ parent }) => parent === each.pid));
  return tree;
}

/** Only what npm needs, so that the machine's environment does not affect tests. */
function cleanEnvironment({ path, environment }: NpmStartOptions, dataDir: string): Record<string, string> {
  const kept = ["HOME", "USER", "LANG", "TMPDIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const settings = { PATH: path, PORT: "0", DATA_DIR: dataDir, LOG_LEVEL: "warn", npm_config_update_notifier: "false" };
  return { ...Object.fromEntries(kept), ...clockEnvironment(), ...settings, ...environment };
}

export async function npmStart(options: NpmStartOptions): Promise<NpmStart> {
  const dataDir = makeTestFolder();
  const npm = spawn("npm", ["start"], {
    cwd: options.folder,
    env: cleanEnvironment(options, dataDir),
    stdio: ["ignore", "pipe", "pipe"],
    // Its own process group, so that all of it can be killed when the test is interrupted.
    detached: true,
  });
  const killGroup = () => {
    try {
      process.kill(-npm.pid!, "SIGKILL");
    } catch {
      // No process of the group is left.
    }
  };
  process.on("exit", killGroup);
  let printed = "";
  const { promise: ready, resolve } = Promise.withResolvers<string | undefined>();
  for (const output of [npm.stdout, npm.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      noteUndescribed(text);
      const url = /is ready at (\S+)/.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    });
  }
  const whenEnded = new Promise<number | NodeJS.Signals>((end) => {
    npm.once("exit", (code, signal) => end(code ?? signal!));
  });
  void whenEnded.then(() => resolve(undefined));
  const timer = setTimeout(() => resolve(undefined), startMsMax);
  const url = await ready;
  clearTimeout(timer);
  if (url === undefined) {
    killGroup();
    throw new Error(`npm start did not start the service:\n${printed}`);
  }
  return { url, dataDir, npm, logs: () => printed, tree: () => treeOf(npm.pid!), whenEnded, kill9: killGroup };
}
