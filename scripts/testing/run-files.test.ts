import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { groupFiles } from "./lanes.ts";
import { type Outcome, runFiles } from "./run-files.ts";

const root = dirname(dirname(import.meta.dirname));
const folder = mkdtempSync(join(tmpdir(), "assay-runner-"));

/** A test file, by its path from the root. */
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), `import { after, afterEach, describe, it } from "node:test";\n${text}\n`);
  return relative(root, join(folder, name));
}

const passes = write("passes.test.ts", 'it("passes", () => {});');

async function run(groups: string[][], options: { testMsMax?: number } = {}): Promise<Outcome & { printed: string; of: (file: string) => string }> {
  const environment: NodeJS.ProcessEnv = { ...process.env, ASSAY_TEST_EXIT_MS_MAX: "300" };
  delete environment.NODE_TEST_CONTEXT;
  const logFolder = join(folder, "logs");
  // A second group keeps what they print out of this test's output.
  const outcome = await runFiles([...groups, [passes]], { atOnce: 2, testMsMax: options.testMsMax ?? 60_000, environment, signal: new AbortController().signal, logFolder });
  const of = (file: string): string => {
    const found = outcome.files.filter((each) => each.file === file);
    return found.map(({ passed, failed, todo, skipped }) => `${passed} passed, ${failed} failed, ${todo.length} to do, skipped ${JSON.stringify(skipped)}`).join(" and ");
  };
  return { ...outcome, of, printed: readFileSync(join(logFolder, "000.log"), "utf8") };
}

after(() => rmSync(folder, { recursive: true, force: true }));

describe("running test files", () => {
  it("counts tests by file, also of files that share a process, and keeps their hooks apart", async () => {
    const hooked = write("hooked.test.ts", 'afterEach(() => { throw new Error("only this file\'s tests have this hook"); }); it("fails by its hook", () => {});');
    const mixed = write("mixed.test.ts", 'describe("a suite", () => { it("passes", () => {}); it("fails", () => { throw new Error("no"); }); it.skip("skips"); it.todo("is to be done"); }); describe("off", { skip: "no server" }, () => {});');
    const outcome = await run([[passes, hooked, mixed]]);
    assert.equal(outcome.of(hooked), "0 passed, 1 failed, 0 to do, skipped {}");
    assert.equal(outcome.of(mixed), '1 passed, 1 failed, 1 to do, skipped {"true":1,"no server":1}');
    assert.equal(outcome.of(passes), ["1 passed, 0 failed, 0 to do, skipped {}", "1 passed, 0 failed, 0 to do, skipped {}"].join(" and "));
    assert.equal(outcome.failed, 2);
  });

  it("fails a file that cannot be loaded, and runs its neighbours", async () => {
    const broken = write("broken.test.ts", 'import "./not-there.ts";');
    const outcome = await run([[broken, passes]]);
    assert.equal(outcome.of(broken), "0 passed, 1 failed, 0 to do, skipped {}");
    assert.equal(outcome.passed, 2);
  });

  it("fails a file that ends its process in the middle of a test", async () => {
    const exits = write("exits.test.ts", 'it("exits", () => process.exit(0));');
    const outcome = await run([[exits]]);
    assert.equal(outcome.of(exits), "0 passed, 1 failed, 0 to do, skipped {}");
  });

  it("fails a file that does not exit after its tests, and names what keeps it alive", async () => {
    const hangs = write("hangs.test.ts", 'import { createServer } from "node:net"; it("passes", async () => { await new Promise((resolve) => createServer().listen(0, "127.0.0.1", resolve)); });');
    const outcome = await run([[hangs]]);
    assert.equal(outcome.of(hangs), "1 passed, 1 failed, 0 to do, skipped {}");
    assert.match(outcome.printed, /has not ended within 0\.3 s\. Files: .*hangs\.test\.ts/);
    assert.match(outcome.printed, /Server \{"address":"127\.0\.0\.1"/);
  });

  it("fails a test that takes longer than it may", async () => {
    const waits = write("waits.test.ts", 'it("waits", () => new Promise((resolve) => setTimeout(resolve, 60_000).unref())); it("passes", () => {});');
    const outcome = await run([[waits]], { testMsMax: 500 });
    assert.equal(outcome.failed > 0, true);
  });

  it("does not run a failed file again", async () => {
    const marks = join(folder, "marks");
    const fails = write("fails.test.ts", `import { appendFileSync } from "node:fs"; it("fails", () => { appendFileSync(${JSON.stringify(marks)}, "x"); throw new Error("no"); });`);
    await run([[fails]]);
    assert.equal(readFileSync(marks, "utf8"), "x");
  });
});

describe("the processes of test files", () => {
  it("are shared by neighbours, except for files that ask for one of their own, with a reason", () => {
    const alone = write("alone.test.ts", "// A process of its own: it counts handles.");
    const faults = write("kills.fault.test.ts", "");
    const groups = groupFiles(root, [passes, alone, passes, faults]);
    assert.deepEqual(groups, [[alone], [faults], [passes, passes]]);
  });
});
