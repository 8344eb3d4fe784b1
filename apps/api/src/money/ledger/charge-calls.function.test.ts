import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { it } from "node:test";
import { chargeCalls, chargeCallsFunction } from "./charge-calls.function.ts";

/** Installations have it: what is released under this name never changes. */
const releasedTextHash = "7d43a85b24158eef19cba2edf3f882871cdc0de4bef3d75e39e7790f3dcde842";

it("the function that charges on PostgreSQL is the one that was released", () => {
  assert.equal(
    hash("sha256", chargeCallsFunction, "hex"),
    releasedTextHash,
    "a change of its text or of a charge's fields needs assay_charge_calls_v2 and a migration that creates it",
  );
  assert.equal(chargeCalls.text.match(/\$\d+/g)?.length, 25);
});
