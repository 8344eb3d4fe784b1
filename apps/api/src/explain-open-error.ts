import { type Config, ConfigError } from "./config.ts";

/** One line for what an operator can mend; everything else is a fault of ours and stays as it is. */
export function explainOpenError(error: NodeJS.ErrnoException, config: Config): Error {
  if (config.databaseUrl !== undefined && (error.code !== undefined || /timeout|terminated/i.test(error.message))) {
    // node-postgres wraps the reasons of all addresses that it tried.
    const reasons = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
    return new ConfigError(`DATABASE_URL: the database cannot be used: ${reasons}`);
  }
  if (error.code === "ERR_SQLITE_ERROR") {
    return new ConfigError(`DATA_DIR ${config.dataDir}: the database in it cannot be used: ${error.message}`);
  }
  if (error.message.includes("newer version of Assay")) return new ConfigError(error.message);
  return error;
}
