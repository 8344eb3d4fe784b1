import { originsMax } from "@assay/contract/dashboard/site-limits.ts";
import { Failure } from "../../failure/failure.ts";

/** Scheme, host and port, with at most a slash behind them. What URL would forgive or drop is refused before it can. */
const shape = /^(?:https|http):\/\/[^\s/\\?#@]+\/?$/i;
/** A name as browsers write it, with international labels in punycode, or an address. */
const host = /^(?:[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]+\])$/;
/** URL has written short, decimal and hexadecimal addresses in this one way. */
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

const refuse = (place: number, text: string) => new Failure("invalid_request", `origins.${place} ${text}`);

/** As browsers send it in the Origin header. */
function parseOrigin(given: string, place: number): string {
  const url = shape.test(given) ? URL.parse(given) : null;
  if (!url) throw refuse(place, "must be an origin such as https://shop.example, without a path, a query or credentials");
  if (!host.test(url.hostname)) throw refuse(place, "must name one host, without wildcards, such as https://shop.example");
  if (url.protocol !== "https:" && !loopback.test(url.hostname)) throw refuse(place, "must start with https://; http:// is for localhost and loopback addresses only");
  return url.origin;
}

/** Canonical and distinct, in the order given. */
export function parseOrigins(given: readonly string[]): string[] {
  const origins = [...new Set(given.map(parseOrigin))];
  if (origins.length === 0 || origins.length > originsMax) throw new Failure("invalid_request", `origins must have 1 to ${originsMax} entries`);
  return origins;
}
