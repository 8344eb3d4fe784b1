import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { noticeOrigins, noticeRate } from "./notice-clicks.ts";

const elsewhere = { others_impressions: 10_000, others_clicks: 200 };
const codesOf = (notices: readonly { code: string }[]) => notices.map(({ code }) => code);

describe("notices about clicks", () => {
  it("compare with the same ads in the same places elsewhere", () => {
    assert.deepEqual(codesOf(noticeRate([{ impressions: 500, clicks: 60, ...elsewhere }])), ["click_rate_unlike_elsewhere"]);
    assert.deepEqual(noticeRate([{ impressions: 500, clicks: 25, ...elsewhere }]), [], "people differ");
    assert.deepEqual(noticeRate([{ impressions: 20, clicks: 8, ...elsewhere }]), [], "few clicks tell nothing");
    assert.deepEqual(noticeRate([{ impressions: 500, clicks: 60, others_impressions: 900, others_clicks: 0 }]), [], "nor does an ad that is new everywhere");
  });

  it("say where most requests did not tell what they were for, and never of few", () => {
    assert.deepEqual(codesOf(noticeOrigins({ described: 9, known: 20 })), ["clicks_undescribed"]);
    assert.deepEqual(noticeOrigins({ described: 10, known: 20 }), []);
    assert.deepEqual(noticeOrigins({ described: 0, known: 9 }), []);
  });
});
