import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { encodeBase62, randomBase62 } from "../../ids/time-ordered-id.ts";
import type { Mode } from "../../store/schema.ts";

export const prefixOf = { live: "assay_live_", test: "assay_test_" } as const;
const secretLength = 32;
const checksumLength = 6;
const keyLength = prefixOf.live.length + secretLength + checksumLength;
const keyPattern = /^assay_(live|test)_[0-9A-Za-z]{38}$/;

/** Covers prefix and secret, so that a mistyped key is refused without a look-up. */
const checksumOf = (text: string) => encodeBase62(crc32(text), checksumLength);

export const withChecksum = (text: string): string => text + checksumOf(text);

export const makeKey = (mode: Mode): string => withChecksum(prefixOf[mode] + randomBase62(secretLength));

/** Checked first: it reveals nothing about any key, and oversized texts cost no work. */
export const hasKeyLength = (text: string): boolean => text.length === keyLength;

/** Whether shape and checksum are right. */
export function isWellFormedKey(text: string): boolean {
  if (!hasKeyLength(text) || !keyPattern.test(text)) return false;
  const end = keyLength - checksumLength;
  return checksumOf(text.slice(0, end)) === text.slice(end);
}

/** The stored form of a key. A key has 190 bits of entropy, so a plain hash cannot be brute-forced. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");

export const lastFourOf = (key: string): string => key.slice(-4);

export const maskedKey = (mode: Mode, lastFour: string): string => `${prefixOf[mode]}…${lastFour}`;
