import { isIP } from "node:net";
import { type AddressVerdict, judgeAddress, type Scope } from "./judge-address.ts";

/** Where a request goes, as the URL says it. */
export type Target = {
  isTls: boolean;
  /** A name, or an address without brackets. */
  host: string;
  isLiteral: boolean;
  port: number;
  /** The Host header: with the port, if it is not the usual one. */
  authority: string;
  path: string;
};

export type UrlRefusal = "not_a_url" | "too_long" | "not_https" | "has_credentials" | "has_fragment" | "host_not_public" | "address_not_public" | "loopback_off" | "port_not_allowed";

/** `href` is the URL as it is judged and used: keep that one, not the text that was given. */
export type EndpointUrl = { kind: "endpoint"; href: string; target: Target } | { kind: "refused"; reason: UrlRefusal; message: string };

const urlCharactersMax = 2_048;
const nameCharactersMax = 253;
/** What receivers on the internet may use. Everything else is more likely to be some other service. */
const publicPorts: ReadonlySet<number> = new Set([443, 8_443]);

/** What was expected instead. No text says anything about the network of the installation. `loopback_off`: where the setting would allow it. */
const messages: Record<UrlRefusal, string> = {
  not_a_url: "The address must be a URL such as https://hooks.example.com/assay.",
  too_long: `The address must have at most ${urlCharactersMax} characters.`,
  not_https: "The address must start with https://.",
  has_credentials: "The address must contain no user name and no password.",
  has_fragment: "The address must contain no #.",
  host_not_public: "The host must be a public name with a dot in it, and none at its end, such as hooks.example.com.",
  address_not_public: "The host must have public addresses only.",
  loopback_off: "The address is on this machine: whoever runs this installation must set WEBHOOK_LOOPBACK=on first.",
  port_not_allowed: "The port must be 443 or 8443.",
};

export const describeRefusal = (reason: UrlRefusal): string => messages[reason];

const refuse = (reason: UrlRefusal): EndpointUrl => ({ kind: "refused", reason, message: messages[reason] });

/** RFC 6761: such a name means this machine, whatever a resolver says. */
export const isLocalhost = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Letters, digits, hyphens and underscores: international names have become that. */
const isName = (host: string): boolean => host.length <= nameCharactersMax && host.split(".").every((label) => /^[a-z0-9_-]{1,63}$/.test(label));

/** Any port of this machine and of listed networks, and the usual ones of all others. */
export const mayUsePort = (port: number, verdict: AddressVerdict): boolean => port > 0 && (publicPorts.has(port) || verdict === "loopback" || verdict === "private_range");

/** What the host alone says. Of a name that somebody else resolves it is too early to say anything: undefined. */
function judgeHost(host: string, { isLiteral, scope }: { isLiteral: boolean; scope: Scope }): AddressVerdict | "not_a_name" | undefined {
  if (isLiteral) return judgeAddress(host, scope);
  if (isLocalhost(host)) return scope.allowLoopback ? "loopback" : "not_a_name";
  if (!isName(host)) return "not_a_name";
  // Names without a dot belong to a local network.
  return host.includes(".") || scope.privateRanges.length > 0 ? undefined : "not_a_name";
}

/**
 * Judges a receiver's URL before anything is resolved. URL.parse turns addresses in decimal, octal, hexadecimal, short and
 * international notations into the one that is judged, and used.
 */
export function readEndpointUrl(given: string, scope: Scope): EndpointUrl {
  if (given.length > urlCharactersMax) return refuse("too_long");
  const url = URL.parse(given);
  if (!url) return refuse("not_a_url");
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("not_https");
  if (url.href.length > urlCharactersMax) return refuse("too_long");
  if (url.username !== "" || url.password !== "") return refuse("has_credentials");
  if (url.href.includes("#")) return refuse("has_fragment");

  const isTls = url.protocol === "https:";
  const host = url.hostname.replaceAll(/[[\]]/g, "");
  const isLiteral = isIP(host) !== 0;
  const verdict = judgeHost(host, { isLiteral, scope });
  if (!isTls && verdict !== "loopback") return refuse("not_https");
  if (verdict === "not_a_name") return refuse("host_not_public");
  if (verdict === "refused") return refuse("address_not_public");
  const port = url.port === "" ? (isTls ? 443 : 80) : Number(url.port);
  // The addresses of a name decide later, if any of them could be private.
  const isLater = verdict === undefined && scope.privateRanges.length > 0 && port > 0;
  if (!isLater && !mayUsePort(port, verdict ?? "public")) return refuse("port_not_allowed");
  return { kind: "endpoint", href: url.href, target: { isTls, host, isLiteral, port, authority: url.host, path: url.pathname + url.search } };
}
