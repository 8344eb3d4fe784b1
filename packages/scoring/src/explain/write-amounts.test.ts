import assert from "node:assert/strict";
import { it } from "node:test";
import { writeCount, writeDuration, writeFraction, writeInteger, writePercent, writePoints, writeRate } from "./write-amounts.ts";

const table = <Value>(write: (value: Value) => string | undefined, lines: readonly (readonly [Value, string | undefined])[]) => {
  for (const [value, text] of lines) assert.equal(write(value), text);
};

it("durations are written in the two largest units, in the singular where there is one", () => {
  table(writeDuration, [
    [0, "0 seconds"],
    [0.01, "under 0.1 seconds"],
    [0.26, "0.3 seconds"],
    [1, "1 second"],
    [9.96, "10 seconds"],
    [12.4, "12 seconds"],
    [59.9, "1 minute"],
    [61, "1 minute 1 second"],
    [180, "3 minutes"],
    [200, "3 minutes 20 seconds"],
    [3_599.9, "1 hour"],
    [3_660, "1 hour 1 minute"],
    [20_000, "5 hours 33 minutes"],
    [172_800, "2 days"],
    [31_536_000, "365 days"],
  ]);
});

it("counts have thousands separated, and none reads as no", () => {
  table((count) => writeCount(count, "page"), [
    [0, "no page"],
    [1, "1 page"],
    [2, "2 pages"],
    [1_605, "1,605 pages"],
    [2_147_483_647, "2,147,483,647 pages"],
  ]);
  assert.equal(writeInteger(Number.POSITIVE_INFINITY), "9,007,199,254,740,991");
});

it("only nothing reads as 0, and only everything as 1", () => {
  table(writeFraction, [
    [0, "0"],
    [0.001, "under 0.01"],
    [0.75, "0.75"],
    [0.999, "over 0.99"],
    [1, "1"],
  ]);
  table(writePercent, [
    [0, "0%"],
    [0.001, "under 1%"],
    [0.8, "80%"],
    [0.999, "over 99%"],
    [1, "100%"],
  ]);
});

it("points have a sign, and rates a unit that fits", () => {
  table(writePoints, [
    [8.44, "+8.4"],
    [-3.25, "−3.3"],
  ]);
  table(([amount, seconds]: readonly [number, number]) => writeRate(amount, seconds), [
    [[900, 20], "45 per second"],
    [[33, 10], "3.3 per second"],
    [[30, 60], "30 per minute"],
    [[4, 60], "4 per minute"],
    [[900, 0.5], undefined],
  ]);
});
