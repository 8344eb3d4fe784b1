import type { Config } from "../config.ts";
import { migrateAsOwner } from "../store/migrate.ts";
import { explainOpenError } from "./explain-open-error.ts";

/** Migrates as DATABASE_OWNER_URL, where it is set, and grants the role of DATABASE_URL what the service needs. Returns what was applied. */
export async function migrateByOwner(config: Config): Promise<string[]> {
  const { databaseUrl: serviceUrl, databaseOwnerUrl: ownerUrl } = config;
  if (serviceUrl === undefined || ownerUrl === undefined) return [];
  return migrateAsOwner({ ownerUrl, serviceUrl }, Date.now()).catch((error: Error) => {
    throw explainOpenError(error, config, "DATABASE_OWNER_URL");
  });
}
