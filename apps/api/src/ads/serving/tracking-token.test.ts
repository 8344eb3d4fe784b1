import fc from "fast-check";
import assert from "node:assert/strict";
import { createSecretKey, randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { isGenuine, readToken, type SigningKey, signTokens, type TrackingKind } from "./tracking-token.ts";

const makeKey = (): SigningKey => ({ id: randomBytes(5).toString("hex"), secret: createSecretKey(randomBytes(32)) });
const key = makeKey();

const kinds = fc.constantFrom<TrackingKind>("impression", "click");
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".split("");
const offers = fc.record({
  id: fc.array(fc.constantFrom(...base62), { minLength: 22, maxLength: 22 }).map((characters) => `ad_${characters.join("")}`),
  expiresMs: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
});
const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");

/** As in the service: with the key that the token names, and its own kind. */
function verify(text: string, kind: TrackingKind, keys: SigningKey[]): boolean {
  const token = readToken(text);
  const named = token && keys.find(({ id }) => id === token.keyId);
  return token !== undefined && named !== undefined && token.kind === kind && isGenuine(named, text, kind);
}

describe("a tracking token", () => {
  it("carries what was signed, and verifies", () => {
    fc.assert(
      fc.property(offers, kinds, (offer, kind) => {
        const text = signTokens(key, offer)[kind];
        assert.deepEqual(readToken(text), { keyId: key.id, kind, offerId: offer.id, expiresMs: offer.expiresMs });
        assert.ok(verify(text, kind, [key]));
      }),
    );
  });

  it("is refused when any character was changed", () => {
    fc.assert(
      fc.property(offers, kinds, fc.nat({ max: 67 }), fc.constantFrom(...base64url), (offer, kind, place, character) => {
        const text = signTokens(key, offer)[kind];
        fc.pre(text[place] !== character);
        const changed = text.slice(0, place) + character + text.slice(place + 1);
        assert.equal(verify(changed, "click", [key]), false);
        assert.equal(verify(changed, "impression", [key]), false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is refused when any bit of its contents was changed [threat: fake-click]", () => {
    fc.assert(
      fc.property(offers, kinds, fc.nat({ max: 51 * 8 - 1 }), (offer, kind, bit) => {
        const bytes = Buffer.from(signTokens(key, offer)[kind], "base64url");
        bytes[bit >> 3]! ^= 1 << (bit & 7);
        const changed = bytes.toString("base64url");
        assert.equal(verify(changed, "click", [key]) || verify(changed, "impression", [key]), false);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is refused when truncated, extended, padded or encoded differently", () => {
    fc.assert(
      fc.property(offers, kinds, fc.nat({ max: 67 }), fc.string({ minLength: 1, maxLength: 8 }), (offer, kind, length, more) => {
        const text = signTokens(key, offer)[kind];
        for (const changed of [text.slice(0, length), text + more, more + text, `${text}=`, ` ${text}`, text.replaceAll("_", "/").concat("\n")]) {
          assert.equal(verify(changed, kind, [key]), false, changed);
        }
      }),
    );
  });

  it("of one kind is not valid as the other, although one signature serves both", () => {
    fc.assert(
      fc.property(offers, (offer) => {
        const tokens = signTokens(key, offer);
        assert.equal(verify(tokens.click, "impression", [key]), false);
        assert.equal(verify(tokens.impression, "click", [key]), false);
        // The other kind's byte in the token, with the signature that it came with.
        const swapped = Buffer.from(tokens.impression, "base64url");
        swapped[28] = Buffer.from(tokens.click, "base64url")[28]!;
        assert.equal(readToken(swapped.toString("base64url"))?.kind, "click");
        assert.equal(verify(swapped.toString("base64url"), "click", [key]), false);
      }),
    );
  });

  it("of another key is refused, even if it claims a known key id", () => {
    fc.assert(
      fc.property(offers, kinds, (offer, kind) => {
        const other = makeKey();
        assert.equal(verify(signTokens(other, offer)[kind], kind, [key]), false);
        assert.equal(verify(signTokens({ ...other, id: key.id }, offer)[kind], kind, [key]), false);
      }),
    );
  });

  it("cannot be guessed at random", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.uint8Array({ minLength: 51, maxLength: 51 }).map((bytes) => Buffer.from(bytes).toString("base64url"))), (text) => {
        assert.equal(verify(text, "click", [key]), false);
      }),
    );
  });

  it("carries the offer, 128 bits of signature, and nothing else", () => {
    const id = timeOrderedId("ad", 1_800_000_000_000);
    const { click, impression } = signTokens(key, { id, expiresMs: 1_800_007_200_000 });
    const [a, b] = [click, impression].map((text) => Buffer.from(text, "base64url").subarray(-16));
    assert.equal(click.length, 68);
    assert.notDeepEqual(a, b);
  });
});
