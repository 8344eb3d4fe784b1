import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { findLockFaults, type Lock } from "./check-lock.ts";

const good = { version: "1.0.0", integrity: `sha512-${"a".repeat(86)}==`, license: "MIT" };
const faultsOf = (change: object) => findLockFaults({ packages: { "": {}, "packages/own": {}, "node_modules/own": { link: true }, "node_modules/a/node_modules/b": { ...good, ...change } } });

describe("the lockfile check", () => {
  it("finds packages without a SHA-512, with a fixed registry, with install scripts or with an unknown licence [threat: tampered-package]", () => {
    assert.deepEqual(faultsOf({}), []);
    assert.match(faultsOf({ integrity: undefined }).join(), /no SHA-512/);
    assert.match(faultsOf({ integrity: "sha1-abc" }).join(), /no SHA-512/);
    assert.match(faultsOf({ resolved: "https://registry.example/b.tgz" }).join(), /pinned to registry\.example/);
    assert.match(faultsOf({ hasInstallScript: true }).join(), /install script/);
    assert.match(faultsOf({ license: "AGPL-3.0-only" }).join(), /licence AGPL-3\.0-only/);
    assert.match(faultsOf({ license: undefined }).join(), /licence none/);
    assert.deepEqual(faultsOf({ license: "(MIT OR CC0-1.0)" }), []);
  });

  it("accepts our lockfile and rejects an empty one", () => {
    const ours = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as Lock;
    assert.deepEqual(findLockFaults(ours), []);
    assert.deepEqual(findLockFaults({ packages: { "": {} } }).length, 1);
  });
});
