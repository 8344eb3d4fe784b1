import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { artefact as firstArtefact } from "../artefacts/additive-1.ts";
import { compileModel } from "../compile-model.ts";
import { signalNames } from "../signals.ts";
import type { SignalName, Signals } from "../signals.ts";
import { anySession, explainedModels } from "../testing/any-session.ts";
import { trustLevelOf } from "../trust-level.ts";
import { compileReasons } from "./reasons.ts";

const firstModel = compileModel(firstArtefact);
const messagesOf = (signals: Signals) => firstModel.explain(signals).reasons.map(({ message }) => message);

const units = "pages?|interactions?|seconds?|minutes?|hours?|days?|points?";

/** What a sentence must not contain. */
const blunders = [
  /undefined|NaN|null|Infinity|true|false/,
  / {2}|^ | $|[,.:] ?[,.:]/,
  // One of several, and several of one.
  /(?<![\d.,])1 (?:pages|interactions|seconds|minutes|hours|days|points)\b/,
  /(?<![\d.,])(?:0|[2-9]|\d[\d,.]*\d) (?:page|interaction|second|minute|hour|day)\b/,
  /\bno (?:pages|interactions)\b/,
  /[+−]0\.0$/,
];

for (const { name, model } of explainedModels) {
  describe(name, () => {
    it("sentences are whole and have the right number", () => {
      const seen = new Set<string>();
      fc.assert(
        fc.property(anySession, (signals) => {
          for (const { code, message } of model.explain(signals).reasons) {
            seen.add(code);
            for (const blunder of blunders) assert.doesNotMatch(message, blunder);
            assert.match(message, /^[A-Z\d]/);
            assert.match(message, /: [+−]\d+\.\d$|\.$/);
            assert.ok(message.length < 220, message);
            assert.match(message.replaceAll(new RegExp(`\\d[\\d,.]* (?:${units})`, "g"), ""), /[a-z]/, "says more than numbers");
          }
        }),
        { numRuns: 3_000 },
      );
      assert.ok(seen.size > 12, [...seen].join(" "));
    });

    it("reasons name the signals with the most points by signal, with exactly these points", () => {
      fc.assert(
        fc.property(anySession, (signals) => {
          const { reasons, bySignal } = model.explain(signals);
          const expected = bySignal
            .filter(({ signal, points }) => signal !== "plausibility" && Math.abs(points) >= 1)
            .toSorted((left, right) => Math.abs(right.points) - Math.abs(left.points))
            .slice(0, 3);
          const named = reasons.filter(({ code }) => /_(raises|lowers)_score$/.test(code));
          assert.deepEqual(
            named.map(({ code }) => code),
            expected.map(({ signal, points }) => `${signal}_${points > 0 ? "raises" : "lowers"}_score`),
          );
          for (const [index, { message }] of named.entries()) {
            const points = expected[index]?.points ?? 0;
            assert.ok(message.endsWith(`: ${points > 0 ? "+" : "−"}${Math.abs(points).toFixed(1)}`), message);
          }
        }),
        { numRuns: 1_000 },
      );
    });

    it("missing signals are mentioned only if signals are missing", () => {
      fc.assert(
        fc.property(anySession, (signals) => {
          const { reasons, confidence } = model.explain(signals);
          const isMentioned = reasons.some(({ code }) => code === "missing_signals");
          if (isMentioned) assert.ok(confidence < 0.8 && signalNames.some((each) => signals[each] === undefined));
        }),
        { numRuns: 1_000 },
      );
    });
  });
}

it("what is said of people's sessions is so in the sessions that the model was trained on", () => {
  let said = 0;
  fc.assert(
    fc.property(anySession, (signals) => {
      for (const { code, message } of firstModel.explain(signals).reasons) {
        const name = code.replace(/_(raises|lowers)_score$/, "") as SignalName;
        const claim = /(more|longer|higher|fewer|shorter|lower) than (?:in )?(\d) of 10/.exec(message);
        if (claim === null) continue;
        said += 1;
        const [, word = "", tenths = ""] = claim;
        const isMore = ["more", "longer", "higher"].includes(word);
        const deciles = firstArtefact.people[name] ?? [];
        const decile = deciles[isMore ? Number(tenths) : 10 - Number(tenths)] ?? Number.NaN;
        assert.ok(isMore ? Number(signals[name]) > decile : Number(signals[name]) < decile, message);
      }
    }),
    { numRuns: 2_000 },
  );
  assert.ok(said > 200);
});

