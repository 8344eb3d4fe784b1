import assert from "node:assert/strict";
import * as fc from "fast-check";
import { describe, it } from "node:test";
import { crc32 } from "node:zlib";
import { hashKey, isWellFormedKey, makeKey, maskedKey } from "./key-format.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const modes = fc.constantFrom("live" as const, "test" as const);

describe("an API key", () => {
  it("is its prefix, 32 base62 characters and 6 of CRC32", () => {
    fc.assert(
      fc.property(modes, (mode) => {
        const key = makeKey(mode);
        assert.match(key, new RegExp(`^assay_${mode}_[0-9A-Za-z]{38}$`));
        assert(isWellFormedKey(key));
        let checksum = 0;
        for (const character of key.slice(-6)) checksum = checksum * 62 + base62.indexOf(character);
        assert.equal(checksum, crc32(key.slice(0, -6)));
      }),
    );
  });

  it("is unique and uses the whole alphabet", () => {
    const keys = Array.from({ length: 2_000 }, () => makeKey("live"));
    assert.equal(new Set(keys).size, keys.length);
    const used = new Set(keys.flatMap((key) => key.slice("assay_live_".length, -6).split("")));
    assert.equal(used.size, 62);
  });

  it("is malformed with one character changed", () => {
    fc.assert(
      fc.property(modes, fc.nat(), fc.constantFrom(...base62.split(""), "-", "_", " ", "é"), (mode, place, character) => {
        const key = makeKey(mode);
        const index = place % key.length;
        const changed = key.slice(0, index) + character + key.slice(index + 1);
        assert.equal(isWellFormedKey(changed), changed === key);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is malformed with two neighbours swapped, a character added or a character removed", () => {
    fc.assert(
      fc.property(modes, fc.nat(), (mode, place) => {
        const key = makeKey(mode);
        const index = place % (key.length - 1);
        const swapped = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2);
        assert.equal(isWellFormedKey(swapped), swapped === key);
        assert.equal(isWellFormedKey(key.slice(0, index) + key.slice(index + 1)), false);
        assert.equal(isWellFormedKey(key.slice(0, index) + base62[place % 62] + key.slice(index)), false);
        assert.equal(isWellFormedKey(`${key}\n`), false);
      }),
      { numRuns: 500 },
    );
  });

  it("is malformed with the prefix of the other mode", () => {
    const key = makeKey("test");
    assert.equal(isWellFormedKey(key.replace("assay_test_", "assay_live_")), false);
  });

  it("is not recognized in random texts", () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => assert.equal(isWellFormedKey(text), false)));
  });

  it("is stored as its SHA-256 and shown as its prefix and last four", () => {
    assert.equal(hashKey("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert.equal(maskedKey("live", "wxyz"), "assay_live_…wxyz");
  });
});
