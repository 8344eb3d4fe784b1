import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { prepareRequest, refuseKey } from "./send.ts";

describe("a request from the reference", () => {
  it("is refused with a live key, without a key, and with what is not a key", () => {
    assert.match(refuseKey("assay_live_abc") ?? "", /live key, and nothing was sent/);
    assert.match(refuseKey("") ?? "", /Enter a test key/);
    assert.match(refuseKey("assay_test_a b") ?? "", /not a key/);
    assert.match(refuseKey("secret") ?? "", /not a key/);
    assert.equal(refuseKey("assay_test_abc"), undefined);
  });

  it("takes its path, query, headers and body from the form, and leaves out what is empty", () => {
    assert.deepEqual(prepareRequest("/api/sessions/{session_id}/outcome", [["path:session_id", "../a b"], ["query:from", ""], ["query:to", "2026-01"], ["header:Idempotency-Key", "k"], ["header:Assay-Test-Scenario", ""], ["body", "{}"]]), {
      url: "/api/sessions/..%2Fa%20b/outcome?to=2026-01",
      headers: { "Idempotency-Key": "k", "Content-Type": "application/json" },
      body: "{}",
    });
    assert.deepEqual(prepareRequest("/api/usage", []), { url: "/api/usage", headers: {}, body: undefined });
  });
});
