import pg from "pg";
import type { DatabaseAddress } from "./parse-address.ts";
import { type SessionSettings, toOptions } from "./session-settings.ts";

const connectTimeoutMs = 3_000;

/** PostgreSQL sends bigint and its sums as text. Throws for integers beyond 2^53. */
function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error(`${text} is beyond 2^53`);
  return value;
}

const typeParsers: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    const { INT8, NUMERIC } = pg.types.builtins;
    if (format !== "binary" && (oid === INT8 || oid === NUMERIC)) return parseWholeNumber;
    return pg.types.getTypeParser(oid, format);
  },
};

/** node-postgres lets the URL's own options replace those beside it, so ours are added to them: the last one counts. */
function addOptions(url: URL, options: string): string {
  const added = new URL(url);
  added.searchParams.set("options", [...added.searchParams.getAll("options"), options].join(" "));
  return added.href;
}

/** Of the first host: whoever connects to another one sets `host` and `port` of the client. */
export function connectionSettings({ firstUrl }: DatabaseAddress, settings: SessionSettings): pg.ClientConfig {
  return {
    connectionString: addOptions(firstUrl, toOptions(settings)),
    types: typeParsers,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "assay",
  };
}
