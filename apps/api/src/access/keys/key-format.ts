import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Mode } from "../../store/schema.ts";
import { encodeBase62, randomBase62 } from "../../ids/time-ordered-id.ts";

export const prefixOf = { live: "assay_live_", test: "assay_test_" } as const;
const secretLength = 32;
const checksumLength = 6;
const keyLength = prefixOf.live.length + secretLength + checksumLength;
const keyPattern = /^assay_(live|test)_[0-9A-Za-z]{38}$/;

/** Over all that stands before it, so that a key with a typing error is refused without a look-up. */
const checksumOf = (text: string) => encodeBase62(crc32(text), checksumLength);

export const withChecksum = (text: string): string => text + checksumOf(text);

export const makeKey = (mode: Mode): string => withChecksum(prefixOf[mode] + randomBase62(secretLength));

/** The first thing to look at: it says nothing of any key, and spares the work for what is much too long. */
export const hasKeyLength = (text: string): boolean => text.length === keyLength;

/** Whether the text can be a key at all: its shape and its checksum. */
export function isWellFormedKey(text: string): boolean {
  if (!hasKeyLength(text) || !keyPattern.test(text)) return false;
  const end = keyLength - checksumLength;
  return checksumOf(text.slice(0, end)) === text.slice(end);
}

/** What is stored of a key. A key has 190 bits of chance, so a plain hash cannot be searched. */
export const hashKey = (key: string): string => hash("sha256", key, "hex");

export const lastFourOf = (key: string): string => key.slice(-4);

/** What lists show of a key: its prefix and its last four characters. */
export const maskedKey = (mode: Mode, lastFour: string): string => `${prefixOf[mode]}…${lastFour}`;
