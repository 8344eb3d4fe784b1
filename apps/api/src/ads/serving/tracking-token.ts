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
import { type KeyObject, timingSafeEqual } from "node:crypto";
import { createHmacSha256, type Hmac } from "../../secrets/hmac-sha256.ts";

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

/** Signs the first bytes of a token, with its kind set to 0. */
const hmacs = new WeakMap<KeyObject, Hmac>();

function hmacOf(secret: KeyObject): Hmac {
  let hmac = hmacs.get(secret);
  if (!hmac) hmacs.set(secret, (hmac = createHmacSha256(secret, signatureAt)));
  return hmac;
}

const halfStart: Record<TrackingKind, number> = { impression: 0, click: signatureBytes };

/** Both tokens of an offer, one after the other, overwritten by each. */
const pair = Buffer.alloc(2 * tokenBytes);
const signedOfPair = pair.subarray(0, signatureAt);
const characters = (tokenBytes * 4) / 3;

/** Both tokens of an offer from one HMAC. */
export function signTokens(key: SigningKey, offer: { id: string; expiresMs: number }): Record<TrackingKind, string> {
  pair[0] = version;
  pair.write(key.id, keyIdAt, keyIdBytes, "hex");
  pair.write(offer.id.slice(offerPrefix.length), offerIdAt, offerIdBytes, "latin1");
  pair[kindAt] = 0;
  pair.writeUIntBE(offer.expiresMs, expiryAt, expiryBytes);
  const signatures = hmacOf(key.secret)(signedOfPair);
  // The second token is the first but for its kind and its half of the signature, which end it.
  pair.copy(pair, tokenBytes, 0, signatureAt);
  pair[kindAt] = kindByte.impression;
  pair[tokenBytes + kindAt] = kindByte.click;
  pair.write(signatures.slice(0, signatureBytes), signatureAt, signatureBytes, "latin1");
  pair.write(signatures.slice(signatureBytes), tokenBytes + signatureAt, signatureBytes, "latin1");
  const both = pair.toString("base64url");
  return { impression: both.slice(0, characters), click: both.slice(characters) };
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
  const given = token.subarray(signatureAt);
  token[kindAt] = 0;
  const signatures = Buffer.from(hmacOf(key.secret)(token.subarray(0, signatureAt)), "latin1");
  return timingSafeEqual(given, signatures.subarray(halfStart[kind], halfStart[kind] + signatureBytes));
}
