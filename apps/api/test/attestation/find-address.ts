/** Every way in which somebody could write an address, or a hash of it that anybody can repeat. */
import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { networkOf } from "../../src/attestation/networks/network-of.ts";

/** `texts` in lower case; `bytes` as latin1, as they are. */
export type Notations = { texts: string[]; bytes: string[] };

const encodings = (bytes: Buffer): string[] => ["hex", "base64", "base64url"].map((encoding) => bytes.toString(encoding as "hex"));
const decimalOf = (bytes: Buffer): string => BigInt(`0x${bytes.toString("hex")}`).toString();

function writeIpv4(bytes: Buffer): string[] {
  const parts = [...bytes];
  const hex = bytes.toString("hex");
  const mapped = Buffer.concat([Buffer.alloc(10), Buffer.from([255, 255]), bytes]);
  return [
    // Also finds the /24 in any notation that begins like this.
    `${parts.slice(0, 3).join(".")}.`,
    parts.join("."),
    parts.join("-"),
    parts.join(","),
    parts.toReversed().join("."),
    parts.map((part) => String(part).padStart(3, "0")).join("."),
    `${hex.slice(0, 4)}:${hex.slice(4)}`,
    ...encodings(mapped),
  ];
}

function writeIpv6(bytes: Buffer): string[] {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  const wide = groups.map((group) => group.padStart(4, "0"));
  const network = bytes.subarray(0, 6);
  return [groups.slice(0, 3).join(":"), wide.slice(0, 3).join(":"), groups.join(":"), wide.join(":"), ipaddr.fromByteArray([...bytes]).toString(), network.toString("hex"), decimalOf(bytes)];
}

export function notationsOf(address: string): Notations {
  const parsed = ipaddr.process(address);
  const bytes = Buffer.from(parsed.toByteArray());
  const isIpv4 = parsed.kind() === "ipv4";
  const network = Buffer.from(networkOf(address)!);
  const written = isIpv4 ? writeIpv4(bytes) : writeIpv6(bytes);
  const spoken = [address, parsed.toString()];
  const hashes = [...spoken.map((text) => Buffer.from(text)), bytes, network].flatMap((input) => ["md5", "sha1", "sha256"].map((name) => createHash(name).update(input).digest()));
  const hidden = [...spoken.map((text) => Buffer.from(text)), network, ...hashes].flatMap(encodings);
  const texts = [address, ...written, ...encodings(bytes), decimalOf(bytes), ...hidden].map((text) => text.toLowerCase());
  // Four bytes alone occur by chance in any large file.
  const raw = [network, ...(isIpv4 ? [] : [bytes, bytes.subarray(0, 6)]), ...hashes.map((hash) => hash.subarray(0, 16))];
  return { texts: [...new Set(texts)], bytes: raw.map((each) => each.toString("latin1")) };
}

/** What of it occurs in a text of latin1 bytes. */
export function findNotations({ texts, bytes }: Notations, haystack: string): string[] {
  const lower = haystack.toLowerCase();
  return [...texts.filter((text) => lower.includes(text)), ...bytes.filter((each) => haystack.includes(each)).map((each) => Buffer.from(each, "latin1").toString("hex"))];
}
