import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { oldCodes, oldCookie, oldFactor, oldSecret, oldToken } from "../../test/people/version-0-1-values.ts";
import { testSecretKey } from "../../test/start-service.ts";
import { newTokenFor, openOldText, readOldCookie } from "./version-0-1.ts";

const other = "another secret of thirty-two letters";

describe("what version 0.1 left", () => {
  it("a session cookie is accepted with its signature only, and gives a token that the store does not reveal", () => {
    const token = newTokenFor(oldToken, testSecretKey);
    assert.deepEqual(readOldCookie(oldCookie, [testSecretKey]), { oldToken, token });
    assert.deepEqual(readOldCookie(oldCookie, [other, testSecretKey]), { oldToken, token });
    assert.notEqual(newTokenFor(oldToken, other), token);
    const forged = [undefined, "", oldToken, `${oldToken}.`, oldCookie.replace("OPd9", "OPd8"), oldCookie.replace("Sx23", "Sx24"), `${oldToken}.${"A".repeat(43)}%3D`, `x${oldCookie}`];
    for (const text of forged) assert.equal(readOldCookie(text, [testSecretKey]), undefined, text);
    assert.equal(readOldCookie(oldCookie, [other]), undefined);
  });

  it("a second factor and its recovery codes are decrypted with the secret of then, and nothing else is", () => {
    assert.equal(openOldText(oldFactor.secret, [other, testSecretKey]), oldSecret);
    assert.deepEqual(JSON.parse(openOldText(oldFactor.recovery_codes, [testSecretKey])), oldCodes);
    for (const text of ["", "00", "no hex", oldFactor.secret.slice(2), oldFactor.secret.replace("d386", "d387")]) assert.equal(openOldText(text, [testSecretKey]), "unreadable", text);
    assert.equal(openOldText(oldFactor.secret, [other]), "unreadable");
  });
});
