import { topics } from "@assay/contract/dashboard/notice-topics.ts";
import { type Audience, eventKinds, eventTypes, noticeTopics } from "@assay/contract/webhooks.ts";
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { lineOf } from "./line-of-event.ts";
import { isDigested, toldBy } from "./told-by.ts";

const sourceFolder = join(import.meta.dirname, "../..");
const thisFolder = "people/notices/";

type Told = { by: string; kinds?: readonly string[]; unless?: unknown };
const all = eventTypes.flatMap((type) => Object.entries(toldBy[type] as Record<Audience, Told>).map(([audience, told]) => ({ type, audience: audience as Audience, told })));

describe("what tells people of an event by mail", () => {
  it("is decided for everybody who is told of it, and for nobody else", () => {
    for (const type of eventTypes) assert.deepEqual(Object.keys(toldBy[type]).toSorted(), [...eventKinds[type].audiences].toSorted(), type);
    assert.deepEqual(topics.toSorted(), [...noticeTopics].toSorted());
  });

  it("is a mail of its own only where such a mail exists", () => {
    const sources = globSync("**/*.ts", { cwd: sourceFolder }).filter((path) => !path.startsWith(thisFolder) && !path.endsWith(".test.ts") && !path.endsWith(".samples.ts"));
    const text = sources.map((path) => readFileSync(join(sourceFolder, path), "utf8")).filter((source) => source.includes("layOutMail(")).join("\n");
    const own = all.filter(({ told }) => told.by === "own_mail");
    assert(own.length > 0);
    for (const { type, told } of own) {
      assert(told.kinds!.length > 0, type);
      for (const kind of told.kinds!) assert(text.includes(`"${kind}"`), `${type}: no mail of the kind ${kind}`);
      assert.equal(isDigested(type, told === toldBy["finding.overdue"].operator ? "operator" : "developer", eventKinds[type].example), false, type);
    }
  });

  it("depends on the audience, and on whether the mail was sent", () => {
    const { example } = eventKinds["finding.opened"];
    assert.deepEqual([isDigested("finding.opened", "developer", example), isDigested("finding.opened", "operator", example)], [false, true]);
    assert.equal(isDigested("review.done", "developer", { account_id: "acct_a", monthly_usd: null }), true);
    assert.equal(isDigested("webhook.test", "developer", eventKinds["webhook.test"].example), false);
    assert.equal(isDigested("payout.paid", "operator", eventKinds["payout.paid"].example), false);
  });

  it("has a sentence for every event, without gaps, of one line", () => {
    for (const { type, audience } of all) {
      const line = lineOf(type, eventKinds[type].example, audience);
      assert.match(line, /^[A-Z0-9][^\n]{10,200}\.$/, type);
      assert.doesNotMatch(line, /undefined|null|NaN|\[object/, type);
    }
    assert.equal(lineOf("payout.paid", eventKinds["payout.paid"].example, "developer"), "Your payout of 340.00 USD was paid.");
    assert.equal(lineOf("clicks.reversed", eventKinds["clicks.reversed"].example, "developer"), "1 click that had earned 0.17 USD was reversed.");
    assert.equal(lineOf("adjustment.made", eventKinds["adjustment.made"].example, "developer"), "An adjustment of -1.50 USD was booked.");
  });
});
