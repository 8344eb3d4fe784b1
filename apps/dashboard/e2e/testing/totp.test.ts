import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { codeAt } from "./totp.ts";

describe("totp", () => {
  it("gives the codes of RFC 6238, appendix B", () => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    assert.equal(codeAt(secret, 59_000), "287082");
    assert.equal(codeAt(secret, 1_111_111_109_000), "081804");
  });
});
