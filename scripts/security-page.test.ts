import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readDocument, readInlineCode, readTableRows, root } from "./testing/read-document.ts";
import { readMarkedTests } from "./testing/read-threats.ts";

const page = readDocument("docs/security.md");
const threats = readTableRows(page.slice(page.indexOf("## Threats"), page.indexOf("## Packages"))).map(([id, , , shownBy]) => ({
  threat: readInlineCode(id!)[0]!,
  files: readInlineCode(shownBy!).filter((name) => name.endsWith(".test.ts")),
}));
const testFiles = globSync("{apps,packages,examples,training,scripts}/**/*.test.ts", { cwd: root, exclude: (path) => path.split("/").includes("node_modules") });

describe("docs/security.md", () => {
  const marked = testFiles.flatMap((file) => readMarkedTests(readFileSync(join(root, file), "utf8")).map((test) => ({ file, ...test })));

  it("names only files that exist", () => {
    const named = readInlineCode(page).filter((code) => /^(apps|packages|scripts|bench)\/\S+\.ts$/.test(code));
    assert(named.length > 40);
    assert.deepEqual(named.filter((file) => !existsSync(join(root, file))), []);
  });

  it("has an id for each threat, and a test that names it in every file cited for it", () => {
    assert(threats.length > 30);
    assert.equal(new Set(threats.map(({ threat }) => threat)).size, threats.length, "ids differ");
    assert.deepEqual(threats.filter(({ files }) => files.length === 0), []);
    const cited = threats.flatMap(({ threat, files }) => files.map((file) => `${threat} ${file}`));
    const shown = marked.filter(({ isRun }) => isRun).map(({ threat, file }) => `${threat} ${file}`);
    assert.deepEqual([...new Set(shown)].toSorted(), cited.toSorted());
  });

  it("is named only by tests that run", () => {
    assert.deepEqual(marked.filter(({ isRun }) => !isRun), []);
  });
});

describe("a test that names a threat", () => {
  const isRunIn = (source: string) => readMarkedTests(source).map(({ threat, isRun }) => `${threat} ${isRun}`);

  it("is found in every form of title, more than once if it names several", () => {
    assert.deepEqual(isRunIn('describe("x", () => { it("a [threat: one] [threat: two]", () => f()); it(`b ${c} [threat: three]`, { skip: !has }, async () => { f(); }); });'), ["one true", "two true", "three true"]);
  });

  it("is not found in comments, other texts and groups of tests", () => {
    assert.deepEqual(isRunIn('// it("a [threat: one]", () => f());\n/* it("a [threat: one]", f) */ const text = "it [threat: one]"; describe("[threat: one]", () => {});'), []);
  });

  it("does not count if it is skipped, in whatever way", () => {
    const ways = ['it.skip("[threat: a]", () => f())', 'it.todo("[threat: a]", () => f())', 'it("[threat: a]", { skip: true }, () => f())', 'it("[threat: a]", { todo: "later" }, () => f())', 'describe.skip("x", () => { it("[threat: a]", () => f()); })', 'describe("x", { skip: "no" }, () => { it("[threat: a]", () => f()); })', 'it("[threat: a]")', 'it("[threat: a]", () => {})', 'it("[threat: a]", (t) => { t.skip(); f(); })'];
    for (const way of ways) assert.deepEqual(isRunIn(way), ["a false"], way);
  });
});
