import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFailovers } from "./save-measured.ts";

describe("what a fault suite prints of its failovers", () => {
  it("is read from its lines of JSON, the last of each fault", () => {
    const lineOf = (fault: string, medianSeconds: number) => `ℹ ${JSON.stringify({ failover: { fault, times: 10, medianSeconds, longestSeconds: 9 } })}`;
    const text = ["ASSAY_TEST_SEED=1", lineOf("killed", 5), "▶ a suite", lineOf("frozen", 7), lineOf("killed", 6)].join("\n");
    assert.deepEqual(parseFailovers(text), [
      { fault: "killed", times: 10, medianSeconds: 6, longestSeconds: 9 },
      { fault: "frozen", times: 10, medianSeconds: 7, longestSeconds: 9 },
    ]);
  });

  it("is refused if a figure is missing", () => {
    assert.throws(() => parseFailovers("nothing"), /no measurement/);
    assert.throws(() => parseFailovers('{"failover":{"fault":"killed","times":1,"medianSeconds":null,"longestSeconds":2}}'), /not a measurement/);
  });
});
