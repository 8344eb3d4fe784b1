import type { DriftLine, DriftReply } from "@assay/contract/dashboard/drift.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeDriftLine, explainNoDrift, summariseDrift } from "./describe-drift.ts";

const line: DriftLine = {
  name: "interaction_count",
  state: "changed",
  why: null,
  aspect: "missing",
  missing: 0.41,
  missing_before: 0.04,
  median: 6,
  median_before: 7,
  bins: [],
};
const usual: DriftLine = { ...line, state: "as_usual", aspect: null };
const reply: DriftReply = {
  state: "compared",
  sessions_min: 500,
  week: { from: "2026-03-03", to: "2026-03-09", sessions: 320 },
  before: { from: "2026-02-03", to: "2026-03-02", sessions: 4_000 },
  scale_changed_on: null,
  lines: [usual, usual],
};

describe("the words for a week that is compared", () => {
  it("say what changed, in the signal's own unit", () => {
    assert.equal(describeDriftLine(line, null), "Missing in 41% of the sessions, 4% before.");
    assert.equal(describeDriftLine({ ...line, name: "session_duration", aspect: "level", median: 182.5, median_before: 131 }, null), "Median 183 s, 131 s before.");
    assert.equal(describeDriftLine({ ...line, name: "return_visitor", aspect: "level", median: 0.32, median_before: 0.45 }, null), "32% of the visitors return, 45% before.");
    assert.equal(describeDriftLine({ ...line, name: "scroll_depth", aspect: "shape", median: 0.5, median_before: 0.52 }, null), "Spread differently: median 0.5, 0.52 before.");
  });

  it("are calm where nothing changed, and say why something is not compared", () => {
    assert.equal(describeDriftLine(usual, null), "Median 6, 7 before.");
    assert.equal(summariseDrift(reply), "As usual");
    assert.equal(summariseDrift({ ...reply, lines: [line, usual] }), "1 of 2 changed");
    assert.equal(describeDriftLine({ ...usual, state: "not_judged", why: "never_sent" }, null), "Never sent.");
    assert.match(describeDriftLine({ ...usual, name: "service_score", state: "not_judged", why: "scale_changed" }, "2026-03-05"), /changed on 5 Mar,/);
    assert.match(explainNoDrift({ ...reply, state: "too_young" }), /five weeks/);
    assert.match(explainNoDrift({ ...reply, state: "too_few" }), /500 live sessions.*had 320/);
    assert.match(explainNoDrift({ ...reply, state: "incomplete" }), /still being summed up/);
  });
});
