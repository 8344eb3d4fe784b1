import { codeAtStep, stepMs } from "../../src/people/totp.ts";

const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text.replaceAll("=", "")).map((character) => base32.indexOf(character).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}

/** The code that an authenticator app shows for an otpauth:// URI. */
export const codeOf = (totpUri: string, atMs: number): string =>
  codeAtStep(decodeBase32(new URL(totpUri).searchParams.get("secret")!), Math.floor(atMs / stepMs));

/** The following code: each works once, and the next one is accepted slightly early. */
export const nextCodeOf = (totpUri: string, atMs: number): string => codeOf(totpUri, atMs + stepMs);
