import { type Config, ConfigError } from "../config.ts";
import { explain } from "../failure/failure.ts";
import { RightsMissing } from "../store/migrate.ts";
import { errcodeOf, isDamage, writeTroubleOf } from "../store/sqlite-trouble.ts";

export const toDamageError = (dataDir: string, problem: string): ConfigError =>
  new ConfigError(
    `DATA_DIR ${dataDir}: the store in it is damaged (${problem}). ` +
      "Restore the last backup: npm run -s assay -- restore FILE --force; it keeps the damaged store in a folder beside it",
  );

/** Turns errors that an operator can fix into one line. All others are bugs and stay as they are. */
export function explainOpenError(error: NodeJS.ErrnoException, config: Config, setting = "DATABASE_URL"): Error {
  if (error instanceof RightsMissing) return new ConfigError(error.message);
  if (config.databaseUrl !== undefined && (error.code !== undefined || /timeout|terminated/i.test(error.message))) {
    // node-postgres wraps one error per address that it tried.
    const reasons = error instanceof AggregateError ? error.errors.map(String).join("; ") : explain(error);
    return new ConfigError(`${setting}: the database cannot be used: ${reasons}`);
  }
  const errcode = errcodeOf(error);
  if (isDamage(errcode)) return toDamageError(config.dataDir, error.message);
  if (writeTroubleOf(errcode) === "disk_full") return new ConfigError(`DATA_DIR ${config.dataDir}: the disk is full`);
  if (errcode !== undefined) return new ConfigError(`DATA_DIR ${config.dataDir}: the database in it cannot be used: ${error.message}`);
  if (/newer version of Assay|the migration stopped and changed nothing/.test(error.message)) return new ConfigError(error.message);
  return error;
}
