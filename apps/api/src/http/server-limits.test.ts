import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { connectionsMaxOf, parseOpenFiles } from "./server-limits.ts";

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max processes             95867                95867                processes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe("the number of connections", () => {
  it("stays below the open-file limit, so that the service can always open its own files [threat: idle-connections]", () => {
    assert.equal(parseOpenFiles(limits), 1_024);
    assert.equal(connectionsMaxOf(1_024), 512);
    assert.equal(connectionsMaxOf(10), 1);
  });

  it("is bounded if files are unlimited or their limit is unknown", () => {
    assert.equal(parseOpenFiles(limits.replace(/1024 /, "unlimited")), Number.POSITIVE_INFINITY);
    assert.equal(connectionsMaxOf(Number.POSITIVE_INFINITY), 16_384);
    assert.equal(parseOpenFiles("some other text"), undefined);
    assert.equal(connectionsMaxOf(undefined), 3_584);
  });
});
