import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errcodeOf, isBusy } from "../../store/sqlite-trouble.ts";

/** An empty file that is only locked, never deleted: otherwise two processes could lock two different files. */
const lockFileName = "in-use.lock";

export type DataDirLock = { release(): void };

/**
 * Services and commands share the lock; replacing the store needs it exclusively. Undefined when the lock was not free
 * in time. It is a SQLite lock on a file of its own: Node has no other lock that the system releases when the holder
 * is killed.
 */
export function lockDataDir(dataDir: string, options: { exclusive: boolean; waitMs: number }): DataDirLock | undefined {
  const lock = new DatabaseSync(join(dataDir, lockFileName), { timeout: options.waitMs });
  try {
    if (options.exclusive) {
      lock.exec("BEGIN EXCLUSIVE");
    } else {
      lock.exec("BEGIN");
      // The first read takes the shared lock.
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
