/**
 * Sealed tokens, `at1.<day>.<base64url of nonce, ciphertext and tag>`: AES-256-GCM with a key of its own for every UTC
 * day, all derived from one key of the installation, which the store holds sealed. No node needs to remember a session.
 */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomFillSync } from "node:crypto";
import { tokenLengthMax } from "@assay/contract/attestation.ts";
import { msPerDay } from "../../formats/time.ts";
import { deriveKey } from "../../secrets/sealer.ts";
import { readState, type SessionState, writeState } from "./session-state.ts";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;
const format = "at1";
const tokenPattern = /^at1\.(0|[1-9]\d{0,6})\.([A-Za-z0-9_-]+)$/;
/** A retry may bring a token of the day before yesterday: one sealed before midnight, used after it, and repeated within 24 hours. */
const daysBack = 2;
/** The clock of another node may be ahead. */
const daysAhead = 1;

/** Drawn many at a time: a call to the system's generator costs more than the sealing. */
const noncesAtOnce = 256;

export type Opened =
  | { kind: "open"; state: SessionState }
  /** So old that its key is no longer used. */
  | { kind: "expired" }
  | { kind: "invalid" };

export type SessionTokens = {
  /** With the key of the day of its last beat. */
  seal(state: SessionState): string;
  open(token: string, nowMs: number): Opened;
};

const dayOf = (atMs: number): number => Math.floor(atMs / msPerDay);

function createNonces(): () => Buffer {
  const block = Buffer.alloc(nonceBytes * noncesAtOnce);
  let used = block.length;
  return () => {
    if (used === block.length) {
      randomFillSync(block);
      used = 0;
    }
    used += nonceBytes;
    return block.subarray(used - nonceBytes, used);
  };
}

/** `key`: the installation's key for session tokens. */
export function createSessionTokens(key: Buffer): SessionTokens {
  const secret = key.toString("base64url");
  const keys = new Map<number, KeyObject>();
  const nextNonce = createNonces();

  function keyOf(day: number): KeyObject {
    let found = keys.get(day);
    if (!found) {
      // Only days near now get here, so there are a handful of them at a time.
      if (keys.size > daysBack + daysAhead + 1) keys.clear();
      found = createSecretKey(deriveKey(secret, `session tokens of day ${day}`));
      keys.set(day, found);
    }
    return found;
  }

  /** Undefined if it was not sealed for this day, or was changed. */
  function decrypt(day: number, bytes: Buffer): Buffer | undefined {
    const end = bytes.length - tagBytes;
    const decipher = createDecipheriv(algorithm, keyOf(day), bytes.subarray(0, nonceBytes), { authTagLength: tagBytes }).setAuthTag(bytes.subarray(end));
    const plain = decipher.update(bytes.subarray(nonceBytes, end));
    try {
      decipher.final();
      return plain;
    } catch {
      return undefined;
    }
  }

  return {
    seal(state) {
      const day = dayOf(state.lastMs);
      const nonce = nextNonce();
      const cipher = createCipheriv(algorithm, keyOf(day), nonce, { authTagLength: tagBytes });
      const sealed = cipher.update(writeState(state));
      cipher.final();
      return `${format}.${day}.${Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url")}`;
    },
    open(token, nowMs) {
      const parts = token.length <= tokenLengthMax ? tokenPattern.exec(token) : null;
      if (!parts) return { kind: "invalid" };
      const day = Number(parts[1]);
      const today = dayOf(nowMs);
      if (day < today - daysBack) return { kind: "expired" };
      const bytes = Buffer.from(parts[2]!, "base64url");
      if (day > today + daysAhead || bytes.length <= nonceBytes + tagBytes) return { kind: "invalid" };
      // Each token has one spelling.
      if (bytes.toString("base64url") !== parts[2]) return { kind: "invalid" };
      const plain = decrypt(day, bytes);
      const state = plain && readState(plain);
      // The key of a day seals beats of that day only: whoever has an old one can only make tokens that have expired.
      return state && dayOf(state.lastMs) === day ? { kind: "open", state } : { kind: "invalid" };
    },
  };
}
