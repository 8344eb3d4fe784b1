import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findBase, drawMutants, wingOf } from "./draw-mutants.ts";
import { createTestFinder } from "./find-tests.ts";
import { keptMutants } from "./kept.ts";
import { listMutations, type Operator, parse, parses, plant } from "./list-mutations.ts";
import { type Change, locate } from "./locate.ts";
import { createTapReader, escapePattern, judgeTitle } from "./read-outcomes.ts";
import { partOf } from "./run-kept.ts";
import { readSource, root } from "./run-tests.ts";

/** Whether a source has a test of this title, or of a template that gives it. */
function hasTest(source: string, title: string): boolean {
  if (source.includes(`it(${JSON.stringify(title)}`)) return true;
  const templates = [...source.matchAll(/\bit\(`([^`]+)`/g)].map(([, template]) => template!);
  const patternOf = (template: string) => template.split(/\$\{[^}]*\}/).map(escapePattern).join(".*");
  return templates.some((template) => new RegExp(`^${patternOf(template)}$`).test(title));
}

describe("the kept mutants", () => {
  it("can all be planted, each with a meaning of its own, and can be read with it", () => {
    const faults = keptMutants.flatMap((mutant) => {
      const text = readSource(mutant.in);
      const place = locate(mutant.in, text, mutant);
      if ("stale" in place) return [`${mutant.means}: ${place.stale}`];
      const planted = plant(text, place);
      return planted !== text && parses(mutant.in, planted) ? [] : [`${mutant.means}: it changes nothing, or cannot be read`];
    });
    assert.deepEqual(faults, []);
    assert.equal(new Set(keptMutants.map(({ means }) => means)).size, keptMutants.length);
  });

  it("name tests that exist", () => {
    const untested = keptMutants.filter(({ killedBy: [file, title] }) => !hasTest(readSource(file), title));
    assert.deepEqual(untested.map(({ means, killedBy }) => `${means}: ${killedBy.join(": ")}`), []);
    assert.ok(hasTest("it(`is ${usd} USD at ${tier}`, () => {})", "is 0.034 USD at Starter"));
    assert.ok(!hasTest('it("is paid once or twice", () => {})', "is paid once"));
  });

  it("are about money, the ledger, access, people, the lane and clicks", () => {
    const wings = Map.groupBy(keptMutants, (mutant) => wingOf(mutant.in));
    for (const [wing, few] of [["money", 60], ["access", 15], ["people", 20], ["lane", 5], ["ads", 8]] as const) assert.ok((wings.get(wing)?.length ?? 0) >= few, wing);
  });
});

describe("turns", () => {
  it("run each kept mutant once, together with the others of its test file", () => {
    const parts = [0, 1, 2].map((turn) => partOf(keptMutants, { turn, turns: 3 }));
    assert.deepEqual(new Set(parts.flat()), new Set(keptMutants));
    assert.equal(parts.flat().length, keptMutants.length);
    for (const part of parts) assert.ok(part.length > keptMutants.length / 5);
  });
});

const source = `
export async function payOut(tx: Tx, payout: Payout, { held }: Facts): Promise<string> {
  await lockChains(tx, [payout.accountId]);
  if (held) throw new Failure("held");
  if (payout.amount >= 10 && payout.isOpen) return "paid";
  const rows = tx.db.selectFrom("payouts").select("id").where("account_id", "=", payout.accountId).where("demo", "=", 0);
  return isLate(payout) ? "late" : \`of \${rows}\`;
}
const isLate = (payout: Payout) => payout.dueMs - 5 < Math.min(payout.atMs, payout.nowMs);
const isDemo = true;
`;

const planted = (change: Change, name = "payOut", text = source): string => {
  const place = locate("pay-out.ts", text, { function: name, change });
  return "stale" in place ? place.stale : plant(text, place).replace(/^\n/, "");
};
const lineOf = (text: string, part: string): string => text.split("\n").find((line) => line.includes(part))?.trim() ?? "";

describe("a change", () => {
  it("is planted in the one place of its function that mentions what it is about", () => {
    assert.ok(!planted(["drop", "lockChains"]).includes("lockChains"));
    assert.ok(!planted(["drop", "held"]).includes("Failure"));
    assert.equal(lineOf(planted(["negate", "held"]), "Failure"), 'if (!(held)) throw new Failure("held");');
    assert.equal(lineOf(planted(["always", "isOpen"]), '"paid"'), 'if (true) return "paid";');
    assert.equal(lineOf(planted(["never", "isLate"]), '"late"'), 'return false ? "late" : `of ${rows}`;');
    assert.equal(lineOf(planted(["compare", "amount"]), '"paid"'), 'if (payout.amount > 10 && payout.isOpen) return "paid";');
    assert.equal(lineOf(planted(["and-or", "isOpen"]), '"paid"'), 'if (payout.amount >= 10 || payout.isOpen) return "paid";');
    assert.equal(lineOf(planted(["without", "isOpen"]), '"paid"'), 'if (payout.amount >= 10) return "paid";');
    assert.equal(lineOf(planted(["without", "payout.amount"]), '"paid"'), 'if (payout.isOpen) return "paid";');
    assert.equal(lineOf(planted(["more", "10"]), '"paid"'), 'if (payout.amount >= (10 + 1) && payout.isOpen) return "paid";');
    assert.ok(!planted(["unchain", "demo"]).includes("demo") && planted(["unchain", "demo"]).includes("account_id"));
    assert.equal(lineOf(planted(["return", "lockChains"]), "lockChains"), "return; await lockChains(tx, [payout.accountId]);");
    assert.equal(lineOf(planted(["text", "of ", "out of "]), "late"), 'return isLate(payout) ? "late" : `out of ${rows}`;');
  });

  it("may be about a constant of the module, a term of a sum, or an argument of Math.min", () => {
    assert.equal(lineOf(planted(["flip", "true"], "isDemo"), "isDemo"), "const isDemo = false;");
    assert.equal(lineOf(planted(["without", "5"], "isLate"), "isLate ="), "const isLate = (payout: Payout) => payout.dueMs < Math.min(payout.atMs, payout.nowMs);");
    assert.equal(lineOf(planted(["without", "payout.nowMs"], "isLate"), "isLate ="), "const isLate = (payout: Payout) => payout.dueMs - 5 < Math.min(payout.atMs);");
  });

  it("does not mind that lines are moved or laid out otherwise", () => {
    const moved = `// Elsewhere.\n${source.replace("  await lock", "  const first = 1;\n\n  await lock").replace("payout.amount >= 10 && payout.isOpen", "payout.amount\n      >= 10 &&\n      payout.isOpen")}`;
    assert.ok(!planted(["drop", "lockChains(tx, [payout.accountId])"], "payOut", moved).includes("lockChains"));
    assert.match(planted(["replace", "payout.amount >= 10 && payout.isOpen", "true"], "payOut", moved), /if \(true\) return "paid"/);
  });

  it("that applies nowhere, or in several places, says so", () => {
    assert.equal(planted(["drop", "lockChains"], "payAll"), "pay-out.ts has no payAll");
    assert.equal(planted(["drop", "unlockChains"]), '"drop unlockChains" fits nothing in payOut in pay-out.ts');
    assert.equal(planted(["unchain", "where"]), '"unchain where" fits 2 places of payOut in pay-out.ts');
    assert.equal(planted(["drop", "lockChains"], "isLate"), '"drop lockChains" fits nothing in isLate in pay-out.ts');
  });
});

describe("faults at random", () => {
  it("are of every kind, and leave types and imports alone", () => {
    const kinds = new Set(listMutations(parse("pay-out.ts", source)).map(({ operator }) => operator));
    const all: Operator[] = ["drop", "negate", "always", "never", "compare", "and-or", "more", "less", "return", "without", "flip", "unchain"];
    assert.deepEqual([...kinds].toSorted(), all.toSorted());
    assert.deepEqual(listMutations(parse("types.ts", 'import a from "a";\ntype A = { b: 1; c: true };\ninterface B { d: 2 }\n')), []);
  });

  it("are the same for the same seed, can be read, and are spread over the wings", () => {
    const drawn = drawMutants({ count: 6, seed: 7 });
    assert.deepEqual(drawMutants({ count: 6, seed: 7 }), drawn);
    assert.equal(new Set(drawn.map(({ file }) => wingOf(file))).size, 6);
    for (const mutant of drawn) assert.ok(parses(mutant.file, plant(readSource(mutant.file), mutant)));
    assert.throws(() => drawMutants({ count: 1, seed: 7, wings: ["nowhere"] }), /There is no wing nowhere/);
    assert.match(findBase(), /^(?:[0-9a-f]{40}|HEAD)$/);
  });

  it("are shown to the tests that reach their file, the nearest first", () => {
    const tests = createTestFinder(root)("apps/api/src/people/throttle-rule.ts");
    assert.equal(tests[0], "apps/api/src/people/throttle-rule.test.ts");
    assert.ok(tests.indexOf("apps/api/src/people/throttle.test.ts") < 8);
    assert.ok(tests.every((test) => !test.includes(".fault.")));
    assert.ok(createTestFinder(root)("packages/tlog/src/merkle.ts").includes("packages/tlog/src/merkle.test.ts"));
    assert.deepEqual(createTestFinder(root)("apps/api/src/nobody-imports-this.ts"), []);
  });
});

describe("the verdict on a mutant", () => {
  const suite = (line: string) => `TAP version 13\n# Subtest: money\n    # Subtest: is paid once\n    ${line}\n    1..1\nnot ok 1 - money\n`;
  const judge = (tap: string, title = "is paid once") => judgeTitle(createTapReader()(tap), title);

  it("is read from the test that should notice it, and from no other", () => {
    assert.deepEqual(judge(suite("not ok 1 - is paid once")), { kind: "killed" });
    assert.deepEqual(judge(suite("ok 1 - is paid once")), { kind: "lived" });
    assert.equal(judge(suite("not ok 1 - is paid once or twice")).kind, "error");
    assert.equal(judge(suite("ok 1 - is paid once # SKIP no PostgreSQL")).kind, "error");
    assert.deepEqual(judge(suite("not ok 1 - is entry \\#1"), "is entry #1"), { kind: "killed" });
  });

  it("is not a kill when the file could not be loaded", () => {
    assert.deepEqual(judge("TAP version 13\nnot ok 1 - apps/api/src/money/price.test.ts\n"), { kind: "error", why: "no test of that title ran" });
  });

  it("is read however the output is cut into pieces, with the suites around each test", () => {
    const read = createTapReader();
    const outcomes = suite("ok 1 - is paid once").split("").flatMap((letter) => read(letter));
    assert.deepEqual(outcomes, [
      { title: "is paid once", path: "money > is paid once", result: "passed" },
      { title: "money", path: "money", result: "failed" },
    ]);
  });
});
