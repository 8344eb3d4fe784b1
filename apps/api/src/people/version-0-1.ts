/**
 * What version 0.1 left in browsers and in the store: its session cookies, and second factors in the format of the package
 * better-auth. People who signed in with it stay signed in, and keep their second factor.
 */
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js";
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { deriveKey } from "../secrets/sealer.ts";

const nonceBytes = 24;
const tagBytes = 16;
const cookiePattern = /^([A-Za-z0-9]{32})\.([\w%+/=]{43,60})$/;
const ciphertextPattern = /^(?:[0-9a-f]{2})+$/;

const cookieSecretOf = (secretKey: string): string => deriveKey(secretKey, "sign-in cookies").toString("hex");

/**
 * The token that replaces one of version 0.1. The old one worked with its signature only, so a copy of the store signed
 * nobody in: nor does it now, because the new one cannot be computed without the secret.
 */
export const newTokenFor = (oldToken: string, secretKey: string): string =>
  createHmac("sha256", deriveKey(secretKey, "sign-ins of version 0.1")).update(oldToken).digest("base64url");

/** The token in a genuine session cookie of version 0.1, and the one that replaces it. */
export function readOldCookie(cookie: string | undefined, secretKeys: readonly string[]): { oldToken: string; token: string } | undefined {
  const [, oldToken = "", signature = ""] = cookiePattern.exec(cookie ?? "") ?? [];
  const given = Buffer.from(signature.replaceAll("%2B", "+").replaceAll("%2F", "/").replaceAll("%3D", "="), "base64");
  const secretKey = secretKeys.find((each) => {
    const expected = createHmac("sha256", cookieSecretOf(each)).update(oldToken).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  return secretKey === undefined ? undefined : { oldToken, token: newTokenFor(oldToken, secretKey) };
}

/** Whether version 0.1 encrypted it. */
export const isOldText = (text: string): boolean => ciphertextPattern.test(text);

/** What version 0.1 encrypted with one of these secrets; undefined if it cannot be read. */
export function openOldText(text: string, secretKeys: readonly string[]): string | undefined {
  const bytes = Buffer.from(text, "hex");
  if (!isOldText(text) || bytes.length < nonceBytes + tagBytes) return undefined;
  for (const secretKey of secretKeys) {
    const key = hash("sha256", cookieSecretOf(secretKey), "buffer");
    try {
      return Buffer.from(xchacha20poly1305(key, bytes.subarray(0, nonceBytes)).decrypt(bytes.subarray(nonceBytes))).toString("utf8");
    } catch {
      // Another secret may have encrypted it.
    }
  }
  return undefined;
}
