import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { findLockFaults, type Lock } from "./check-lock.ts";

const good = { version: "1.0.0", integrity: `sha512-${"a".repeat(86)}==`, license: "MIT" };
const faultsOf = (change: object) => findLockFaults({ packages: { "": {}, "packages/own": {}, "node_modules/own": { link: true }, "node_modules/a/node_modules/b": { ...good, ...change } } });

describe("the lock file's check", () => {
  it("finds packages that cannot be proven to be what was locked, that run scripts, or that nobody has looked at", () => {
    assert.deepEqual(faultsOf({}), []);
    assert.match(faultsOf({ integrity: undefined }).join(), /no SHA-512/);
    assert.match(faultsOf({ integrity: "sha1-abc" }).join(), /no SHA-512/);
    assert.match(faultsOf({ resolved: "https://registry.example/b.tgz" }).join(), /tied to registry\.example/);
    assert.match(faultsOf({ hasInstallScript: true }).join(), /runs a script/);
    assert.match(faultsOf({ license: "AGPL-3.0-only" }).join(), /licence AGPL-3\.0-only/);
    assert.match(faultsOf({ license: undefined }).join(), /licence none/);
    assert.deepEqual(faultsOf({ license: "(MIT OR CC0-1.0)" }), []);
  });

  it("finds nothing in ours, and something where there is nothing to check", () => {
    const ours = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as Lock;
    assert.deepEqual(findLockFaults(ours), []);
    assert.deepEqual(findLockFaults({ packages: { "": {} } }).length, 1);
  });
});
