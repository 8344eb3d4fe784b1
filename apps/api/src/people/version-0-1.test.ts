/** Values that version 0.1 wrote with the package better-auth 1.7.7, with the secret that tests share. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testSecretKey } from "../../test/start-service.ts";
import { newTokenFor, openOldText, readOldCookie } from "./version-0-1.ts";

const cookie = "Sx23KqTXznutqZRLGMNLtjHEbRIdYjxN.OPd9GFvgS11Opz9t7phH0id9x%2B%2BauootGjIpG3agqTo%3D";
const storedToken = "Sx23KqTXznutqZRLGMNLtjHEbRIdYjxN";
const encryptedSecret =
  "d3863c8de90620304fbc25c165a1dae2390ddb9b9f5c8507f341a657c64cf36b546d04c600c02341ab48298ed77c9b97cec5e5569fc30af0a2b17dee02a17db5f50532c5edcec25d";
const encryptedCodes =
  "9f49220c1328a51943711ff9f50d04a75d4ead70261b2a5c9b9c8426ab97f3b5f33f528d5af28f0ee165994c7b3da6f3f31f2a1e1d3448c7d1e3216feef2a816ff8af17f070768506f4297ed25299ff87592d6bae25a0cd471edc79f9f2e8a903cfab511a21a9e2955f0a57e37953fe4f091698cc328d83e0798bb611dbc4551f0db4b25ebb4395e664bedbbeaf5a37ea42973eef55696a2011d364b0a39110cd50615493f2406637ab40ec0617d28b61f23028d9e";
const codes = ["nx8nA-R1Wpl", "FQgc9-4caDR", "0VI5D-n4vh0", "RN7Q9-6tzsU", "JOFo5-JFuNl", "ggeHx-bW55Z", "qdbLX-yZSMB", "2LBcL-MF6Av", "zeSFU-jgZtk", "ywQhM-JNumN"];
const other = "another secret of thirty-two letters";

describe("what version 0.1 left", () => {
  it("a session cookie is accepted with its signature only, and gives a token that the store does not reveal", () => {
    const token = newTokenFor(storedToken, testSecretKey);
    assert.deepEqual(readOldCookie(cookie, [testSecretKey]), { oldToken: storedToken, token });
    assert.deepEqual(readOldCookie(cookie, [other, testSecretKey]), { oldToken: storedToken, token });
    assert.notEqual(newTokenFor(storedToken, other), token);
    const forged = [undefined, "", storedToken, `${storedToken}.`, cookie.replace("OPd9", "OPd8"), cookie.replace("Sx23", "Sx24"), `${storedToken}.${"A".repeat(43)}%3D`, `x${cookie}`];
    for (const text of forged) assert.equal(readOldCookie(text, [testSecretKey]), undefined, text);
    assert.equal(readOldCookie(cookie, [other]), undefined);
  });

  it("a second factor and its recovery codes are decrypted with the secret of then, and nothing else is", () => {
    assert.equal(openOldText(encryptedSecret, [other, testSecretKey]), "ix2-0jUr-gTehICMNvErjmyGILw10YS-");
    assert.deepEqual(JSON.parse(openOldText(encryptedCodes, [testSecretKey])), codes);
    for (const text of ["", "00", "no hex", encryptedSecret.slice(2), encryptedSecret.replace("d386", "d387")]) assert.equal(openOldText(text, [testSecretKey]), "unreadable", text);
    assert.equal(openOldText(encryptedSecret, [other]), "unreadable");
  });
});
