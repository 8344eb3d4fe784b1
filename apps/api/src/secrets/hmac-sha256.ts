import { hash, type KeyObject } from "node:crypto";

const blockBytes = 64;
const digestBytes = 32;

/** The HMAC-SHA256 of messages of one length, as Latin-1 text: a character per byte. */
export type Hmac = (message: Uint8Array) => string;

/**
 * HMAC as RFC 2104 defines it, from two one-shot hashes. `createHmac` makes a native object per message, and a one-shot
 * hash that returns a buffer makes one too: both cost several times as much as the hashing.
 */
export function createHmacSha256(secret: KeyObject, messageBytes: number): Hmac {
  const key = secret.export();
  if (key.length > blockBytes) throw new Error(`an HMAC key of ${key.length} bytes would have to be hashed first`);
  const inner = Buffer.alloc(blockBytes + messageBytes);
  const outer = Buffer.alloc(blockBytes + digestBytes);
  for (let at = 0; at < blockBytes; at += 1) {
    const byte = key[at] ?? 0;
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (message) => {
    if (message.length !== messageBytes) throw new Error(`a message of ${message.length} bytes instead of ${messageBytes}`);
    inner.set(message, blockBytes);
    outer.write(hash("sha256", inner, "binary"), blockBytes, digestBytes, "latin1");
    return hash("sha256", outer, "binary");
  };
}
