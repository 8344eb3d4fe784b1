import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeDetail } from "./describe-detail.ts";
import { formatUptime } from "./format-uptime.ts";

describe("operator console formatting", () => {
  it("describes an action's details, with micro-dollars as dollars", () => {
    assert.equal(describeDetail({ reason: "click farm", budget_micro: 10_250_000, from: "active" }), "reason: click farm; budget: $10.25; from: active");
    assert.equal(describeDetail({ ids: ["a", "b"], note: null }), 'ids: ["a","b"]');
    assert.equal(describeDetail({}), "");
  });

  it("shows uptime in its two largest units", () => {
    assert.deepEqual([59, 60, 3_599, 3_660, 86_399, 90_000].map(formatUptime), ["59 s", "1 min", "59 min", "1 h 1 min", "23 h 59 min", "1 d 1 h"]);
  });
});
