import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { printTypes, printWebhookTypes } from "../scripts/print-types.ts";

it("publishes the types of the contract", () => {
  const committed = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
  assert.equal(committed("types.ts"), printTypes(), "run: node packages/sdk/scripts/print-types.ts");
  assert.equal(committed("webhook-types.ts"), printWebhookTypes(), "run: node packages/sdk/scripts/print-types.ts");
});
