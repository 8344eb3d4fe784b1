import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { printVectors } from "./print-vectors.ts";

describe("the vectors of the corpus", () => {
  it("are what clients/conformance/print-vectors.ts prints", async () => {
    for (const [name, text] of Object.entries(await printVectors())) assert.equal(readFileSync(join(import.meta.dirname, name), "utf8"), text, name);
  });
});
