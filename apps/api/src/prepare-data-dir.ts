import { randomBytes } from "node:crypto";
import { closeSync, existsSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "./config.ts";

const secretFileName = "secret.key";

/** Makes sure that the embedded store has a folder it can write to, before anything else is opened. */
export function prepareDataDir(dataDir: string): void {
  const probe = join(dataDir, `.write-probe-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true });
    closeSync(openSync(probe, "w"));
    rmSync(probe);
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The installation's secret: made once, readable by its owner only. */
export function readOrMakeSecret(dataDir: string): string {
  const path = join(dataDir, secretFileName);
  if (!existsSync(path)) {
    // Whole or not there at all: of two processes that start together neither may read half of it.
    const draft = join(dataDir, `.${secretFileName}-${process.pid}`);
    writeFileSync(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    try {
      linkSync(draft, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  }
  return readFileSync(path, "utf8");
}
