import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";

const root = dirname(import.meta.dirname);
const page = readFileSync(join(root, "docs/security.md"), "utf8");

describe("docs/security.md", () => {
  it("names only files that exist", () => {
    const named = [...page.matchAll(/`((?:apps|packages|scripts|bench)\/[^`]+\.ts)`/g)].map((match) => match[1]!);
    assert(named.length > 40);
    assert.deepEqual(named.filter((file) => !existsSync(join(root, file))), []);
  });

  it("has a test for each threat", () => {
    const sections = page.slice(page.indexOf("## Threats"), page.indexOf("## Packages"));
    const threats = sections.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| Threat"));
    assert(threats.length > 30);
    assert.deepEqual(threats.filter((line) => !/`[^`]+\.test\.ts`/.test(line.split("|").at(-2)!)), []);
  });
});
