import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { releasedOf } from "../../../test/scoring/fake-models.ts";
import { msPerDay } from "../../formats/time.ts";
import { createModels, graceDays, type ModelDates, sunsetDays } from "./choose-model.ts";

const day = (n: number) => n * msPerDay;
const released = releasedOf(["m1", "m2", "m3"]);
/** The second model began on day 100, the third on day 400. */
const dates: ModelDates = [{ version: "m3", beganMs: day(400) }, { version: "m2", beganMs: day(100) }, { version: "m1", beganMs: day(0) }];

type Case = { who: string; releases?: number; dates?: ModelDates; pinned?: string; createdMs: number; atMs: number; expected: [version: string, why: string, untilMs: number | undefined] };
const [two, three] = [2, 3];

const cases: Case[] = [
  { who: "an account that the second model found, on its first day", releases: two, createdMs: day(99), atMs: day(100), expected: ["m1", "kept", day(130)] },
  { who: "the same, a millisecond before its time is over", releases: two, createdMs: day(99), atMs: day(130) - 1, expected: ["m1", "kept", day(130)] },
  { who: "the same, when its time is over", releases: two, createdMs: day(99), atMs: day(130), expected: ["m2", "newest", undefined] },
  { who: "an account made a millisecond before the second model began", releases: two, createdMs: day(100) - 1, atMs: day(101), expected: ["m1", "kept", day(130)] },
  { who: "an account made when the second model began", releases: two, createdMs: day(100), atMs: day(101), expected: ["m2", "newest", undefined] },
  { who: "an account that the third model found", releases: three, createdMs: day(99), atMs: day(401), expected: ["m2", "kept", day(430)] },
  { who: "an account that has pinned the newest while others keep theirs", releases: two, pinned: "m2", createdMs: day(99), atMs: day(101), expected: ["m2", "pinned", undefined] },
  { who: "an account that has pinned a replaced model", releases: two, pinned: "m1", createdMs: day(99), atMs: day(300), expected: ["m1", "pinned", day(465)] },
  { who: "a new account that has pinned a replaced model", releases: two, pinned: "m1", createdMs: day(200), atMs: day(300), expected: ["m1", "pinned", day(465)] },
  { who: "the same, a millisecond before the model's sunset", releases: three, pinned: "m1", createdMs: day(99), atMs: day(465) - 1, expected: ["m1", "pinned", day(465)] },
  { who: "the same at its sunset", releases: three, pinned: "m1", createdMs: day(99), atMs: day(465), expected: ["m3", "newest", undefined] },
  { who: "an account whose pinned model ends while others keep the second: one change, not two", releases: three, dates: [{ version: "m3", beganMs: day(450) }, ...dates.slice(1)], pinned: "m1", createdMs: day(99), atMs: day(466), expected: ["m3", "newest", undefined] },
  { who: "an account of an older node that has pinned a model which only newer nodes know", releases: two, pinned: "m3", createdMs: day(99), atMs: day(401), expected: ["m2", "newest", undefined] },
  { who: "an account that has pinned nothing, on an older node while newer ones score with the third", releases: two, createdMs: day(99), atMs: day(401), expected: ["m2", "newest", undefined] },
  { who: "an account that was made before the first start of a new installation", dates: [{ version: "m3", beganMs: day(400) }], createdMs: day(399), atMs: day(401), expected: ["m3", "newest", undefined] },
  { who: "an account of an installation that left out the second model", dates: [{ version: "m3", beganMs: day(400) }, { version: "m1", beganMs: day(0) }], createdMs: day(399), atMs: day(401), expected: ["m1", "kept", day(430)] },
  { who: "an account where no date is known", dates: [], createdMs: day(99), atMs: day(101), expected: ["m3", "newest", undefined] },
];

describe("the model that scores an account's sessions", () => {
  it("is the pinned one, for 30 days the one before the newest, or the newest", () => {
    for (const { who, releases = three, dates: known = dates, pinned, createdMs, atMs, expected } of cases) {
      const models = createModels(released.slice(0, releases), known);
      const chooser = { pinnedModel: pinned ?? null, accountCreatedMs: createdMs };
      const { model, why, untilMs } = models.explainChoice(chooser, atMs);
      assert.deepEqual([model.version, why, untilMs], expected, who);
      const chosen = models.choose({ ...chooser, calibration: null }, atMs);
      assert.equal(chosen.model, model, `${who}: both say the same`);
      assert.equal(chosen.calibration, null);
    }
  });

  it("changes at the time that was told, and at no other", () => {
    const models = createModels(released, dates);
    for (const pinnedModel of [null, "m1", "m2", "m3", "m9"]) {
      for (const createdMs of [day(0), day(150), day(400), day(500)]) {
        const chooser = { pinnedModel, accountCreatedMs: createdMs };
        for (let atMs = day(400); atMs < day(900); atMs += day(1)) {
          const { model, untilMs } = models.explainChoice(chooser, atMs);
          const next = models.explainChoice(chooser, atMs + day(1)).model;
          assert.equal(model !== next, untilMs !== undefined && untilMs <= atMs + day(1), `${pinnedModel} of ${createdMs} at ${atMs}`);
        }
      }
    }
  });
});

it("a replaced model ends a year after a newer one began here, the newest never", () => {
  const ends = (known: ModelDates) => createModels(released, known).lives.map(({ sunsetMs }) => sunsetMs);
  assert.deepEqual(ends(dates), [day(100 + sunsetDays), day(400 + sunsetDays), undefined]);
  assert.deepEqual(ends(dates.slice(0, 1)), [day(400 + sunsetDays), day(400 + sunsetDays), undefined], "in an installation that began with the third");
  assert.ok(graceDays < sunsetDays, "a model that is kept has not ended");
});
