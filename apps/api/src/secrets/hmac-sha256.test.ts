import assert from "node:assert/strict";
import { createHmac, createSecretKey, randomBytes } from "node:crypto";
import { describe, it } from "node:test";
import { createHmacSha256 } from "./hmac-sha256.ts";

describe("HMAC-SHA256 from two hashes", () => {
  it("is what node:crypto computes, for keys up to a block and any message", () => {
    for (const keyBytes of [1, 16, 32, 63, 64]) {
      for (const messageBytes of [0, 1, 35, 64, 200]) {
        const secret = createSecretKey(randomBytes(keyBytes));
        const hmac = createHmacSha256(secret, messageBytes);
        for (let round = 0; round < 5; round += 1) {
          const message = randomBytes(messageBytes);
          assert.equal(hmac(message), createHmac("sha256", secret).update(message).digest("binary"), `${keyBytes} ${messageBytes}`);
        }
      }
    }
  });

  it("refuses a key or a message of a length that it was not made for", () => {
    assert.throws(() => createHmacSha256(createSecretKey(randomBytes(65)), 35), /65 bytes/);
    assert.throws(() => createHmacSha256(createSecretKey(randomBytes(32)), 35)(randomBytes(36)), /36 bytes instead of 35/);
  });
});
