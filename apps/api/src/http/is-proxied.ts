import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a proxy that the operator does not name in TRUST_PROXY passed the request on and said so: the address is then
 * that proxy's. A proxy that says nothing cannot be told from a browser.
 */
export function isProxied({ headers, ips }: { headers: IncomingHttpHeaders; /** Without proxies that are trusted there are none. */ ips?: readonly string[] | undefined }): boolean {
  const { "x-forwarded-for": forwarded } = headers;
  const named = forwarded === undefined ? 0 : [forwarded].flat().join(",").split(",").filter((address) => address.trim() !== "").length;
  // The first of `ips` is the connection's own address, the others were read from the header because their proxies are trusted.
  const trusted = ips === undefined ? 0 : ips.length - 1;
  if (named > trusted) return true;
  return trusted === 0 && (headers.via !== undefined || headers["forwarded"] !== undefined);
}
