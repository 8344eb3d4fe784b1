import { AdRequest } from "@assay/contract/ads.ts";
import { BeatRequest } from "@assay/contract/attestation.ts";
import { ScoringRequest } from "@assay/contract/scoring.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Check } from "typebox/value";
import { readAdRequest, readBeat, readSession } from "./read-bodies.ts";

const least = { user_engagement: 0.5, session_duration: 60 };
const bodyWith = (more: object) => JSON.stringify({ session_data: { ...least, ...more } });

const doubtful = [
  ...[undefined, null, true, 1, "text", [], {}].map((body) => JSON.stringify(body) ?? ""),
  ...[null, [], "text", {}, { user_engagement: 0.5 }, { session_duration: 60 }].map((session) => JSON.stringify({ session_data: session })),
  JSON.stringify({ session_data: least, more: 1 }),
  ...[-1, 1.5, 2_147_483_648, "1", null, true].flatMap((count) => [bodyWith({ interaction_count: count }), bodyWith({ page_views: count })]),
  ...[-0.1, 1.1, "1", null].flatMap((share) => [bodyWith({ user_engagement: share }), bodyWith({ scroll_depth: share })]),
  ...[-1, 31_536_001, "60", null].map((seconds) => bodyWith({ session_duration: seconds })),
  ...[0, 1, "true", null].map((isReturning) => bodyWith({ return_visitor: isReturning })),
  bodyWith({ email: "ada@example.com" }),
  '{"session_data":{"user_engagement":0.5,"session_duration":1e400}}',
  '{"session_data":{"user_engagement":0.5,"session_duration":60,"__proto__":{}}}',
  '{"session_data":{"user_engagement":0.5,"session_duration":60},"constructor":{}}',
  `\uFEFF${bodyWith({})}`,
  `${bodyWith({})},`,
];

const doubtfulAds = [
  ...[null, [], { format: "poster" }, { format: null }, { placement: "top" }, { more: 1 }, { user_context: null }, { user_context: [] }].map((body) => JSON.stringify(body)),
  ...[{ app_category: "" }, { app_category: "a b" }, { app_category: 1 }, { service_score: 101 }, { service_score: "50" }, { session_id: 1 }, { session_id: "x".repeat(101) }, { email: "a" }].map(
    (context) => JSON.stringify({ user_context: context }),
  ),
];

const beatWith = (delta: unknown, more: object = {}) => JSON.stringify({ token: "at1.1.a", d: delta, ...more });
const doubtfulBeats = [
  ...[null, [], "text", {}, { token: "at1.1.a" }, { d: {} }].map((body) => JSON.stringify(body)),
  ...[null, [], "text", 1].map((delta) => beatWith(delta)),
  ...["view_ms", "active_ms", "clicks", "keys", "pages"].flatMap((name) => [-1, "1", null, true, 1e13].map((value) => beatWith({ [name]: value }))),
  ...[-0.1, 1.1, "1", true].map((share) => beatWith({ scroll: share })),
  beatWith({ more: 1 }),
  beatWith({}, { more: 1 }),
  ...["", "a".repeat(513), 1, null].map((token) => beatWith({}, { token })),
  '{"token":"at1.1.a","d":{"view_ms":1e400}}',
  '{"token":"at1.1.a","d":{"__proto__":{}}}',
];

describe("a reader of the lane", () => {
  it("hands every doubtful body to the route", () => {
    for (const text of doubtful) assert.equal(readSession(text), undefined, text);
    for (const text of doubtfulAds) assert.equal(readAdRequest(text), undefined, text);
    for (const text of doubtfulBeats) assert.equal(readBeat(text), undefined, text);
  });

  it("reads ordinary bodies", () => {
    const all = { ...least, scroll_depth: 1, interaction_count: 2_147_483_647, page_views: 0, return_visitor: false };
    assert.deepEqual(readSession(bodyWith({})), { session_data: least });
    assert.deepEqual(readSession(bodyWith(all)), { session_data: all });
    for (const ad of [{}, { format: "native", placement: "sidebar", user_context: {} }, { user_context: { app_category: "gaming", service_score: 100, session_id: "x".repeat(100) } }]) {
      assert.deepEqual(readAdRequest(JSON.stringify(ad)), ad);
    }
  });

  it("reads ordinary beats", () => {
    for (const delta of [{}, { view_ms: 4_210.5, active_ms: 0, clicks: 3, keys: 1, pages: 1, scroll: 0.31 }, { scroll: null }]) {
      assert.deepEqual(readBeat(beatWith(delta)), { token: "at1.1.a", d: delta });
    }
  });

  it("never accepts what the route's schema refuses", () => {
    const names = ["session_data", "user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views", "return_visitor"];
    const deltaNames = ["view_ms", "active_ms", "clicks", "keys", "pages", "scroll"];
    const adNames = ["format", "placement", "user_context", "app_category", "service_score", "session_id"];
    const value = fc.oneof(fc.double(), fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom("banner", "feed", "", "gaming"), fc.constantFrom(0, 1, 0.5, 100, 31_536_000));
    const fieldsOf = (some: string[]) => fc.dictionary(fc.constantFrom(...some), value);
    const session = fc.record(Object.fromEntries(Object.entries(least).map(([name, each]) => [name, fc.oneof(fc.constant(each), value)])));
    fc.assert(
      fc.property(session, fieldsOf(names), fieldsOf(adNames), fieldsOf(adNames), fieldsOf(deltaNames), (some, more, ad, context, delta) => {
        const scoring = JSON.stringify({ session_data: { ...some, ...more } });
        if (readSession(scoring)) assert.ok(Check(ScoringRequest, JSON.parse(scoring)), scoring);
        const asked = JSON.stringify({ ...ad, user_context: context });
        if (readAdRequest(asked)) assert.ok(Check(AdRequest, JSON.parse(asked)), asked);
        const beat = beatWith(delta);
        if (readBeat(beat)) assert.ok(Check(BeatRequest, JSON.parse(beat)), beat);
      }),
    );
  });
});
