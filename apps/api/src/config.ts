/** The only module that reads the environment. An invalid setting fails with one line. */
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { readRedisUrl } from "./access/redis/redis-url.ts";
import { parseUsd } from "./formats/money.ts";
import type { CallPayer } from "./store/schema.ts";
import { AddressError, parseAddress } from "./store/primary/parse-address.ts";
import { readPrivateRange } from "./webhooks/egress/judge-address.ts";

/** An invalid setting. The message is the one line that the operator reads. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Each worker opens connections of its own to PostgreSQL and Redis. */
const workersMax = 128;
/** Set by the supervisor for each of its workers, never by an operator. */
export const workerNumberVariable = "ASSAY_WORKER_NUMBER";

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

const redisAddress: Parse<string | undefined> = (given) => {
  if (given === undefined) return undefined;
  const read = readRedisUrl(given);
  return typeof read === "string" ? fail(read) : given;
};

/** A database: one host, or several of which one accepts writes. */
const databaseAddress = (example: string): Parse<string | undefined> => (given) => {
  if (given === undefined) return undefined;
  try {
    parseAddress(given, example);
    return given.replace(/\/$/, "");
  } catch (error) {
    if (error instanceof AddressError) return fail(error.message);
    throw error;
  }
};

/** A database that is one host: which of several answers would not be known. */
const replicaAddress = (example: string): Parse<string | undefined> => (given) => {
  const url = databaseAddress(example)(given);
  return url !== undefined && parseAddress(url, example).hosts.length > 1 ? fail("must name one host: the replica that reports are read from") : url;
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

const privateCidrs: Parse<string[]> = (given) => {
  const ranges = cidrs(given);
  const wrong = ranges.find((range) => readPrivateRange(range) === undefined);
  if (wrong !== undefined) fail(`must be within 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 or fc00::/7; "${wrong}" is not`);
  return ranges;
};

const isDecodable = (encoded: string): boolean => {
  try {
    return decodeURIComponent(encoded) !== "";
  } catch {
    return false;
  }
};

/** A proxy for CONNECT. The message does not repeat the address: it may contain a password. */
const proxyAddress = (example: string): Parse<string | undefined> => (given) => {
  const proxy = address(["http:"], example)(given);
  if (proxy === undefined || (/^http:\/\/[^/?#]+$/i.test(proxy) && isDecodable(proxy))) return proxy;
  return fail(`is not an address of the form ${example}`);
};

/** An amount in USD, returned in micro-USD. */
const microUsd = <Fallback extends number | undefined>(fallback: Fallback): Parse<number | Fallback> => (given) => {
  if (given === undefined) return fallback;
  return parseUsd(given) ?? fail(`must be an amount in USD such as 50, not "${given}"`);
};

const secret: Parse<string | undefined> = (given) =>
  given !== undefined && given.length < 32 ? fail("must have 32 characters or more") : given;

/** Old secrets, separated by commas: the newest first. */
const secrets: Parse<string[]> = (given) => {
  const old = (given ?? "").split(",").map((each) => each.trim()).filter((each) => each !== "");
  if (old.some((each) => each.length < 32)) fail("must be old secrets of 32 characters or more, separated by commas");
  return old;
};

/** How many processes serve the port. */
const workerCount: Parse<number | "auto"> = (given) => {
  if (given === "auto") return given;
  if (given === undefined || (/^[1-9]\d*$/.test(given) && Number(given) <= workersMax)) return Number(given ?? 1);
  return fail(`must be auto or a whole number from 1 to ${workersMax}, not "${given}"`);
};

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const payers = ["platform", "developer"] as const satisfies readonly CallPayer[];

const settings = {
  HOST: text("127.0.0.1"),
  PORT: wholeNumber({ from: 0, to: 65_535, fallback: 8_080 }),
  DATA_DIR: text("./data"),
  DATABASE_URL: databaseAddress("postgres://name:password@host:5432/database"),
  DATABASE_OWNER_URL: databaseAddress("postgres://owner:password@host:5432/database"),
  DATABASE_REPORT_URL: replicaAddress("postgres://name:password@replica:5432/database"),
  REDIS_URL: redisAddress,
  PUBLIC_URL: address(["http:", "https:"], "https://assay.example.com"),
  CDN_URL: address(["http:", "https:"], "https://cdn.example.com"),
  TRACK_URL: address(["http:", "https:"], "https://track.example.com"),
  SMTP_URL: address(["smtp:", "smtps:"], "smtps://name:password@host:465"),
  MAIL_FROM: mailbox("Assay <no-reply@example.com>"),
  SECRET_KEY: secret,
  SECRET_KEY_PREVIOUS: secrets,
  TRUST_PROXY: cidrs,
  CALL_PAYER: oneOf(payers, "platform"),
  TIER_UPGRADES: oneOf(["review", "instant"], undefined),
  SESSION_RETENTION_DAYS: wholeNumber({ from: 1, to: 3_650, fallback: 90 }),
  CLICK_HOLD_DAYS: wholeNumber({ from: 0, to: 365, fallback: 7 }),
  CALL_HOLD_DAYS: wholeNumber({ from: 0, to: 365, fallback: 14 }),
  UNREVIEWED_MONTHLY_USD: microUsd(350_000_000),
  UNREVIEWED_TOTAL_MONTHLY_USD: microUsd(undefined),
  PAYOUT_MINIMUM_USD: microUsd(50_000_000),
  PAYEE_CHANGE_HOLD_DAYS: wholeNumber({ from: 0, to: 90, fallback: 7 }),
  PAYOUT_FOUR_EYES: oneOf(["on", "off"], undefined),
  OPERATOR_SECOND_FACTOR: oneOf(["on", "off"], undefined),
  CREDIT_LIMIT_USD: microUsd(undefined),
  OPERATOR_LEGAL_NAME: text(undefined),
  OPERATOR_ADDRESS: text(undefined),
  OPERATOR_TAX_ID: text(undefined),
  LEDGER_LOG: oneOf(["public", "developers", "off"], "developers"),
  LOG_WITNESSES: text(undefined),
  EGRESS_PROXY: proxyAddress("http://name:password@host:3128"),
  WEBHOOK_PRIVATE_CIDRS: privateCidrs,
  WEBHOOK_LOOPBACK: oneOf(["on", "off"], "off"),
  METRICS_TOKEN: text(undefined),
  WORKERS: workerCount,
  LOG_LEVEL: oneOf(logLevels, "info"),
};

export const settingNames: ReadonlySet<string> = new Set(Object.keys(settings));

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "::1", "[::1]"]);
/** On loopback nobody is turned away while trying prepaid calls. */
const localCreditLimitMicroUsd = 5_000_000;

/** Whether everything is loopback: a public address means that strangers come through a proxy. */
const isLocalOnly = (values: { HOST: string; PUBLIC_URL: string | undefined }): boolean =>
  loopbackHosts.has(values.HOST) && (values.PUBLIC_URL === undefined || loopbackHosts.has(new URL(values.PUBLIC_URL).hostname));

type Values = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]> };

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

