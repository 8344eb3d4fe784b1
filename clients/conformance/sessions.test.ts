// The collectors' part of the corpus: what events make of totals. clients/kotlin runs the same file.
import { countsOf, type SessionData, signalsOf } from "@assay/contract/measuring/session-totals.ts";
import { scrollShareOf } from "@assay/contract/measuring/scroll-share.ts";
import { type Tracker, trackSession } from "@assay/contract/measuring/track-session.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { generateCases, judgeEvents, type SessionCase, type SessionEvent } from "./print-session-cases.ts";

const { cases } = JSON.parse(readFileSync(new URL("sessions.json", import.meta.url), "utf8")) as { cases: SessionCase[] };

function apply(tracker: Tracker, event: SessionEvent): void {
  switch (event.kind) {
    case "show":
      return tracker.show();
    case "hide":
      return tracker.hide();
    case "activity":
      return tracker.act();
    case "tap":
      tracker.act();
      return tracker.click();
    case "key":
      tracker.act();
      return tracker.key();
    case "screen":
      return tracker.view();
    case "scroll":
      return tracker.scroll(scrollShareOf(event));
  }
}

/** Plays the events, and calls `look` after each. */
function play({ start_ms, visits, events, read_at_ms }: SessionCase, look: (tracker: Tracker) => void = () => {}) {
  let nowMs = start_ms;
  let seen = visits;
  const ended: SessionData[] = [];
  const tracker: Tracker = trackSession({
    nowMs: () => nowMs,
    load: () => undefined,
    save: () => {},
    countVisit() {
      if (seen === null) return undefined;
      seen += 1;
      return seen > 1;
    },
    onEnd: () => ended.push(signalsOf(tracker.measure().totals)),
    onBegin: () => {},
  });
  for (const event of events) {
    nowMs = start_ms + event.at_ms;
    apply(tracker, event);
    look(tracker);
  }
  nowMs = start_ms + read_at_ms;
  const { totals } = tracker.measure();
  return { ...(ended.length > 0 && { ended }), expect: signalsOf(totals), counts: countsOf(totals) };
}

const isSetBack = ({ events, read_at_ms }: SessionCase): boolean =>
  [...events.map(({ at_ms }) => at_ms), read_at_ms].some((atMs, nth, all) => nth > 0 && atMs < all[nth - 1]!);

describe("sessions.json", () => {
  for (const each of cases) {
    const { ended, expect, counts } = each;
    const expected = { ...(ended && { ended }), expect, counts };
    it(`TypeScript: ${each.name}`, () => {
      assert.deepEqual(play(each), expected);
      if (!isSetBack(each)) assert.deepEqual(play(each, (tracker) => tracker.measure()), expected, "however often one looks");
    });
  }

  it("agrees with the list of pauses that docs/signals.md describes, where that applies", () => {
    const judged = cases.filter((each) => !isSetBack(each) && each.events[1]?.kind === "screen");
    assert.ok(judged.length > 50);
    for (const each of judged) assert.deepEqual({ ...each, ...judgeEvents(each) }, each, each.name);
  });

  it("contains what print-session-cases.ts prints", () => {
    const generated = generateCases();
    assert.deepEqual(cases.filter(({ name }) => name.startsWith("generated ")), generated);
    assert.ok(generated.filter(({ ended }) => ended).length >= 10, "many of several sessions");
    assert.ok(generated.some(({ counts }) => counts.scroll === 1) && generated.some(({ counts }) => counts.scroll === null));
  });

  it("has a name for each case, and every kind of event in several", () => {
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    for (const kind of ["show", "hide", "activity", "tap", "key", "screen", "scroll"]) {
      assert.ok(cases.filter(({ events }) => events.some((event) => event.kind === kind)).length >= 3, kind);
    }
  });
});
