import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { shiftClock } from "./shift-clock.ts";

const compiler = process.env.ASSAY_TEST_CXX || "g++";
const skip = spawnSync(compiler, ["--version"]).status === 0 ? false : "no g++: ASSAY_TEST_CXX is not set (npm test sets it)";

describe("a shifted clock", { skip }, () => {
  for (const day of ["2028-02-29", "2021-06-15"]) {
    it(`makes it ${day} for tests, services and databases`, () => {
      // Noon, because starting all of them takes a while.
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "../../apps/api/test/read-clocks.ts")], { env: shiftClock(process.env, `${day}T12:00:00Z`), encoding: "utf8" });
      assert.equal(status, 0, stderr);
      const clocks = Object.entries(JSON.parse(stdout) as Record<string, string>);
      assert.ok(clocks.length >= 4);
      for (const [name, time] of clocks) assert.match(time, new RegExp(`^${day}T1[2-5]`), name);
    });
  }

  it("leaves timers and monotonic time alone", () => {
    const program = "const from = performance.now(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20); setTimeout(() => console.log(performance.now() - from), 20)";
    const { stdout } = spawnSync(process.execPath, ["-e", program], { env: shiftClock(process.env, "2036-01-01T00:00:00Z"), encoding: "utf8" });
    const elapsedMs = Number(stdout);
    // A shifted one would be years away.
    assert.ok(stdout !== "" && elapsedMs >= 38 && elapsedMs < 3_600_000, stdout);
  });

  it("refuses a time whose place on earth is not said", () => {
    for (const at of ["2028-02-29T23:58:00", "2028-02-29", "tomorrow"]) assert.throws(() => shiftClock({}, at), /is not a time in UTC/);
  });
});
