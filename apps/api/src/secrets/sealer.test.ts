import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSealer } from "./sealer.ts";

const [old, next] = ["a".repeat(32), "b".repeat(32)] as const;
const before = createSealer({ secretKey: old, previous: [] });
const during = createSealer({ secretKey: next, previous: [old] });
const after = createSealer({ secretKey: next, previous: [] });

describe("the sealer", () => {
  it("opens what it sealed, for the same purpose and the same owner only", () => {
    const sealed = before.seal("second factor", "hunter2 ü", "acct_1");
    assert.deepEqual(before.open("second factor", sealed, "acct_1"), { plaintext: "hunter2 ü", isCurrent: true });
    assert.equal(before.open("second factor", sealed, "acct_2"), "unreadable", "a row that was moved to another account");
    assert.equal(before.open("recovery codes", sealed, "acct_1"), "unreadable");
  });

  it("never seals the same text twice alike, and shows nothing of it", () => {
    const [one, two] = [before.seal("p", "hunter2", "c"), before.seal("p", "hunter2", "c")];
    assert.notEqual(one, two);
    assert(!Buffer.from(one.split(".")[2]!, "base64url").includes("hunter2") && !one.includes(old));
    assert.match(one, /^v1\.[0-9a-f]{16}\.[\w-]+$/);
  });

  it("refuses every text with a changed, missing or added character", () => {
    const sealed = before.seal("p", "hunter2", "c");
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      assert.equal(before.open("p", sealed.slice(0, at) + sealed.slice(at + 1), "c"), "unreadable", `without ${at}`);
      // The last character of base64url may have bits that mean nothing.
      if (at < sealed.length - 1) assert.equal(before.open("p", sealed.slice(0, at) + other + sealed.slice(at + 1), "c"), "unreadable", `changed ${at}`);
    }
    for (const text of ["", "v1", "v1..", `${sealed}.x`, sealed.replace("v1", "v2"), "0".repeat(200)]) assert.equal(before.open("p", text, "c"), "unreadable", text);
  });

  it("opens with previous secrets, says so, and seals with the current one", () => {
    const sealed = before.seal("p", "hunter2", "c");
    assert.deepEqual(during.open("p", sealed, "c"), { plaintext: "hunter2", isCurrent: false });
    assert.deepEqual([during.isCurrent(sealed), before.isCurrent(sealed)], [false, true]);
    const resealed = during.seal("p", "hunter2", "c");
    assert.deepEqual(after.open("p", resealed, "c"), { plaintext: "hunter2", isCurrent: true });
    assert.equal(after.open("p", sealed, "c"), "unreadable");
    assert.equal(before.open("p", resealed, "c"), "unreadable");
  });
});
