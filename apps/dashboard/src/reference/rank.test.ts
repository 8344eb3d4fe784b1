import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Place, rank } from "./rank.ts";

const place = (name: string, more: Partial<Place> = {}): Place => ({ id: name, name, where: "", text: "", kind: "field", ...more });
const places = [
  place("depth", { text: "How far the visitor scrolled." }),
  place("scroll_depth", { id: "predict.scroll_depth", where: "predict › body" }),
  place("scroll_depth", { id: "score.scroll_depth", where: "score › body" }),
  place("scroll"),
  place("rate_limit_exceeded", { kind: "error", text: "Too many calls" }),
  place("limit", { text: "The window that is used up." }),
];
const found = (query: string, max = 9) => rank(places, query, max).map(({ id }) => id);

describe("search", () => {
  it("puts the name itself before names that begin with it, and those before words in a description", () => {
    assert.deepEqual(found("scroll"), ["scroll", "predict.scroll_depth", "score.scroll_depth", "depth"]);
  });

  it("finds a word inside of a name", () => {
    assert.deepEqual(found("limit"), ["limit", "rate_limit_exceeded"]);
    assert.deepEqual(found("exceeded"), ["rate_limit_exceeded"]);
  });

  it("wants every word, also that of the place", () => {
    assert.deepEqual(found("scroll_depth SCORE"), ["score.scroll_depth"]);
    assert.deepEqual(found("scroll limit"), []);
  });

  it("finds nothing for nothing, and no more than asked for", () => {
    assert.deepEqual(found("  "), []);
    assert.equal(found("scroll", 2).length, 2);
  });
});
