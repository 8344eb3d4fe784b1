import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Failure } from "../failure/failure.ts";
import { requestsPerStepMax, createFloodGuard } from "./networks/flood-guard.ts";
import { createPageGate, perTurn, refusalMs, refusalsMax, waitingMax } from "./page-gate.ts";

/** Time and turns pass when a test says so. */
function openGate() {
  let turns: (() => void)[] = [];
  const timers: { run: () => void; ms: number }[] = [];
  const gate = createPageGate(
    { tagger: { tagsOf: (address) => ({ today: address, yesterday: undefined }) }, floodGuard: createFloodGuard(() => 0), nowMs: () => 0 },
    { nextTurn: (run) => turns.push(run), later: (run, ms) => timers.push({ run, ms }) },
  );
  const entered: string[] = [];
  const refused: string[] = [];
  const send = (address: string, request = {} as IncomingMessage) => {
    gate.admit(request, address, {
      enter: ({ today }) => entered.push(today),
      refuse: ({ code }: Failure) => refused.push(code),
    });
    return request;
  };
  return {
    send,
    entered,
    refused,
    timers,
    takeTurn() {
      const due = turns;
      turns = [];
      for (const run of due) run();
    },
    turnsPlanned: () => turns.length,
  };
}

describe("requests of pages", () => {
  it("enter in the order of their arrival, a few per turn of the event loop [threat: beat-flood]", () => {
    const { send, entered, takeTurn, turnsPlanned } = openGate();
    const addresses = Array.from({ length: 2 * perTurn + 3 }, (_, index) => String(index));
    for (const address of addresses) send(address);
    assert.deepEqual(entered, [], "calls whose bytes have arrived go first");
    for (const count of [perTurn, 2 * perTurn, 2 * perTurn + 3]) {
      assert.equal(turnsPlanned(), 1);
      takeTurn();
      assert.deepEqual(entered, addresses.slice(0, count));
    }
    assert.equal(turnsPlanned(), 0, "nothing is left to do");
    send("later");
    takeTurn();
    assert.equal(entered.at(-1), "later");
  });

  it("that arrive while others enter wait for their turn", () => {
    const { send, entered, takeTurn } = openGate();
    for (let index = 0; index < perTurn + 1; index += 1) send("first");
    takeTurn();
    send("second");
    takeTurn();
    assert.deepEqual(entered.slice(perTurn), ["first", "second"]);
  });

  it("of a network that sends too much are refused after a while, so that it sends no faster [threat: beat-flood]", () => {
    const { send, entered, refused, timers, takeTurn } = openGate();
    for (let index = 0; index < requestsPerStepMax + 2; index += 1) send("a");
    send("b");
    while (entered.length < requestsPerStepMax + 1) takeTurn();
    assert.equal(entered.at(-1), "b", "another network is not concerned");
    assert.deepEqual(refused, []);
    assert.deepEqual(timers.map(({ ms }) => ms), [refusalMs, refusalMs]);
    for (const { run } of timers) run();
    assert.deepEqual(refused, ["rate_limit_exceeded", "rate_limit_exceeded"]);
  });

  it("are refused at once while too many refusals wait, and after a while again when they have left", () => {
    const { send, refused, timers } = openGate();
    for (let index = 0; index < requestsPerStepMax + refusalsMax; index += 1) send("a");
    assert.deepEqual([timers.length, refused.length], [refusalsMax, 0]);
    send("a");
    assert.equal(refused.length, 1);
    timers[0]!.run();
    send("a");
    assert.deepEqual([timers.length, refused.length], [refusalsMax + 1, 2]);
  });

  it("are refused while too many wait, whoever sent those [threat: beat-flood]", () => {
    const { send, refused, entered, takeTurn } = openGate();
    for (let index = 0; index < waitingMax; index += 1) send(String(index));
    assert.deepEqual(refused, []);
    send("one too many");
    assert.deepEqual(refused, ["overloaded"]);
    takeTurn();
    send("welcome");
    while (entered.length < waitingMax + 1) takeTurn();
    assert.deepEqual([entered.at(-1), refused.length], ["welcome", 1]);
  });

  it("are forgotten once they have entered, however long a flood lasts in which the line never ends [threat: beat-flood]", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { send, entered, refused, takeTurn } = openGate();
    const requests: WeakRef<IncomingMessage>[] = [];
    const flood = (count: number) => {
      for (let index = 0; index < count; index += 1) requests.push(new WeakRef(send(`network ${requests.length}`)));
    };
    const linger = 10 * perTurn;
    flood(linger);
    while (requests.length < 3 * waitingMax) {
      takeTurn();
      flood(perTurn);
      // What a WeakRef was made for in this turn of the event loop is not collected.
      if (requests.length % linger === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual([entered.length, refused.length], [requests.length - linger, 0]);
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    const remembered = requests.filter((request) => request.deref() !== undefined).length;
    assert.ok(remembered <= linger + perTurn, `${remembered} of ${requests.length} requests are remembered, and ${linger} wait`);
  });

  it("that were let in before neither wait nor count again", () => {
    const { send, entered, takeTurn } = openGate();
    const request = send("a");
    takeTurn();
    for (let again = 0; again < requestsPerStepMax + 1; again += 1) send("a", request);
    assert.equal(entered.length, requestsPerStepMax + 2);
    send("a");
    takeTurn();
    assert.equal(entered.length, requestsPerStepMax + 3);
  });
});
