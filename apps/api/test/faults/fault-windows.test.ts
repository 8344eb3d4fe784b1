import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertFewShed, findShedCalls, starved } from "./rig/count-shed.ts";
import { createFaultWindows } from "./rig/fault-windows.ts";

/** Fault windows with a clock that the test sets. */
function makeWindows() {
  const clock = { nowMs: 0 };
  const windows = createFaultWindows(() => clock.nowMs);
  const see = (outcome: string, startedMs: number, requestId?: string) => {
    clock.nowMs = Math.max(clock.nowMs, startedMs);
    windows.note({ what: "GET /", outcome, isGood: outcome === "200", startedMs, requestId });
  };
  const countProblems = (logs = "") => windows.problems(logs).texts.length;
  return { clock, windows, see, countProblems };
}

describe("what the fault suite counts as a problem", () => {
  it("is every failure without a fault", () => {
    const { see, countProblems } = makeWindows();
    for (const outcome of ["200", "503", "cut", "500", "502", "refused", "hung"]) see(outcome, 1);
    assert.equal(countProblems(), 6);
  });

  it("is during a fault only what no fault excuses: errors, answers by the proxy, calls without an end", () => {
    const { windows, see, countProblems } = makeWindows();
    windows.open("any");
    for (const outcome of ["200", "503", "cut", "refused", "409"]) see(outcome, 1);
    assert.equal(countProblems(), 0);
    for (const outcome of ["500", "502", "504", "404", "401", "hung"]) see(outcome, 2);
    assert.equal(countProblems(), 6);
  });

  it("is after a fault every failure that started more than five seconds later, or after recovery", () => {
    const { clock, windows, see, countProblems } = makeWindows();
    windows.open("any");
    clock.nowMs = 10_000;
    windows.close();
    see("503", 15_000);
    assert.equal(countProblems(), 0);
    see("503", 15_001);
    assert.equal(countProblems(), 1);

    const soon = makeWindows();
    soon.windows.open("any");
    soon.clock.nowMs = 10_000;
    soon.windows.close();
    soon.clock.nowMs = 12_000;
    soon.windows.calm();
    soon.see("503", 11_000);
    assert.equal(soon.countProblems(), 0, "a call that started in time is excused, however late it is answered");
    soon.see("503", 13_000);
    assert.equal(soon.countProblems(), 1);
  });

  it("is not a call that a node logged as shed because the machine was overloaded, but it is counted", () => {
    const { windows, see } = makeWindows();
    see("503", 1, "req_shed");
    see("503", 1, "req_other");
    see("cut", 1);
    const { texts, shed } = windows.problems(`{"requestId":"req_shed","detail":"${starved}"}\n{"requestId":"req_other","detail":"something else"}\n`);
    assert.deepEqual([texts.length, shed], [2, 1]);
  });
});

describe("calls that were shed", () => {
  it("are found in the log by their request id", () => {
    const logs = `{"requestId":"req_1","detail":"${starved}"}\n{"requestId":"req_2","detail":"else"}\n${starved}\n{"requestId":"req_3","detail":"${starved}"}\n`;
    assert.deepEqual([...findShedCalls(logs)], ["req_1", "req_3"]);
  });

  it("are printed, and are at most one in a thousand, or eight in one pause of the machine", () => {
    const printed: string[] = [];
    const check = (shed: number, calls: number) => () => assertFewShed({ shed, calls }, (line) => printed.push(line));
    for (const [shed, calls] of [[0, 0], [8, 999], [8, 8_000], [9, 9_000]] as const) check(shed, calls)();
    for (const [shed, calls] of [[9, 999], [9, 8_999], [100, 10_000]] as const) assert.throws(check(shed, calls), /of \d+ calls were shed/);
    assert.equal(printed.length, 7);
  });
});
