import { explain } from "../failure/failure.ts";
import { type Config, ConfigError } from "../config.ts";
import { errcodeOf, isDamage, writeTroubleOf } from "../store/sqlite-trouble.ts";

/** What is left to do with a store that cannot be read; nothing has been done to it. */
export const damageExplained = (dataDir: string, problem: string): ConfigError =>
  new ConfigError(
    `DATA_DIR ${dataDir}: the store in it is damaged (${problem}). ` +
      "Restore the last backup: npm run -s assay -- restore FILE --force; it keeps the damaged store in a folder beside it",
  );

/** One line for what an operator can mend; everything else is a fault of ours and stays as it is. */
export function explainOpenError(error: NodeJS.ErrnoException, config: Config): Error {
  if (config.databaseUrl !== undefined && (error.code !== undefined || /timeout|terminated/i.test(error.message))) {
    // node-postgres wraps the reasons of all addresses that it tried.
    const reasons = error instanceof AggregateError ? error.errors.map(String).join("; ") : explain(error);
    return new ConfigError(`DATABASE_URL: the database cannot be used: ${reasons}`);
  }
  const errcode = errcodeOf(error);
  if (isDamage(errcode)) return damageExplained(config.dataDir, error.message);
  if (writeTroubleOf(errcode) === "disk_full") return new ConfigError(`DATA_DIR ${config.dataDir}: the disk is full`);
  if (errcode !== undefined) return new ConfigError(`DATA_DIR ${config.dataDir}: the database in it cannot be used: ${error.message}`);
  if (error.message.includes("newer version of Assay")) return new ConfigError(error.message);
  return error;
}
