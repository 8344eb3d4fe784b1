import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFloodGuard, requestsPerStepMax, retryAfterSeconds } from "./flood-guard.ts";

describe("the flood guard", () => {
  it("refuses what one network sends beyond the limit, until the next step, and nobody else [threat: beat-flood]", () => {
    let now = 1_000_000;
    const { admit } = createFloodGuard(() => now);
    const admitted = (network: string, count: number) => Array.from({ length: count }, () => admit(network)).filter(Boolean).length;
    assert.equal(admitted("a", requestsPerStepMax + 500), requestsPerStepMax);
    assert.equal(admit("b"), true, "another network is not concerned");
    now += retryAfterSeconds * 1_000 - 1;
    assert.equal(admit("a"), false);
    now += 1;
    assert.equal(admitted("a", requestsPerStepMax + 1), requestsPerStepMax, "what Retry-After says is enough");
  });

  it("remembers a bounded number of networks, and refuses nobody because of others [threat: beat-flood]", () => {
    const { admit } = createFloodGuard(() => 5_000);
    for (let network = 0; network < 250_000; network += 1) assert.equal(admit(String(network)), true);
  });
});
