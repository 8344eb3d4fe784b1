import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addDay, checkNames, checkWeights, dayFactorMax, type Evidence, logEvidenceThreshold, startEvidence, weighChecks } from "./e-process.ts";

const near = (actual: number, expected: number) => assert(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)), `${actual} is not ${expected}`);

const addDays = (ratios: readonly number[], from = startEvidence()): Evidence => ratios.reduce((evidence, ratio) => addDay(evidence, Math.log(ratio)), from);
const totalOf = (evidence: Evidence) => weighChecks(new Map(checkNames.map((name) => [name, evidence.logEvidence])));

describe("evidence over days", () => {
  it("is a mixture over the days on which cheating may have begun", () => {
    const ratios = [0.2, 3, 0, 7, 1, 40, 0.5, 12];
    const factors = ratios.map((ratio) => 0.5 + 0.5 * ratio);
    let expected = 1 / (ratios.length + 1);
    for (let start = 1; start <= ratios.length; start += 1) {
      expected += factors.slice(start - 1).reduce((product, factor) => product * factor, 1 / (start * (start + 1)));
    }
    near(Math.exp(addDays(ratios).logEvidence), expected);
    near(Math.exp(addDays([3]).logFactor), 2);
  });

  it("has a mean of 1 over all paths of a fair bet", () => {
    const days = 10;
    let sum = 0;
    for (let path = 0; path < 2 ** days; path += 1) {
      sum += Math.exp(addDays(Array.from({ length: days }, (_, day) => ((path >> day) & 1 ? 1.75 : 0.25))).logEvidence);
    }
    near(sum / 2 ** days, 1);
  });

  it("cannot be produced by two days alone, however they look and whatever came before without evidence", () => {
    for (const honestDays of [0, 1, 30, 365]) {
      for (const honestRatio of [0, 1]) {
        const before = addDays(Array.from({ length: honestDays }, () => honestRatio));
        assert(totalOf(addDays([Infinity, 1e300], before)) < logEvidenceThreshold, `after ${honestDays} days of ${honestRatio}`);
      }
    }
    assert(totalOf(addDays([1e300, 1e300, 1e300])) >= logEvidenceThreshold);
    assert(dayFactorMax ** 2 < 1_000);
  });

  it("reaches the threshold through a single check in three days", () => {
    const strong = addDays([1e9, 1e9, 1e9]).logEvidence;
    for (const name of ["exact_duplicates", "near_duplicates"] as const) assert(weighChecks(new Map([[name, strong]])) >= logEvidenceThreshold, name);
  });

  it("forgets a year of honesty within six days", () => {
    const year = addDays(Array.from({ length: 365 }, () => 0));
    const days = [1, 2, 3, 4, 5, 6].find((count) => totalOf(addDays(Array.from({ length: count }, () => 1e9), year)) >= logEvidenceThreshold);
    assert.equal(days, 6);
  });

  it("stays a finite number", () => {
    const loop = addDays(Array.from({ length: 2_000 }, () => 1e300));
    assert(Number.isFinite(Math.exp(totalOf(loop))));
    const quiet = addDays(Array.from({ length: 2_000 }, () => 0), loop);
    assert(quiet.logEvidence < 0 && Number.isFinite(quiet.logEvidence));
  });

  it("is a weighted mean over the checks, in which a check without days counts as 1", () => {
    near(weighChecks(new Map()), 0);
    near(Math.exp(weighChecks(new Map([["exact_duplicates", Math.log(11)]]))), 1 + 10 * checkWeights.exact_duplicates);
    near(Object.values(checkWeights).reduce((sum, weight) => sum + weight, 0), 1);
  });
});