/** `auto` means the same on every machine: it needs what several workers need, even where it comes to one. */
function countWorkers({ WORKERS: workers, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }: Values): number {
  if (workers === 1) return 1;
  if (databaseUrl === undefined) {
    throw new ConfigError("WORKERS needs DATABASE_URL: the embedded store has one writer, in one process, which also keeps the limits in its memory");
  }
  if (redisUrl === undefined) throw new ConfigError("WORKERS needs REDIS_URL: without it each worker would count the limits for itself, and a key could make as many times its calls");
  return workers === "auto" ? Math.min(availableParallelism(), workersMax) : workers;
}

export function readConfig(environment: NodeJS.ProcessEnv = process.env) {
  const values = parseAll(environment);
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined) {
    throw new ConfigError("SECRET_KEY is required with DATABASE_URL: all nodes must share it");
  }
  if (values.DATABASE_OWNER_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError("DATABASE_URL is required with DATABASE_OWNER_URL: it names the role that the service uses");
  }
  if (values.DATABASE_REPORT_URL !== undefined && values.DATABASE_URL === undefined) {
    throw new ConfigError("DATABASE_URL is required with DATABASE_REPORT_URL: the embedded store has no replica");
  }
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined) {
    throw new ConfigError("MAIL_FROM is required with SMTP_URL: mails need a sender");
  }
  const isLocal = isLocalOnly(values);
  if (values.WEBHOOK_LOOPBACK === "on" && !isLocal) {
    throw new ConfigError("WEBHOOK_LOOPBACK can be on only where HOST and PUBLIC_URL are loopback: on other installations strangers would reach this machine's own ports");
  }
  const isOn = (given: "on" | "off" | undefined) => (given === undefined ? !isLocal : given === "on");
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    /** Undefined: the embedded store. */
    databaseUrl: values.DATABASE_URL,
    /** The role that owns the tables, for `migrate` and `import`. Undefined: the service's own role. */
    databaseOwnerUrl: values.DATABASE_OWNER_URL,
    /** A replica that reports are read from while it is at most some seconds behind. Undefined: the database itself. */
    databaseReportUrl: values.DATABASE_REPORT_URL,
    redisUrl: values.REDIS_URL,
    /** Undefined: the address that the server listens on. */
    publicUrl: values.PUBLIC_URL,
    /** Public addresses of images and tracking. Undefined: paths under the public address. */
    cdnUrl: values.CDN_URL,
    trackUrl: values.TRACK_URL,
    /** Undefined: mail is written to `DATA_DIR/outbox` and shown by the local mailbox page. */
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    /** Undefined in embedded mode: the secret file in `DATA_DIR` is used. */
    secretKey: values.SECRET_KEY,
    /** Secrets that were replaced: what they encrypted is read with them and written with the current one. */
    previousSecretKeys: values.SECRET_KEY_PREVIOUS,
    /** Whether this installation serves this machine only: what is loopback only is open, and rules against strangers are off. */
    isLocal,
    trustProxy: values.TRUST_PROXY,
    callPayer: values.CALL_PAYER,
    sessionRetentionDays: values.SESSION_RETENTION_DAYS,
    /** For this long a click's revenue may be reversed. */
    clickHoldDays: values.CLICK_HOLD_DAYS,
    /** For this long after its end a day's call revenue may be reversed. */
    callHoldDays: values.CALL_HOLD_DAYS,
    /** What calls of an account that nobody reviewed may make payable for one month, and of all such accounts together. */
    unreviewedMonthlyMicroUsd: values.UNREVIEWED_MONTHLY_USD,
    unreviewedTotalMonthlyMicroUsd: values.UNREVIEWED_TOTAL_MONTHLY_USD,
    /** Smaller amounts carry over to the next month. */
    payoutMinimumMicroUsd: values.PAYOUT_MINIMUM_USD,
    /** Whether a request for a higher tier waits for an operator or is granted at once; the default asks each request where it comes from. */
    tierUpgrades: values.TIER_UPGRADES ?? (isLocal ? ("instant_on_loopback" as const) : ("review" as const)),
    /** How long a changed bank account, method or tax id rests before it is paid to. */
    payeeChangeHoldDays: values.PAYEE_CHANGE_HOLD_DAYS,
    /** Whether a payout needs another operator's approval than its proposer's. */
    payoutFourEyes: isOn(values.PAYOUT_FOUR_EYES),
    /** Whether operators need a second factor for the console. */
    operatorSecondFactor: isOn(values.OPERATOR_SECOND_FACTOR),
    /** How far below zero prepaid calls may take an account. */
    creditLimitMicroUsd: values.CREDIT_LIMIT_USD ?? (isLocal ? localCreditLimitMicroUsd : 0),
    /** The issuer of statements. */
    operator: { legalName: values.OPERATOR_LEGAL_NAME, address: values.OPERATOR_ADDRESS, taxId: values.OPERATOR_TAX_ID },
    /** Who may read the log of all chains: everybody, who has a key, or nobody. It is kept in any case. */
    ledgerLog: values.LEDGER_LOG,
    /** The file that lists who is asked to cosign the log's checkpoints. */
    logWitnessesFile: values.LOG_WITNESSES,
    /** Through which requests to receivers of webhooks go. Undefined: directly. */
    egressProxyUrl: values.EGRESS_PROXY,
    /** Private networks in which operators' endpoints for webhooks may be. */
    webhookPrivateCidrs: values.WEBHOOK_PRIVATE_CIDRS,
    /** Whose endpoints for webhooks may be on this machine. */
    webhookLoopbackFor: isLocal ? (values.WEBHOOK_LOOPBACK === "on" ? ("everybody" as const) : ("first_developer" as const)) : ("nobody" as const),
    /** How many processes serve the port; 1: this one alone. */
    workers: countWorkers(values),
    /** Which of them this process is. Undefined in the supervisor, and in a process that serves alone. */
    workerNumber: environment[workerNumberVariable] === undefined ? undefined : Number(environment[workerNumberVariable]),
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL,
  };
}

export type Config = ReturnType<typeof readConfig>;
