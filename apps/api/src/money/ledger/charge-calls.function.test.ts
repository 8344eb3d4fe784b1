import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { it } from "node:test";
import { chargeCallsFunction1 } from "../../store/migrations/0001-charge-calls.ts";
import { chargeCallsFunction2 } from "../../store/migrations/0009-charge-calls.ts";
import { chargeCallsFunction3 } from "../../store/migrations/0019-charge-calls.ts";
import { chargeCalls, chargeCallsFunction } from "./charge-calls.function.ts";

/** Installations have them: what is released under a name never changes. */
const releasedTextHashes = [
  "7d43a85b24158eef19cba2edf3f882871cdc0de4bef3d75e39e7790f3dcde842",
  "8287186914190add340b798202f66590cb929b2d5e797c3ffcd3857f9494aee7",
  "f7b6f9264de40a571dd58c86167f1ef5708a2bc38b580f0734994f1fb8dc4303",
  "35d4e06dff377f5ad2ee20f2d5e0f5dd970cd504d4e5c2b31e797d6b644035c3",
];

it("the functions that charge on PostgreSQL are the ones that were released", () => {
  assert.deepEqual(
    [chargeCallsFunction1, chargeCallsFunction2, chargeCallsFunction3, chargeCallsFunction].map((text) => hash("sha256", text, "hex")),
    releasedTextHashes,
    "a change of the text or of a charge's fields needs assay_charge_calls_v5 and a migration that creates it",
  );
  assert.equal(chargeCalls.text.match(/\$\d+/g)?.length, 30);
});
