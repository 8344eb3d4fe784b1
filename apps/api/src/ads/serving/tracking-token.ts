/**
 * The token in a tracking URL: 51 bytes in base64url.
 *
 *   version 1 · key id 5 · offer id 22 · kind 1 · expiry 6 · signature 16
 *
 * One HMAC-SHA256 over version, key id, offer id and expiry signs both URLs of an offer: the first half signs the
 * impression, the second half the click. HMAC-SHA256 is a pseudo-random function with 256 bits of output, so each
 * half is one with 128 bits, and one half does not reveal the other. The kind is not hashed: it selects the half,
 * and a token whose kind was changed carries the wrong half.
 *
 * 51 is a multiple of 3, so every bit of the last character counts: no two texts decode to the same token.
 */
import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

export type TrackingKind = "impression" | "click";
export type TrackingToken = { keyId: string; kind: TrackingKind; offerId: string; expiresMs: number };

/** `id` is 10 hexadecimal digits. */
export type SigningKey = { id: string; secret: KeyObject };

const version = 1;
const kindByte: Record<TrackingKind, number> = { impression: 0x69, click: 0x63 };

const keyIdAt = 1;
const keyIdBytes = 5;
const offerIdAt = keyIdAt + keyIdBytes;
const offerIdBytes = 22;
const kindAt = offerIdAt + offerIdBytes;
const expiryAt = kindAt + 1;
const expiryBytes = 6;
const signatureAt = expiryAt + expiryBytes;
const signatureBytes = 16;
const tokenBytes = signatureAt + signatureBytes;

const offerPrefix = "ad_";
const tokenPattern = /^[A-Za-z0-9_-]{68}$/;
const offerIdPattern = /^[0-9A-Za-z]{22}$/;

/** Signs the bytes of a token with its kind set to 0. */
function signaturesOf(secret: KeyObject, token: Buffer): Buffer {
  token[kindAt] = 0;
  return createHmac("sha256", secret).update(token.subarray(0, signatureAt)).digest();
}

const halfStart: Record<TrackingKind, number> = { impression: 0, click: signatureBytes };

function sealAs(kind: TrackingKind, token: Buffer, signatures: Buffer): string {
  token[kindAt] = kindByte[kind];
  signatures.copy(token, signatureAt, halfStart[kind], halfStart[kind] + signatureBytes);
  return token.toString("base64url");
}

/** Both tokens of an offer from one HMAC. */
export function signTokens(key: SigningKey, offer: { id: string; expiresMs: number }): Record<TrackingKind, string> {
  const token = Buffer.allocUnsafe(tokenBytes);
  token[0] = version;
  token.write(key.id, keyIdAt, keyIdBytes, "hex");
  token.write(offer.id.slice(offerPrefix.length), offerIdAt, offerIdBytes, "latin1");
  token.writeUIntBE(offer.expiresMs, expiryAt, expiryBytes);
  const signatures = signaturesOf(key.secret, token);
  return { impression: sealAs("impression", token, signatures), click: sealAs("click", token, signatures) };
}

/** The token's contents, unverified: see `isGenuine`. Undefined if the text is not a token. */
export function readToken(text: string): TrackingToken | undefined {
  if (!tokenPattern.test(text)) return undefined;
  const token = Buffer.from(text, "base64url");
  if (token.length !== tokenBytes || token[0] !== version) return undefined;
  const kind = token[kindAt] === kindByte.click ? "click" : token[kindAt] === kindByte.impression ? "impression" : undefined;
  const id = token.toString("latin1", offerIdAt, offerIdAt + offerIdBytes);
  if (!kind || !offerIdPattern.test(id)) return undefined;
  return {
    keyId: token.toString("hex", keyIdAt, keyIdAt + keyIdBytes),
    kind,
    offerId: offerPrefix + id,
    expiresMs: token.readUIntBE(expiryAt, expiryBytes),
  };
}

/** Whether the key signed this text. Compares in constant time. */
export function isGenuine(key: SigningKey, text: string, kind: TrackingKind): boolean {
  const token = Buffer.from(text, "base64url");
  const given = Buffer.from(token.subarray(signatureAt));
  const expected = signaturesOf(key.secret, token).subarray(halfStart[kind], halfStart[kind] + signatureBytes);
  return timingSafeEqual(given, expected);
}
