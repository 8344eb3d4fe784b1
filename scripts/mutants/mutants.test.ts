import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { type Corpus, expand } from "../../clients/conformance/play-call.ts";
import { mutants } from "./all.ts";
import { escapePattern, partCount, partOf, readVerdict } from "./verdict.ts";

const root = dirname(dirname(import.meta.dirname));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The titles of the tests that every client's test has. */
const corpusTitles: ReadonlySet<string> = new Set([
  ...(JSON.parse(read("clients/conformance/calls.json")) as Corpus).cases.flatMap(expand).map(({ name }) => name),
  ...["webhooks.json", "proofs.json"].flatMap((file) => (JSON.parse(read(`clients/conformance/${file}`)) as { vectors: { name: string }[] }).vectors.map(({ name }) => name)),
]);

/** Whether a source has a test of this title, or of a template that gives it. */
function hasTest(source: string, title: string): boolean {
  if (source.includes("runCorpus(") && corpusTitles.has(title)) return true;
  if (source.includes(`it(${JSON.stringify(title)}`)) return true;
  const templates = [...source.matchAll(/\bit\(`([^`]+)`/g)].map(([, template]) => template!);
  const patternOf = (template: string) => template.split(/\$\{[^}]*\}/).map(escapePattern).join(".*");
  return templates.some((template) => new RegExp(`^${patternOf(template)}$`).test(title));
}

describe("the mutants", () => {
  it("are about a hundred and more, each with a name of its own", () => {
    assert.ok(mutants.length >= 101, `${mutants.length} mutants`);
    assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
  });

  it("change text that occurs once in its file", () => {
    const stale = mutants.filter(({ file, from, to }) => from === to || read(file).split(from).length !== 2);
    assert.deepEqual(stale.map(({ name, file }) => `${name} (${file})`), []);
  });

  it("name tests that exist", () => {
    const untested = mutants.filter(({ killedBy: [file, title] }) => !hasTest(read(file), title));
    assert.deepEqual(untested.map(({ name, killedBy }) => `${name}: ${killedBy.join(": ")}`), []);
    assert.ok(hasTest('it("is paid once", () => {})', "is paid once"));
    assert.ok(hasTest("it(`is ${usd} USD at ${tier}`, () => {})", "is 0.034 USD at Starter"));
    assert.ok(!hasTest('it("is paid once or twice", () => {})', "is paid once"));
  });

  it("cover money, access, people and ads", () => {
    for (const wing of ["money", "access", "people", "ads"]) {
      const some = mutants.filter(({ file }) => file.startsWith(`apps/api/src/${wing}/`));
      assert.ok(some.length >= 20, `${wing} has ${some.length}`);
    }
  });

  it("are all run within twenty turns, each once", () => {
    const run = Array.from({ length: partCount }, (_, part) => partOf(mutants, part)).flat();
    assert.equal(run.length, mutants.length);
    assert.deepEqual(new Set(run), new Set(mutants));
  });
});

describe("the verdict on a mutant", () => {
  const suite = (line: string) => `TAP version 13\n# Subtest: money\n    ${line}\n    1..1\nnot ok 1 - money\n`;

  it("is read from the test that should notice it, and from no other", () => {
    assert.deepEqual(readVerdict(suite("not ok 1 - is paid once"), "is paid once"), { kind: "killed" });
    assert.deepEqual(readVerdict(suite("ok 1 - is paid once"), "is paid once"), { kind: "lived" });
    assert.equal(readVerdict(suite("not ok 1 - is paid once or twice"), "is paid once").kind, "stale");
    assert.equal(readVerdict(suite("ok 1 - is paid once # SKIP no PostgreSQL"), "is paid once").kind, "stale");
    assert.deepEqual(readVerdict(suite("not ok 1 - is entry \\#1"), "is entry #1"), { kind: "killed" });
  });

  it("is not a kill when the file could not be loaded", () => {
    assert.equal(readVerdict("TAP version 13\nnot ok 1 - apps/api/src/money/price.test.ts\n", "is paid once").kind, "stale");
  });
});
