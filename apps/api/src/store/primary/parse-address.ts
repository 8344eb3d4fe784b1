/** The address of a database: one host, or the list of hosts that libpq takes, of which one accepts writes at a time. */

/** `host` is a name, an IP address without brackets, or the folder of a Unix socket. */
export type DatabaseHost = { host: string; port: number };

export type DatabaseAddress = {
  hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  /** A URL that node-postgres understands: of the first host, with everything that does not depend on the host. */
  firstUrl: URL;
};

/** The text continues the name of a setting, and contains nothing of the address: that may have a password. */
export class AddressError extends Error {
  override readonly name = "AddressError";
}

const portDefault = 5_432;
/** Each of them is asked every two seconds. */
const hostsMax = 8;

/** Scheme, name and password, hosts, the rest. As in URLs, a slash ends the hosts, and the last @ in front of it the password. */
const parts = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]+)((?:[/?].*)?)$/;

/** The modes of libpq that a server that accepts writes satisfies. */
const satisfiedTargets: ReadonlySet<string> = new Set(["any", "read-write", "primary"]);

const malformed = (example: string) => new AddressError(`is not an address of the form ${example}`);

function parseHost(text: string, place: string, example: string): DatabaseHost {
  const [, host = "", port = ""] = /^(\[[0-9a-f:.]+\]|[^[\]:\s]+)(?::(\d*))?$/i.exec(text) ?? [];
  if (host === "") throw place === "" ? malformed(example) : new AddressError(`is not a list of hosts: ${place} must be a name or an address, and may have a port`);
  const value = port === "" ? portDefault : Number(port);
  if (value < 1 || value > 65_535) throw new AddressError(`has no valid port${place === "" ? "" : ` at ${place}`}: it must be from 1 to 65535`);
  return { host: host.replaceAll(/[[\]]/g, ""), port: value };
}

/** `postgres://name:password@one:5432,two:5433,[::1]:5434/database?…`. Throws an AddressError. */
export function parseAddress(url: string, example = "postgres://name:password@host:5432/database"): DatabaseAddress {
  const [, scheme, credentials, list = "", rest] = parts.exec(url) ?? [];
  if (list === "") throw malformed(example);
  const texts = list.split(",");
  if (texts.length > hostsMax) throw new AddressError(`lists ${texts.length} hosts: at most ${hostsMax} are asked`);
  const hosts = texts.map((text, index) => parseHost(text, texts.length === 1 ? "" : `host ${index + 1}`, example));
  const firstUrl = URL.parse(`${scheme}${credentials}${texts[0]}${rest}`);
  if (!firstUrl || firstUrl.hostname === "") throw malformed(example);
  const { searchParams } = firstUrl;
  const target = searchParams.get("target_session_attrs");
  if (target !== null && !satisfiedTargets.has(target)) {
    throw new AddressError("asks for a server that does not accept writes: leave target_session_attrs out, or set it to read-write");
  }
  searchParams.delete("target_session_attrs");
  const [first, ...others] = hosts as [DatabaseHost, ...DatabaseHost[]];
  if (!searchParams.has("host") && !searchParams.has("port")) return { hosts: [first, ...others], firstUrl };
  // Where node-postgres takes a Unix socket from: it replaces the host in front.
  const named = { host: searchParams.get("host") ?? first.host, port: Number(searchParams.get("port") ?? first.port) };
  if (others.length > 0 || named.host.includes(",") || !Number.isInteger(named.port)) throw new AddressError("must list its hosts before the name of the database, not as parameters");
  return { hosts: [named], firstUrl };
}

export const nameOfHost = ({ host, port }: DatabaseHost): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;
