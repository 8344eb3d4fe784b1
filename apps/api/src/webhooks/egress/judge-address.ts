import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A range of addresses: the first one, and how many bits its members share with it. */
export type AddressRange = readonly [Address, number];

/** Which addresses a request may go to, besides public ones. */
export type Scope = {
  /** Only where the installation serves this machine alone, and for those to whom that is open. */
  allowLoopback: boolean;
  /** What WEBHOOK_PRIVATE_CIDRS lists; none for developers' endpoints. */
  privateRanges: readonly AddressRange[];
};

/** `loopback` and `private_range` are allowed by the scope; `refused` says nothing of why, so that nobody can tell the inside from it. */
export type AddressVerdict = "public" | "loopback" | "private_range" | "refused";

/** Instance metadata and the like, which hand out credentials: refused in every range. The last one is a public address that Azure answers itself. */
const metadataAddresses: ReadonlySet<string> = new Set(["169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16"]);

/** What WEBHOOK_PRIVATE_CIDRS may open. Loopback and link-local addresses are not among them. */
const openableRanges: readonly AddressRange[] = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"].map((range) => ipaddr.parseCIDR(range));
const wellKnownNat64 = ipaddr.parseCIDR("64:ff9b::/96");
/** All global unicast addresses that were ever handed out. */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

const isWithin = (address: Address, [start, bits]: AddressRange): boolean => address.kind() === start.kind() && address.match([start, bits]);

/**
 * One address in the notation of resolvers. Every other notation, and one with a zone, is no address. URL writes IPv6 addresses
 * without dots: ipaddr.js reads `::127.0.0.1` as if it were `::ffff:127.0.0.1`, which is another address.
 */
function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes("%")) return undefined;
  return ipaddr.parse(isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

/** The system connects to the IPv4 address that such an address maps. */
const unmap = (address: Address): Address => (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address);

/** A translator of the network sends packets for 64:ff9b::/96 to the IPv4 address in it. With DNS64 all IPv4 receivers look like that. */
function untranslate(address: Address): Address {
  return address instanceof ipaddr.IPv6 && isWithin(address, wellKnownNat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}

/** ISATAP: an IPv4 address in the lower half, below any prefix. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & 0xfdff) === 0 && parts[5] === 0x5efe;

/** An allow rule: what is not known to be public is not. That refuses all other IPv6 addresses with an IPv4 address inside. */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4 || (isWithin(address, globalUnicast) && !isIsatap(address));
}

/** The text of an address by which two notations of it are compared. */
export function normalizeAddress(text: string): string | undefined {
  const address = parseAddress(text);
  return address && unmap(address).toString();
}

export function judgeAddress(text: string, scope: Scope): AddressVerdict {
  const given = parseAddress(text);
  if (!given) return "refused";
  const reached = unmap(given);
  const translated = untranslate(reached);
  if (metadataAddresses.has(reached.toString()) || metadataAddresses.has(translated.toString())) return "refused";
  if (isPublic(translated)) return "public";
  if (reached.range() === "loopback") return scope.allowLoopback ? "loopback" : "refused";
  const isListed = scope.privateRanges.some((range) => isWithin(reached, range));
  return isListed && openableRanges.some((range) => isWithin(reached, range)) ? "private_range" : "refused";
}

/** Reads `10.1.0.0/16` or `10.1.2.3`; undefined if it is not a range of private addresses. */
export function readPrivateRange(text: string): AddressRange | undefined {
  const [start = "", bitsGiven] = text.split("/");
  const address = parseAddress(start);
  if (!address) return undefined;
  const bits = bitsGiven === undefined ? address.toByteArray().length * 8 : Number(bitsGiven);
  const isOpenable = openableRanges.some((range) => isWithin(address, range) && bits >= range[1]);
  return isOpenable ? [address, bits] : undefined;
}
