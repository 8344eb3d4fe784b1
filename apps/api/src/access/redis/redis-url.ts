/** What REDIS_URL names: one server, a primary that Sentinels know, or a Cluster. */
type Endpoint = { host: string; port: number };
type Credentials = { username?: string; password?: string };

export type RedisAddress =
  | { mode: "single"; url: string }
  | ({ mode: "sentinel"; sentinels: Endpoint[]; primaryName: string; db: number; tls: boolean; sentinelCredentials: Credentials } & Credentials)
  | ({ mode: "cluster"; seeds: Endpoint[]; tls: boolean } & Credentials);

export const redisUrlForms = "redis://host:6379, redis+sentinel://host:26379,host:26379/NAME or redis+cluster://host:7000,host:7001";

const sentinelPort = 26_379;
const redisPort = 6_379;
const hostsMax = 100;
const dbMax = 1_000_000;
const parts = /^(?<scheme>rediss?(?:\+sentinel|\+cluster)?):\/\/(?:(?<user>[^@/?#:]*)(?::(?<password>[^@/?#]*))?@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/i;
const hostAndPort = /^(?<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?<port>\d{1,5}))?$/i;

/** Undefined if it is not percent-encoded text. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function readEndpoints(hosts: string, defaultPort: number): Endpoint[] | undefined {
  const endpoints: Endpoint[] = [];
  for (const each of hosts.split(",")) {
    const { host, port } = hostAndPort.exec(each)?.groups ?? {};
    const number = port === undefined ? defaultPort : Number(port);
    if (host === undefined || number < 1 || number > 65_535) return undefined;
    endpoints.push({ host: host.replace(/^\[|\]$/g, ""), port: number });
  }
  return endpoints.length <= hostsMax ? endpoints : undefined;
}

function credentialsOf(username: string | undefined, password: string | undefined): Credentials {
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) };
}

/** `/NAME` or `/NAME/db`. */
function readSentinelPath(path: string): { primaryName: string; db: number } | string {
  const [name = "", db = "0", ...rest] = path.replace(/^\/|\/$/g, "").split("/");
  const primaryName = decode(name);
  if (!primaryName) return "must name the primary after the Sentinels, as in redis+sentinel://host:26379/NAME";
  if (rest.length > 0 || !/^\d+$/.test(db) || Number(db) > dbMax) return "must have the number of a database, or nothing, after the primary's name";
  return { primaryName, db: Number(db) };
}

/** What is wrong with the address is a text that follows the setting's name, and never repeats the address: it may contain a password. */
export function readRedisUrl(given: string): RedisAddress | string {
  const { scheme = "", user = "", password = "", hosts = "", path = "", query = "" } = parts.exec(given)?.groups ?? {};
  const [protocol, mode] = scheme.toLowerCase().split("+");
  if (mode === undefined) {
    const url = URL.parse(given);
    if (!url || !["redis:", "rediss:"].includes(url.protocol) || url.hostname === "") return `is not an address of the form ${redisUrlForms}`;
    return { mode: "single", url: given.replace(/\/$/, "") };
  }
  const tls = protocol === "rediss";
  const endpoints = readEndpoints(hosts, mode === "sentinel" ? sentinelPort : redisPort);
  if (!endpoints) return `must have 1 to ${hostsMax} hosts, each with a port or without, separated by commas`;
  const [username, secret] = [decode(user), decode(password)];
  if (username === undefined || secret === undefined) return "has a name or password that is not percent-encoded";
  const credentials = credentialsOf(username, secret);
  if (mode === "cluster") {
    if (!["", "/", "/0"].includes(path) || query !== "") return "must end after the hosts: a Cluster has one database";
    return { mode, seeds: endpoints, tls, ...credentials };
  }
  const named = readSentinelPath(path);
  if (typeof named === "string") return named;
  const options = new URLSearchParams(query);
  const known = ["sentinel_username", "sentinel_password"];
  if ([...options.keys()].some((key) => !known.includes(key))) return `may have only ${known.join(" and ")} after a question mark`;
  const sentinelCredentials = credentialsOf(options.get("sentinel_username") ?? undefined, options.get("sentinel_password") ?? undefined);
  return { mode: "sentinel", sentinels: endpoints, ...named, tls, sentinelCredentials, ...credentials };
}
