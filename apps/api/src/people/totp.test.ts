import * as fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeAtStep, stepMs, stepOfCode } from "./totp.ts";

/** RFC 6238, appendix B; our six digits are the last of its eight. */
const secret = Buffer.from("12345678901234567890");
const published: [seconds: number, code: string][] = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
];

describe("authenticator codes", () => {
  it("equal the RFC's test vectors", () => {
    for (const [seconds, code] of published) assert.equal(codeAtStep(secret, Math.floor(seconds / 30)), code.slice(-6));
  });

  it("are accepted in their own step and its neighbours only", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 40 }), fc.integer({ min: 10, max: 100_000_000 }), fc.integer({ min: -3, max: 3 }), (bytes, step, offset) => {
        const key = Buffer.from(bytes);
        const codes = [-1, 0, 1].map((each) => codeAtStep(key, step + each));
        const code = codeAtStep(key, step + offset);
        // Two steps may share a code by chance; the older one counts.
        const expected = codes.includes(code) ? step - 1 + codes.indexOf(code) : undefined;
        assert.equal(stepOfCode(key, code, step * stepMs), expected);
        assert.equal(stepOfCode(key, code, (step + 1) * stepMs - 1), expected);
      }),
    );
  });

  it("of any other length than six are rejected", () => {
    for (const wrong of ["", "1", "1234567", "１２３４５６", "x".repeat(100_000)]) assert.equal(stepOfCode(secret, wrong, 59_000), undefined);
  });
});
