import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fillDays, formatDays } from "./days.ts";

describe("days", () => {
  it("are named as spans of neighbours, across months, in order and once", () => {
    assert.equal(formatDays(["2026-11-01", "2026-10-31", "2026-11-05", "2026-11-05"]), "31 Oct to 1 Nov, 5 Nov");
    assert.equal(formatDays([]), "");
  });

  it("have a place each, so that a day without calls is a gap", () => {
    const items = [{ day: "2026-03-02" }, { day: "2026-02-27" }];
    assert.deepEqual(fillDays(items, { countMin: 1, countMax: 62 }), [
      { day: "2026-02-27", item: items[1] },
      { day: "2026-02-28", item: undefined },
      { day: "2026-03-01", item: undefined },
      { day: "2026-03-02", item: items[0] },
    ]);
    assert.deepEqual(fillDays(items, { countMin: 1, countMax: 2 }).map(({ day }) => day), ["2026-03-01", "2026-03-02"]);
    assert.deepEqual(fillDays(items.slice(1), { countMin: 2, countMax: 62 }).map(({ day, item }) => [day, item?.day]), [["2026-02-26", undefined], ["2026-02-27", "2026-02-27"]]);
    assert.deepEqual(fillDays([], { countMin: 31, countMax: 62 }), []);
  });
});