it("typical sessions read like this", () => {
  const reader = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };
  assert.deepEqual(messagesOf(reader), [
    "12 interactions in 3 minutes is usual for engaged visitors: +23.9",
    "3 minutes with 12 interactions is usual for engaged visitors: +10.8",
    "5 pages with 12 interactions is usual for engaged visitors: +3.7",
  ]);
  const bounce = { user_engagement: 0.15, session_duration: 4, scroll_depth: 0.1, interaction_count: 0, page_views: 1, return_visitor: false };
  assert.deepEqual(messagesOf(bounce), [
    "An engagement of 0.15 over 4 seconds is rarer among engaged visitors than among others: −20.2",
    "No interaction, fewer than in 8 of 10 people's sessions: −16.0",
    "1 page, fewer than in 7 of 10 people's sessions: −8.3",
  ]);
  const scraper = { user_engagement: 0.05, session_duration: 20, scroll_depth: 0, interaction_count: 900, page_views: 180, return_visitor: false };
  assert.deepEqual(messagesOf(scraper), [
    "900 interactions in 20 seconds is 45 per second, and people rarely make more than 63 in that time: −8.4",
    "180 pages in 20 seconds is 9 per second, and people rarely open more than 105 in that time.",
    "900 interactions, and people rarely make more than 680 in a session.",
    "An engagement of 0.05 on 180 pages is rarer among engaged visitors than among others: −62.4",
    "900 interactions, more than in 9 of 10 people's sessions: +36.5",
    "180 pages at an engagement of 0.05 is rarer among engaged visitors than among others: −12.7",
  ]);
  assert.deepEqual(messagesOf({}), [
    "The number of interactions was not sent, and of what is missing it could move the score most: with no interaction the score would be 17.5, with 56 interactions 77.0.",
  ]);
  assert.deepEqual(messagesOf({ user_engagement: 1, session_duration: 31_536_000, interaction_count: 100, page_views: 0 }).slice(0, 2), [
    "365 days, and people rarely stay longer than 5 hours 33 minutes: −79.6",
    "100 interactions with no page, and people rarely make more than 27 then.",
  ]);
});

/** Reasons of a session whose points are all 0. */
function remarksOf(signals: Signals, { serviceScore, confidence }: { serviceScore: number; confidence: number }) {
  const scoreOf = (other: Signals) => 50 + (other.page_views ?? 0) + 2 * (other.interaction_count ?? 0) + (other.return_visitor === true ? 0.9 : 0);
  const reasonsOf = compileReasons({ people: { page_views: [0, 1, 1, 2, 3, 4, 5, 6, 7, 8, 20] }, scoreOf });
  return reasonsOf(signals, { serviceScore, trustLevel: trustLevelOf(serviceScore), confidence, contributions: [], bySignal: [] }, []);
}

const allSent = { user_engagement: 0.5, session_duration: 60, scroll_depth: 0.5, interaction_count: 3, page_views: 3, return_visitor: false };

it("a low confidence with all signals sent is explained by the nearest threshold", () => {
  assert.deepEqual(remarksOf(allSent, { serviceScore: 43.9, confidence: 0.79 }), [
    { code: "near_threshold", message: "The score of 43.9 is 3.9 points above 40, where level medium begins: a model trained on other sessions could say another level." },
  ]);
  assert.match(remarksOf(allSent, { serviceScore: 69, confidence: 0.5 })[0]?.message ?? "", /69\.0 is 1\.0 point below 70, where level high begins/);
  assert.match(remarksOf(allSent, { serviceScore: 70, confidence: 0.5 })[0]?.message ?? "", /70\.0 is exactly where level high begins/);
  assert.deepEqual(remarksOf(allSent, { serviceScore: 43.9, confidence: 0.8 }), []);
});

it("a low confidence with signals missing names the one that could move the score most, and a threshold only if it is near", () => {
  const { page_views: _pages, interaction_count: _interactions, ...few } = allSent;
  const [missing, ...others] = remarksOf(few, { serviceScore: 55, confidence: 0.5 });
  assert.equal(missing?.code, "missing_signals");
  assert.match(missing.message, /^The number of pages was not sent, and of what is missing it could move the score most: with 1 page the score would be 51\.0, with 8 pages 58\.0\.$/);
  assert.deepEqual(others, []);
  assert.deepEqual(remarksOf(few, { serviceScore: 42, confidence: 0.5 }).map(({ code }) => code), ["missing_signals", "near_threshold"]);
  const { page_views: _only, ...most } = allSent;
  assert.match(remarksOf(most, { serviceScore: 55, confidence: 0.5 })[0]?.message ?? "", /^The number of pages was not sent: with 1 page/);
});

it("a missing signal that moves the score by less than a point is not mentioned", () => {
  const { return_visitor: _visitor, ...most } = allSent;
  assert.deepEqual(remarksOf(most, { serviceScore: 55, confidence: 0.5 }).map(({ code }) => code), ["near_threshold"]);
});
