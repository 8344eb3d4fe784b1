import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnvironment, findOrdinaryIdentity, findReachableFolder, type Identity } from "../../start-postgres.ts";

const pollMs = 25;

/**
 * A folder in which programs run as an ordinary system user, as on a machine of their own: they can be killed and
 * frozen together, including what they have started themselves. Nothing of it outlives the test process.
 */
export type Machine = {
  folder: string;
  identity: Identity;
  /** Appends what the program prints to `programs.log`. */
  run(program: string, args: readonly string[], environment?: Record<string, string>): void;
  logs(): string;
  /** Its processes, or those whose command matches. */
  pids(command?: RegExp): number[];
  /** Ends all processes at once. Resolves when none is left. */
  kill9(): Promise<void>;
  freeze(): Promise<void>;
  /** Continues all processes, or those whose command matches. */
  resume(command?: RegExp): void;
  /** Kills what still runs and deletes the files. */
  remove(): Promise<void>;
};

function isInside(pid: number, folder: string): boolean {
  try {
    const cwd = readlinkSync(`/proc/${pid}/cwd`);
    return cwd === folder || cwd.startsWith(`${folder}/`);
  } catch {
    // The process has exited, or belongs to somebody else.
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has exited since.
    }
  }
}

const isZombieOrGone = (pid: number): boolean => !/^State:\s+[^Z]/m.test(read(`/proc/${pid}/status`));

/** A shell that briefly outlives this process: when this process exits, in whatever way, it kills what runs in the folder and deletes it. */
function startWatchdog(folder: string): ChildProcess {
  const script =
    'read -r _; for round in 1 2 3; do for each in /proc/[0-9]*; do case "$(readlink "$each/cwd")/" in "$0"/*) kill -9 "${each#/proc/}";; esac; done; done; rm -rf "$0"';
  const watchdog = spawn("/bin/sh", ["-c", script, folder], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  watchdog.on("error", () => undefined);
  watchdog.unref();
  // The pipe must not keep the test process alive; only sockets support unref.
  if (watchdog.stdin && "unref" in watchdog.stdin && typeof watchdog.stdin.unref === "function") watchdog.stdin.unref();
  return watchdog;
}

export function makeMachine(name: string): Machine {
  const identity = findOrdinaryIdentity();
  const folder = mkdtempSync(join(findReachableFolder(), `assay-${name}-`));
  if (identity.uid !== undefined) chownSync(folder, identity.uid, identity.gid ?? identity.uid);
  const watchdog = startWatchdog(folder);
  const log = join(folder, "programs.log");

  const pids = (command?: RegExp): number[] =>
    readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
      .filter((pid) => isInside(pid, folder) && !isZombieOrGone(pid))
      .filter((pid) => command === undefined || command.test(read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")));

  async function kill9(): Promise<void> {
    for (let left = pids(); left.length > 0; left = pids()) {
      signal(left, "SIGKILL");
      await sleep(pollMs);
    }
  }

  return {
    folder,
    identity,
    pids,
    kill9,
    run(program, args, environment = {}) {
      const output = openSync(log, "a");
      const child = spawn(program, [...args], { ...identity, cwd: folder, env: { ...cleanEnvironment(), ...environment }, stdio: ["ignore", output, output], detached: true });
      child.on("error", () => undefined);
      child.unref();
      closeSync(output);
    },
    logs: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
    async freeze() {
      // What was started meanwhile is found by the next round.
      for (let before = -1, now = pids(); now.length !== before; before = now.length, now = pids()) {
        signal(now, "SIGSTOP");
        await sleep(1);
      }
    },
    resume: (command) => signal(pids(command), "SIGCONT"),
    async remove() {
      await kill9();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      watchdog.stdin?.end();
    },
  };
}
