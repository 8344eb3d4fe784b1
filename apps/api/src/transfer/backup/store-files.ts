/** The files of an embedded installation. */
import { hkdfSync } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteFileName } from "../../store/open-store.ts";

export const secretFileName = "secret.key";
/** Opens the local mailbox. It belongs to this machine: a backup does not hold it. */
export const localTokenFileName = "local-token";

/** The database, and the files that SQLite keeps beside it while it is open or after a crash. */
export const databaseFileNames = ["", "-wal", "-shm", "-journal"].map((ending) => sqliteFileName + ending);

const fingerprintBytes = 16;

export const databasePathOf = (dataDir: string): string => join(dataDir, sqliteFileName);

/** Undefined before the first start; the installation's secret also when SECRET_KEY has always been set. */
export function readSecretFile(dataDir: string, name = secretFileName): string | undefined {
  try {
    return readFileSync(join(dataDir, name), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Shows whether two installations share a secret without revealing it. Tracking addresses, second factors and
 * sign-ins are valid only under the secret they were made with.
 */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "assay", "fingerprint of the secret", fingerprintBytes)).toString("hex");

/** Makes a file, or the names in a folder, survive a power failure. */
export function syncToDisk(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
