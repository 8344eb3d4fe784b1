// Where tests put their stores: in memory, where that is possible.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const tmpfs = 0x01_02_19_94;
const bytesMin = 12 * 1024 ** 3;
const prefix = "assay-tests-";

function hasRoom(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(memory);
    return type === tmpfs && bavail * bsize >= bytesMin && process.availableMemory() >= bytesMin;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** What runs left behind that were killed would stay in memory. */
function deleteAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const pid = Number(name.startsWith(prefix) ? name.slice(prefix.length).split("-")[0] : Number.NaN);
    if (pid > 0 && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true });
  }
}

/** Some tests compile programs and run them. */
function canExecute(folder: string): boolean {
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}

/**
 * A folder for temporary files that no disk holds up, until this process ends: tests wait for their databases' disk
 * longer than for anything else. Undefined where there is none, or too little memory. No test needs a disk to lose
 * nothing: processes are killed, and power cuts replay what a disk was told.
 */
export function makeMemoryFolder(): string | undefined {
  if (!hasRoom()) return undefined;
  deleteAbandoned();
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  return canExecute(folder) ? folder : undefined;
}
