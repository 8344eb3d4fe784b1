import ipaddr from "ipaddr.js";

/** The length of what `networkOf` returns. */
export const networkLength = 8;

/**
 * The network of an address, as bytes to hash: the first 24 bits of an IPv4 address, which is what a house or a small
 * company has, or the first 48 of an IPv6 address. Undefined for a text that is no address.
 */
export function networkOf(address: string): Uint8Array | undefined {
  // A link-local address names its interface after a percent sign.
  const text = address.split("%", 1)[0]!;
  if (!ipaddr.isValid(text)) return undefined;
  const parsed = ipaddr.process(text);
  const network = new Uint8Array(networkLength);
  const isIpv4 = parsed.kind() === "ipv4";
  network[0] = isIpv4 ? 4 : 6;
  network.set(parsed.toByteArray().slice(0, isIpv4 ? 3 : 6), 1);
  return network;
}
