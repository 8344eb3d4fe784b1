import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupCommit, type GroupCommitSettings } from "./group-commit.ts";
import { promised } from "./waiter.ts";

type Item = { group: string; name: string };

class Refused extends Error {}

const item = (name: string, group = "a"): Item => ({ name, group });
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A commit that ends when the test says so and records its batches. */
function controlledCommit() {
  const batches: { items: string[]; finish(): void; fail(error: Error): void }[] = [];
  const commit = (items: Item[]): Promise<string[]> =>
    new Promise((resolve, reject) => {
      batches.push({
        items: items.map(({ name }) => name),
        finish: () => resolve(items.map(({ name }) => `${name} done`)),
        fail: reject,
      });
    });
  return { batches, commit };
}

function start(settings: Partial<GroupCommitSettings<Item, string>> = {}) {
  const { batches, commit } = controlledCommit();
  const group = createGroupCommit<Item, string>({
    commit,
    groupOf: (each) => each.group,
    batchesAtOnceMax: 1,
    itemsWorthABatch: 100,
    itemsPerBatchMax: 100,
    itemsPerGroupMax: 100,
    waitingMax: 100,
    refusal: (reason) => new Refused(reason),
    nowMs: () => 0,
    ...settings,
  });
  /** Finishes batches one after another until none is left. */
  const finishAll = async () => {
    await nextTurn();
    for (let batch = 0; batch < batches.length; batch += 1) {
      batches[batch]!.finish();
      await nextTurn();
    }
  };
  const submit = (each: Item) => promised<string>((waiter) => group.submit(each, waiter));
  return { group, submit, batches, finishAll };
}

