/** What an embedded installation consists of, by file name within its data folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteFileName } from "../../store/open-store.ts";

export const secretFileName = "secret.key";

/** The database and what SQLite keeps beside it while it is open, or after a crash. */
export const databaseFileNames = ["", "-wal", "-shm", "-journal"].map((ending) => sqliteFileName + ending);

export const databasePathOf = (dataDir: string): string => join(dataDir, sqliteFileName);

/** Undefined where none was made: before the first start, or because SECRET_KEY has always been set. */
export function readSecretFile(dataDir: string): string | undefined {
  try {
    return readFileSync(join(dataDir, secretFileName), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
