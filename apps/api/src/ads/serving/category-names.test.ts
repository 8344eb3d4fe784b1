import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { msPerDay } from "../../formats/time.ts";
import { createCategoryNames, learntCategory, otherCategory } from "./category-names.ts";

const atMs = 20_000 * msPerDay;
const names = (count: number, prefix = "name") => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("the category names that are kept", () => {
  it("are an account's first 50 of a day; the rest is other, and the auction learns nothing of its name", () => {
    const kept = createCategoryNames();
    const store = (accountId: string, category: string, dayOffset = 0) => kept.nameToStore({ accountId, category, known: "", atMs: atMs + dayOffset * msPerDay });
    const wanted = names(60);
    assert.deepEqual(wanted.map((name) => store("a", name)), [...wanted.slice(0, 50), ...Array.from({ length: 10 }, () => otherCategory)]);
    assert.equal(store("a", "name0"), "name0", "one that was kept stays");
    assert.equal(store("b", "name59"), "name59", "another account has its own");
    assert.equal(store("a", "name59", 1), "name59", "another day begins anew");
    assert.equal(store("a", ""), "", "no category is none");
    assert.equal(learntCategory(otherCategory), "");
    assert.equal(learntCategory("gaming"), "gaming");
  });

  it("are always those that the auction tells apart", () => {
    const kept = createCategoryNames();
    for (const name of names(50)) kept.nameToStore({ accountId: "a", category: name, known: "", atMs });
    assert.equal(kept.nameToStore({ accountId: "a", category: "gaming", known: "gaming", atMs }), "gaming");
  });

  it("are at most 1,000 different ones per node", () => {
    const kept = createCategoryNames();
    const stored = Array.from({ length: 30 }, (_, account) => names(50, `of${account}x`).map((category) => kept.nameToStore({ accountId: `account${account}`, category, known: "", atMs }))).flat();
    assert.equal(stored.filter((name) => name !== otherCategory).length, 1_000);
  });
});
