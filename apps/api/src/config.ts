/** The only module that reads the environment. An invalid setting fails with one line. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { parseUsd } from "./formats/money.ts";
import type { CallPayer } from "./store/schema.ts";

/** An invalid setting. The message is the one line that the operator reads. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads one setting; undefined means absent. Throws a ConfigError that does not name the setting. */
type Parse<Value> = (given: string | undefined) => Value;

const fail = (expected: string): never => {
  throw new ConfigError(expected);
};

const text = <Fallback extends string | undefined>(fallback: Fallback): Parse<string | Fallback> => (given) => given ?? fallback;

const wholeNumber = (bounds: { from: number; to: number; fallback: number }): Parse<number> => (given) => {
  if (given === undefined) return bounds.fallback;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= bounds.from && value <= bounds.to) return value;
  return fail(`must be a whole number from ${bounds.from} to ${bounds.to}, not "${given}"`);
};

const oneOf =
  <Choice extends string, Fallback extends Choice | undefined>(choices: readonly Choice[], fallback: Fallback): Parse<Choice | Fallback> =>
  (given) => {
    if (given === undefined) return fallback;
    return choices.find((choice) => choice === given) ?? fail(`must be ${choices.join(" or ")}, not "${given}"`);
  };

/** The message does not repeat the address: it may contain a password. */
const address = (protocols: readonly string[], example: string): Parse<string | undefined> => (given) => {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (!url || !protocols.includes(url.protocol) || url.hostname === "") return fail(`is not an address of the form ${example}`);
  return given.replace(/\/$/, "");
};

/** A sender: an address, or a name with the address in angle brackets. */
const mailbox = (example: string): Parse<string | undefined> => (given) => {
  if (given === undefined || /^(?:[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(given)) return given;
  return fail(`must be an address such as ${example}`);
};

const cidrs: Parse<string[]> = (given) => {
  const ranges = (given ?? "").split(",").map((range) => range.trim()).filter((range) => range !== "");
  for (const range of ranges) {
    const [ip = "", bits, ...rest] = range.split("/");
    const bitsMax = isIP(ip) === 6 ? 128 : 32;
    const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
    if (isIP(ip) === 0 || !bitsFit || rest.length > 0) fail(`must be CIDR ranges separated by commas; "${range}" is not one`);
  }
  return ranges;
};

/** An amount in USD, returned in micro-USD. */
const microUsd = (fallback: number): Parse<number> => (given) => {
  if (given === undefined) return fallback;
  return parseUsd(given) ?? fail(`must be an amount in USD such as 50, not "${given}"`);
};

const secret: Parse<string | undefined> = (given) =>
  given !== undefined && given.length < 32 ? fail("must have 32 characters or more") : given;

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const payers = ["platform", "developer"] as const satisfies readonly CallPayer[];

const settings = {
  HOST: text("127.0.0.1"),
  PORT: wholeNumber({ from: 0, to: 65_535, fallback: 8_080 }),
  DATA_DIR: text("./data"),
  DATABASE_URL: address(["postgres:", "postgresql:"], "postgres://name:password@host:5432/database"),
  REDIS_URL: address(["redis:", "rediss:"], "redis://host:6379"),
  PUBLIC_URL: address(["http:", "https:"], "https://assay.example.com"),
  CDN_URL: address(["http:", "https:"], "https://cdn.example.com"),
  TRACK_URL: address(["http:", "https:"], "https://track.example.com"),
  SMTP_URL: address(["smtp:", "smtps:"], "smtps://name:password@host:465"),
  MAIL_FROM: mailbox("Assay <no-reply@example.com>"),
  SECRET_KEY: secret,
  TRUST_PROXY: cidrs,
  CALL_PAYER: oneOf(payers, "platform"),
  TIER_UPGRADES: oneOf(["review", "instant"], undefined),
  SESSION_RETENTION_DAYS: wholeNumber({ from: 1, to: 3_650, fallback: 90 }),
  CLICK_HOLD_DAYS: wholeNumber({ from: 0, to: 365, fallback: 7 }),
  PAYOUT_MINIMUM_USD: microUsd(50_000_000),
  OPERATOR_LEGAL_NAME: text(undefined),
  OPERATOR_ADDRESS: text(undefined),
  OPERATOR_TAX_ID: text(undefined),
  METRICS_TOKEN: text(undefined),
  LOG_LEVEL: oneOf(logLevels, "info"),
};

export const settingNames: ReadonlySet<string> = new Set(Object.keys(settings));

export const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1"]);

type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]> };

export type Config = {
  host: string;
  port: number;
  dataDir: string;
  /** Undefined: the embedded store. */
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  /** Undefined: the address that the server listens on. */
  publicUrl: string | undefined;
  /** Public addresses of images and tracking. Undefined: paths under the public address. */
  cdnUrl: string | undefined;
  trackUrl: string | undefined;
  /** Undefined: mail is written to `DATA_DIR/outbox` and shown by the local mailbox page. */
  smtpUrl: string | undefined;
  mailFrom: string | undefined;
  /** Undefined in embedded mode: the secret file in `DATA_DIR` is used. */
  secretKey: string | undefined;
  trustProxy: string[];
  callPayer: CallPayer;
  sessionRetentionDays: number;
  /** For this long a click's revenue may be reversed. */
  clickHoldDays: number;
  /** Smaller amounts carry over to the next month. */
  payoutMinimumMicroUsd: number;
  /** Whether a request for a higher tier waits for an operator or is granted at once. */
  tierUpgrades: "review" | "instant";
  /** The issuer of statements. */
  operator: { legalName: string | undefined; address: string | undefined; taxId: string | undefined };
  metricsToken: string | undefined;
  logLevel: (typeof logLevels)[number];
};

function parseAll(environment: NodeJS.ProcessEnv): Values {
  const values: Record<string, unknown> = {};
  for (const [name, parse] of Object.entries(settings)) {
    try {
      // An empty setting counts as absent: `NAME= command` and most service files mean that.
      values[name] = parse(environment[name] || undefined);
    } catch (error) {
      if (error instanceof ConfigError) throw new ConfigError(`${name} ${error.message}`);
      throw error;
    }
  }
  return values as Values;
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const values = parseAll(environment);
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    throw new ConfigError("SECRET_KEY is required with DATABASE_URL: all nodes must share it");
  }
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined) {
    throw new ConfigError("MAIL_FROM is required with SMTP_URL: mails need a sender");
  }
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    publicUrl: values.PUBLIC_URL,
    cdnUrl: values.CDN_URL,
    trackUrl: values.TRACK_URL,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    secretKey: values.SECRET_KEY,
    trustProxy: values.TRUST_PROXY,
    callPayer: values.CALL_PAYER,
    sessionRetentionDays: values.SESSION_RETENTION_DAYS,
    clickHoldDays: values.CLICK_HOLD_DAYS,
    payoutMinimumMicroUsd: values.PAYOUT_MINIMUM_USD,
    tierUpgrades: values.TIER_UPGRADES ?? (loopbackHosts.has(values.HOST) ? "instant" : "review"),
    operator: { legalName: values.OPERATOR_LEGAL_NAME, address: values.OPERATOR_ADDRESS, taxId: values.OPERATOR_TAX_ID },
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}
