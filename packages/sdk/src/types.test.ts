import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { printTypes } from "../scripts/print-types.ts";

it("publishes the types of the contract", () => {
  const committed = readFileSync(new URL("types.ts", import.meta.url), "utf8");
  assert.equal(committed, printTypes(), "run: node packages/sdk/scripts/print-types.ts");
});
