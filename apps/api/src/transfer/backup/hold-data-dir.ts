import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errcodeOf, isBusy } from "../../store/sqlite-trouble.ts";

/** An empty file that is only ever locked. It stays: removing it would let two holders lock two different files. */
const lockFileName = "in-use.lock";

/** While it is held, the folder is used by somebody, or (held alone) by nobody else. */
export type DataDirHold = { release(): void };

/**
 * Services and commands hold the folder together; whoever exchanges the store in it holds it alone. Undefined: that
 * did not come about in time. The lock is SQLite's, on a file of its own, because Node has no other one that the
 * system takes back from a process that was killed.
 */
export function holdDataDir(dataDir: string, wish: { alone: boolean; waitMs: number }): DataDirHold | undefined {
  const lock = new DatabaseSync(join(dataDir, lockFileName), { timeout: wish.waitMs });
  try {
    if (wish.alone) {
      lock.exec("BEGIN EXCLUSIVE");
    } else {
      lock.exec("BEGIN");
      // It is the first read that locks.
      lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    }
  } catch (error) {
    lock.close();
    if (isBusy(errcodeOf(error))) return undefined;
    throw error;
  }
  return {
    release() {
      if (lock.isOpen) lock.close();
    },
  };
}
