import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, it } from "node:test";
import type { Outcome } from "./note-outcome.ts";
import { filesMax, judgeTests } from "./try-again.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-outcome-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const of = (passed: number, failedFiles: string[] = [], skipped = 0): Outcome => ({ passed, failed: failedFiles.length, skipped, failedFiles });
const never = () => assert.fail("nothing runs again");

/** Judges a first run, and says what ran again. */
async function judge(outcome: Outcome, again: Record<string, boolean>, isCi = true) {
  const ran: string[] = [];
  const runAgain = async (file: string) => {
    ran.push(file);
    return { ok: again[file]!, outcome: of(3, again[file] ? [] : [file]) };
  };
  return { ran, ...(await judgeTests({ outcome, ok: outcome.failed === 0 }, { isCi, runAgain })) };
}

describe("in CI a test file that failed", () => {
  it("is no failure if it passes by itself, and is named", async () => {
    assert.deepEqual(await judge(of(10, ["a.test.ts"]), { "a.test.ts": true }), {
      ran: ["a.test.ts"],
      ok: true,
      remark: "10 passed, 1 failed, 0 skipped; unsteady, passed when run again: a.test.ts",
    });
  });

  it("is a failure if it fails again, whatever the others do", async () => {
    assert.deepEqual(await judge(of(10, ["a.test.ts", "b.test.ts"]), { "a.test.ts": true, "b.test.ts": false }), {
      ran: ["a.test.ts", "b.test.ts"],
      ok: false,
      remark: "10 passed, 2 failed, 0 skipped; unsteady, passed when run again: a.test.ts; failed twice: b.test.ts",
    });
  });

  it("is a failure at once if many others failed too, and outside of CI", async () => {
    const many = Array.from({ length: filesMax + 1 }, (_, index) => `${index}.test.ts`);
    assert.deepEqual(await judge(of(10, many), {}), { ran: [], ok: false, remark: "10 passed, 7 failed, 0 skipped" });
    assert.deepEqual(await judge(of(10, ["a.test.ts"]), {}, false), { ran: [], ok: false, remark: "10 passed, 1 failed, 0 skipped" });
  });

  it("is a failure if the second time nothing runs, or something is skipped", async () => {
    for (const outcome of [of(0), of(3, [], 1)]) {
      const verdict = await judgeTests({ outcome: of(10, ["a.test.ts"]), ok: false }, { isCi: true, runAgain: async () => ({ ok: true, outcome }) });
      assert.equal(verdict.ok, false);
    }
  });
});

describe("a run of tests", () => {
  it("in which nothing ran, or a test was skipped in CI, is a failure", async () => {
    assert.deepEqual(await judgeTests({ outcome: of(0), ok: true }, { isCi: true, runAgain: never }), { ok: false, remark: "no tests ran" });
    assert.equal((await judgeTests({ outcome: of(5, [], 1), ok: true }, { isCi: true, runAgain: never })).ok, false);
    assert.equal((await judgeTests({ outcome: of(5, [], 1), ok: true }, { isCi: false, runAgain: never })).ok, true);
  });

  it("that fails without naming a file stays a failure", async () => {
    assert.equal((await judgeTests({ outcome: of(5), ok: false }, { isCi: true, runAgain: never })).ok, false);
  });

  it("is noted with its counts and the files that fail an assertion, exit, hang or do not load", () => {
    const sources = {
      "passes.test.mjs": `import { it } from "node:test"; it("passes", () => {}); it("is skipped", { skip: true }, () => {});`,
      "fails.test.mjs": `import { describe, it } from "node:test"; describe("both", () => { it("passes", () => {}); it("fails", () => { throw new Error("wrong"); }); });`,
      "exits.test.mjs": `import { it } from "node:test"; it("passes", () => {}); it("exits", () => process.exit(3));`,
      "hangs.test.mjs": `import { it } from "node:test"; it("hangs", () => new Promise(() => {}));`,
      "broken.test.mjs": `throw new Error("does not load");`,
    };
    const files = Object.entries(sources).map(([name, text]) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    const noted = join(folder, "outcome.json");
    const reporter = ["--test-reporter", join(import.meta.dirname, "note-outcome.ts"), "--test-reporter-destination", noted];
    const { NODE_TEST_CONTEXT: _outer, ...env } = process.env;
    const { status } = spawnSync(process.execPath, ["--test", "--test-timeout=5000", ...reporter, ...files], { env, encoding: "utf8" });
    const { failedFiles, ...counts } = JSON.parse(readFileSync(noted, "utf8")) as Outcome;
    assert.equal(status, 1);
    assert.deepEqual(failedFiles.map((file) => basename(file)), ["broken.test.mjs", "exits.test.mjs", "fails.test.mjs", "hangs.test.mjs"]);
    assert.equal(counts.skipped, 1);
    assert.equal(counts.passed, 2);
    assert.equal(counts.failed, 4);
  });
});
