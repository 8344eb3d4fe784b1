import { createHmac } from "node:crypto";

const stepMs = 30_000;
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll("=", "")).map((character) => base32.indexOf(character).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app shows for an otpauth:// address (RFC 6238, SHA-1, six digits). */
export function codeOf(totpUri: string, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / stepMs)));
  const digest = createHmac("sha1", decodeBase32(new URL(totpUri).searchParams.get("secret")!)).update(counter).digest();
  const offset = digest.at(-1)! & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