describe("a group commit", () => {
  it("collects the next batch while one is being committed", async () => {
    const { group, submit, batches } = start();
    const first = [submit(item("1")), submit(item("2"))];
    await nextTurn();
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"]]);
    const second = [submit(item("3")), submit(item("4"))];
    await nextTurn();
    assert.equal(batches.length, 1, "one commit at a time");
    assert.equal(group.depth(), 4);
    batches[0]!.finish();
    assert.deepEqual(await Promise.all(first), ["1 done", "2 done"]);
    await nextTurn();
    assert.deepEqual(batches[1]!.items, ["3", "4"]);
    batches[1]!.finish();
    assert.deepEqual(await Promise.all(second), ["3 done", "4 done"]);
    assert.equal(group.depth(), 0);
  });

  it("answers no caller before the commit has ended", async () => {
    const { submit, batches } = start();
    let isAnswered = false;
    const answer = submit(item("1")).then(() => {
      isAnswered = true;
    });
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    assert.equal(isAnswered, false);
    batches[0]!.finish();
    await answer;
  });

  it("gives each caller its own result, across groups", async () => {
    const { submit, batches, finishAll } = start({ itemsPerGroupMax: 1 });
    const answers = ["1", "2", "3", "4"].map((name, index) => submit(item(name, index % 2 === 0 ? "even" : "odd")));
    await finishAll();
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"], ["3", "4"]]);
    assert.deepEqual(await Promise.all(answers), ["1 done", "2 done", "3 done", "4 done"]);
  });

  it("refuses new items at once when it is full, and accepts them again afterwards", async () => {
    // Of six places one group may take as many as it leaves free.
    const { submit, batches } = start({ waitingMax: 6 });
    const taken = ["1", "2", "3"].map((name) => submit(item(name)));
    await assert.rejects(submit(item("4")), Refused);
    await nextTurn();
    // Items that are being committed no longer wait: there is room for three more.
    taken.push(...["5", "6", "7"].map((name) => submit(item(name))));
    await assert.rejects(submit(item("8")), Refused);
    batches[0]!.finish();
    await nextTurn();
    batches[1]!.finish();
    assert.equal((await Promise.all(taken)).length, 6);
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2", "3"], ["5", "6", "7"]]);
    const later = submit(item("9"));
    await nextTurn();
    batches[2]!.finish();
    assert.equal(await later, "9 done");
  });

  it("makes no batch larger than the maximum", async () => {
    const { submit, batches, finishAll } = start({ itemsPerBatchMax: 2 });
    const answers = ["1", "2", "3", "4", "5"].map((name) => submit(item(name)));
    await finishAll();
    await Promise.all(answers);
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"], ["3", "4"], ["5"]]);
  });

  it("lets no group displace the others, and keeps the order within a group", async () => {
    const { submit, batches, finishAll } = start({ itemsPerGroupMax: 2 });
    const answers = ["1", "2", "3", "4", "5"].map((name) => submit(item(name, "loud")));
    answers.push(submit(item("quiet", "quiet")));
    await finishAll();
    await Promise.all(answers);
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2", "quiet"], ["3", "4"], ["5"]]);
  });

  it("includes a quiet group's item in the next batch, however many items the others have waiting", async () => {
    const { submit, batches, finishAll } = start({ itemsPerBatchMax: 10, itemsPerGroupMax: 4, waitingMax: 10_000 });
    const floods = ["a", "b", "c", "d", "e"].flatMap((name) => Array.from({ length: 200 }, () => submit(item(name, name))));
    await nextTurn();
    floods.push(submit(item("quiet", "quiet")));
    batches[0]!.finish();
    await nextTurn();
    assert(batches[1]!.items.includes("quiet"), String(batches[1]!.items));
    await finishAll();
    await Promise.all(floods);
  });

  it("fails only the batch whose commit failed", async () => {
    const seen: { items: number; failed: boolean }[] = [];
    const { submit, batches } = start({ onBatch: ({ items, failed }) => seen.push({ items, failed }) });
    const failing = [submit(item("1")), submit(item("2"))];
    await nextTurn();
    const following = submit(item("3"));
    const failure = new Error("disk full");
    batches[0]!.fail(failure);
    for (const outcome of await Promise.allSettled(failing)) {
      assert(outcome.status === "rejected" && outcome.reason === failure);
    }
    await nextTurn();
    batches[1]!.finish();
    assert.equal(await following, "3 done");
    await nextTurn();
    assert.deepEqual(seen, [{ items: 2, failed: true }, { items: 1, failed: false }]);
  });

  for (const ending of ["finish", "fail"] as const) {
    it(`tells the others of a batch that ${ending === "finish" ? "was committed" : "failed"} their outcomes when one waiter throws, and commits the next`, async () => {
      const thrown: unknown[] = [];
      const { group, submit, batches } = start({ onWaiterError: (error) => thrown.push(error) });
      const bug = new Error("the socket is gone");
      const answers = [submit(item("1"))];
      let tellings = 0;
      const throwBug = () => {
        tellings += 1;
        throw bug;
      };
      group.submit(item("2"), { settle: throwBug, fail: throwBug });
      answers.push(submit(item("3")));
      await nextTurn();
      const next = submit(item("4"));
      batches[0]![ending](new Error("disk full"));
      const outcomes = await Promise.allSettled(answers);
      const expected = ending === "finish" ? ["1 done", "3 done"] : ["disk full", "disk full"];
      assert.deepEqual(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : outcome.reason.message)), expected);
      await nextTurn();
      batches[1]!.finish();
      assert.equal(await next, "4 done");
      await group.drain();
      assert.deepEqual([thrown, tellings], [[bug], 1]);
    });
  }

  it("rejects the whole batch when a commit returns the wrong number of results", async () => {
    const { submit } = start({ commit: async () => ["only one"] });
    const outcomes = await Promise.allSettled([submit(item("1")), submit(item("2"))]);
    assert.deepEqual(outcomes.map(({ status }) => status), ["rejected", "rejected"]);
  });

  it("refuses new items while it drains, and has drained when all accepted items have their outcome", async () => {
    const { group, submit, batches } = start({ itemsPerBatchMax: 1 });
    const taken = [submit(item("1")), submit(item("2"))];
    let isDrained = false;
    const drained = group.drain().then(() => {
      isDrained = true;
    });
    await assert.rejects(submit(item("3")), Refused);
    await nextTurn();
    batches[0]!.finish();
    await nextTurn();
    await nextTurn();
    assert.equal(isDrained, false);
    batches[1]!.finish();
    assert.deepEqual(await Promise.all(taken), ["1 done", "2 done"]);
    await drained;
    await group.drain();
  });

  it("drains at once when nothing waits, and after a failed batch", async () => {
    await start().group.drain();
    const { group, submit, batches } = start();
    const failing = submit(item("1"));
    await nextTurn();
    const drained = group.drain();
    batches[0]!.fail(new Error("disk full"));
    await assert.rejects(failing, /disk full/);
    await drained;
  });

  it("commits before the event-loop turn is over once enough items wait", async () => {
    const { submit, batches } = start({ itemsWorthABatch: 2 });
    const answers = ["1", "2", "3"].map((name) => submit(item(name)));
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"]]);
    batches[0]!.finish();
    await nextTurn();
    batches[1]!.finish();
    assert.deepEqual(await Promise.all(answers), ["1 done", "2 done", "3 done"]);
  });

  it("commits a second full batch while the first is in flight, and never a third", async () => {
    const { group, submit, batches } = start({ itemsWorthABatch: 2, batchesAtOnceMax: 2 });
    const answers = ["1", "2", "3", "4", "5", "6", "7"].map((name) => submit(item(name)));
    await nextTurn();
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"], ["3", "4"]]);
    assert.equal(group.depth(), 7);
    // The second ends first: its callers are answered and the rest is committed while the first is still in flight.
    batches[1]!.finish();
    assert.equal(await answers[3], "4 done");
    await nextTurn();
    assert.deepEqual(batches[2]!.items, ["5", "6", "7"]);
    batches[0]!.fail(new Error("lost"));
    await assert.rejects(answers[0]!, /lost/);
    await assert.rejects(answers[1]!, /lost/);
    const drained = group.drain();
    batches[2]!.finish();
    await drained;
    assert.equal(await answers[6], "7 done");
    assert.equal(group.depth(), 0);
  });

  it("lets a few items wait until the batch in flight has ended", async () => {
    const { submit, batches } = start({ itemsWorthABatch: 2, batchesAtOnceMax: 2 });
    const answers = ["1", "2", "3"].map((name) => submit(item(name)));
    await nextTurn();
    assert.equal(batches.length, 1);
    batches[0]!.finish();
    await nextTurn();
    assert.deepEqual(batches[1]!.items, ["3"]);
    batches[1]!.finish();
    assert.equal(await answers[2], "3 done");
  });

  it("sends a second batch early only where a commit is quick compared with gathering one", async () => {
    let nowMs = 1_000;
    const { submit, batches } = start({ itemsWorthABatch: 2, batchesAtOnceMax: 2, nowMs: () => nowMs });
    const commitFor = async (batch: number, durationMs: number) => {
      nowMs += durationMs;
      batches[batch]!.finish();
      await nextTurn();
    };
    const answers = ["1", "2"].map((name) => submit(item(name)));
    await commitFor(0, 10);
    answers.push(...["3", "4", "5", "6"].map((name) => submit(item(name))));
    await nextTurn();
    assert.deepEqual(batches.map(({ items }) => items), [["1", "2"], ["3", "4"]], "a commit takes 10 ms, and gathering the next batch took none");
    nowMs += 5;
    answers.push(submit(item("7")));
    assert.deepEqual(batches[2]?.items, ["5", "6", "7"], "half of the time has passed");
    await commitFor(1, 1);
    await commitFor(2, 1);
    for (const name of ["8", "9", "10", "11"]) answers.push(submit(item(name)));
    await nextTurn();
    assert.equal(batches.length, 4, "the average is still several milliseconds");
    await commitFor(3, 10);
    assert.deepEqual(batches[4]?.items, ["10", "11"], "what waited is sent when nothing is in flight");
    await commitFor(4, 10);
    await Promise.all(answers);
  });
});
