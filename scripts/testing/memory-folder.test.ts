import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { describe, it } from "node:test";
import { makeMemoryFolder } from "./memory-folder.ts";

const module = new URL("./memory-folder.ts", import.meta.url).href;

/** In a process of its own, which prints the folder. */
function makeInProcess(code = ""): { pid: number; folder: string } {
  const { pid, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", `import { makeMemoryFolder } from ${JSON.stringify(module)}; console.log(makeMemoryFolder() ?? ""); ${code}`], { encoding: "utf8" });
  assert.equal(stderr, "");
  return { pid, folder: stdout.trim() };
}

describe("the folder in memory for tests", () => {
  it("is there while its process runs, unless memory is short, and what a killed run left behind goes with the next one", () => {
    const { pid, folder } = makeInProcess();
    assert.equal(existsSync(folder), false, "it ends with its process");
    // Where memory is short, there is none, and nothing to check.
    if (folder === "") return;
    const left = `/dev/shm/assay-tests-${pid}-left`;
    mkdirSync(left);
    const killed = makeInProcess("process.kill(process.pid, 'SIGKILL');").folder;
    assert.deepEqual([existsSync(left), existsSync(killed)], [false, true]);
    const own = makeMemoryFolder()!;
    assert.deepEqual([existsSync(killed), existsSync(own)], [false, true]);
    makeInProcess();
    assert.equal(existsSync(own), true, "not that of a run that goes on");
  });
});
