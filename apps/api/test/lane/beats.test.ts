/** The same beats are sent to two installations that differ in nothing but the lane. Nobody must be able to tell them apart. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { requestsPerStepMax } from "../../src/attestation/networks/flood-guard.ts";
import { addSite } from "../attestation/seal-session.ts";
import { statusesIn } from "../exchange-bytes.ts";
import { pickFrom } from "../faults/fuzz/draw-value.ts";
import { createSeededRandom } from "../faults/rig/seeded-random.ts";
import { converse, goodbye, letRead, openConversation, splitAnswers } from "./converse.ts";
import { bytesOf, type Call, damageToken, oddities } from "./draw-call.ts";
import { makeTemplate, type Template } from "./make-template.ts";
import { openTwins, stopClock, type StoppedClock, type Twin, type Twins } from "./twins.ts";

const ownOrigin = "https://shop.example";
/** Of a site of somebody else. */
const otherOrigin = "https://other.example";
const beatsPerKind = 6;
const ordinaryBeats = 120;

type Headers = [name: string, value: string][];

function beatOf(token: string, { delta = '{"view_ms":900,"clicks":1}', headers = [["Origin", ownOrigin]], type = "text/plain;charset=UTF-8" }: { delta?: string; headers?: Headers; type?: string } = {}): Call {
  const body = `{"token":${JSON.stringify(token)},"d":${delta}}`;
  return { method: "POST", target: "/c/v1/beat", version: "1.1", headers: [["Host", "localhost"], ["Content-Type", type], ["Content-Length", String(body.length)], ...headers], body };
}

describe("a beat", () => {
  const random = createSeededRandom();
  let clock: StoppedClock;
  let template: Template;
  let twins: Twins;
  /** Each test in networks of its own: the clock stands still, and so does the guard. */
  let networks = 0;
  const newNetwork = () => `198.18.${(networks += 1)}.7`;

  before(async () => {
    clock = stopClock();
    template = await makeTemplate(clock, { accounts: 2 });
    twins = await openTwins(template, { clock, seed: random.seed, env: { TRUST_PROXY: "127.0.0.1/32" } });
    for (const { deps } of [twins.withLane, twins.without]) {
      await addSite(deps.store, { accountId: template.starter.accountId, origins: [otherOrigin], nowMs: clock.nowMs() });
      await deps.attestation.sites.refresh();
    }
  });
  after(async () => {
    await twins.close();
    clock.restore();
  });

  const tokens = () => template.accounts[0]!.tokens;
  const from = (address: string, ...more: Headers): Headers => [["Origin", ownOrigin], ["X-Forwarded-For", address], ...more];

  /** What the tokens in the answers say: their texts differ by a nonce. */
  const statesIn = ({ deps: { attestation } }: Twin, received: string) =>
    splitAnswers(received).answers.flatMap(({ body }) => {
      const token = /"token":"([^"]+)"/.exec(body)?.[1];
      return token === undefined ? [] : [attestation.tokens.open(token, clock.nowMs())];
    });

  /** Sends the beats one after the other over one connection of each twin, and compares answers, their tokens, and all counters. */
  async function beatBoth(what: string, beats: readonly Call[]): Promise<{ received: string; taken: number }> {
    const had = await twins.countTaken();
    const states: unknown[] = [];
    const received = await twins.same(`seed ${random.seed}, ${what}:\n${beats.map((beat) => JSON.stringify(bytesOf(beat).toString("latin1").slice(0, 2_000))).join("\n")}`, async (twin) => {
      const answered = await converse(twin, beats.map(bytesOf));
      states.push(statesIn(twin, answered));
      return answered;
    });
    assert.deepEqual(states[0], states[1], `seed ${random.seed}, ${what}: the sessions go on alike`);
    return { received, taken: (await twins.countTaken()) - had };
  }

  function drawDelta(): string {
    const fields = ["view_ms", "active_ms", "clicks", "keys", "pages"].filter(() => random.isTrue(0.6)).map((name) => `"${name}":${pickFrom(random, ["0", "1", "1.5", "-0", "1e3", "20000", "999999999"])}`);
    if (random.isTrue(0.5)) fields.push(`"scroll":${pickFrom(random, ["0", "1", "0.31", "null", "1e-400"])}`);
    return `{${fields.join(",")}}`;
  }

  function drawBeat(): Call {
    const headers: Headers = [];
    if (random.isTrue(0.8)) headers.push(["Origin", pickFrom(random, [ownOrigin, ownOrigin, ownOrigin, otherOrigin, "https://evil.example", "null", ""])]);
    if (random.isTrue(0.8)) headers.push(["X-Forwarded-For", pickFrom(random, ["198.51.100.7", "198.51.100.7, 203.0.113.9", "2001:db8::1", "::ffff:198.51.100.7", "unknown", "198.51.100.7,127.0.0.1", ""])]);
    if (random.isTrue(0.2)) headers.push(pickFrom<Headers[number]>(random, [["Via", "1.1 proxy"], ["Forwarded", "for=192.0.2.1"], ["Cookie", "a=b"], ["User-Agent", "Mozilla/5.0"]]));
    const token = pickFrom(random, [pickFrom(random, tokens().good), pickFrom(random, tokens().good), pickFrom(random, tokens().doubtful), damageToken(random, pickFrom(random, tokens().good))]);
    return beatOf(token, { delta: drawDelta(), headers, type: pickFrom(random, ["text/plain;charset=UTF-8", "text/plain", "application/json"]) });
  }

  it("that is ordinary is answered by the lane, and the answer is the framework's byte for byte", async (test) => {
    test.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const statuses = new Set<number>();
    for (let sent = 0; sent < ordinaryBeats; sent += 4) {
      const beats = Array.from({ length: 4 }, drawBeat).filter(({ body }) => !body.includes("\\"));
      const { received, taken } = await beatBoth("ordinary", beats);
      assert.equal(taken, beats.length, `seed ${random.seed}: the lane takes every ordinary beat`);
      for (const status of statusesIn(received)) statuses.add(status);
    }
    assert.ok([200, 400, 403].every((status) => statuses.has(status)), `seed ${random.seed}: ${[...statuses].join(" ")}`);
    await twins.compareAccount(template.accounts[0]!.account);
  });

  it("of a page whose origin is not the site's cannot be read by it, one of the site's can", async () => {
    const [token] = tokens().good;
    const { received: own } = await beatBoth("own origin", [beatOf(token!)]);
    assert.match(own, /^access-control-allow-origin: https:\/\/shop\.example\r$/m);
    for (const origin of [otherOrigin, "https://evil.example"]) {
      const { received: foreign, taken } = await beatBoth(origin, [beatOf(token!, { headers: [["Origin", origin]] })]);
      assert.deepEqual([statusesIn(foreign), taken], [[403, 200], 1]);
      assert.doesNotMatch(foreign, /access-control/i);
    }
  });

  for (const [name, change] of Object.entries(oddities)) {
    it(`with ${name} gets the framework's answer`, async () => {
      const { keys } = template.accounts[1]!;
      for (let sent = 0; sent < beatsPerKind; sent += 1) {
        const ordinary = beatOf(pickFrom(random, tokens().good), { delta: drawDelta() });
        const odd = change(ordinary, random, { keys, tokens: tokens(), session: "sess_unknown" });
        await beatBoth(name, random.isTrue(0.5) ? [odd, ordinary] : [ordinary, odd]);
      }
      await twins.compareAccount(template.accounts[1]!.account);
    });
  }

  it("too many of one network are refused alike, until the next step [threat: beat-flood]", async () => {
    const [token] = tokens().good;
    const headers = from(newNetwork());
    const beats = Array.from({ length: requestsPerStepMax }, () => beatOf(token!, { headers }));
    const refused = [beatOf(token!, { headers }), beatOf("not a token", { headers }), beatOf(token!, { headers: [...headers, ["Via", "1.1 proxy"]] })];
    const { received, taken } = await beatBoth("too many", [...beats, ...refused]);
    assert.deepEqual(statusesIn(received), [...beats.map(() => 200), 429, 429, 429, 200]);
    assert.equal(taken, beats.length + refused.length);
    assert.deepEqual(statusesIn((await beatBoth("another network", [beatOf(token!, { headers: from(newNetwork()) })])).received), [200, 200]);
    clock.advance(2_000);
    assert.deepEqual(statusesIn((await beatBoth("later", [beatOf(token!, { headers })])).received), [200, 200]);
    await twins.compareAccount(template.accounts[0]!.account);
  });

  it("of a proxy that is not trusted is noted in the session, whichever way it goes", async () => {
    const [token] = tokens().good;
    const beats = [beatOf(token!, { headers: from("203.0.113.9, 198.51.100.7") }), beatOf(token!, { headers: from("198.51.100.7") })];
    const states: unknown[] = [];
    await twins.same("a relay", async (twin) => {
      const received = await converse(twin, beats.map(bytesOf));
      states.push(statesIn(twin, received).map((opened) => opened.kind === "open" && [...opened.state.issues]));
      return received;
    });
    assert.deepEqual(states, [[["proxied"], []], [["proxied"], []]]);
  });

  it("whose body comes later, and several in one packet, are answered alike and in order", async () => {
    const bytes = bytesOf(beatOf(tokens().good[0]!)).toString("latin1");
    const head = bytes.slice(0, bytes.indexOf("\r\n\r\n") + 4);
    const late = await twins.same("a body that comes later", async (twin) => {
      const { socket, ...conversation } = await openConversation(twin);
      socket.write(head);
      await letRead();
      await letRead();
      socket.write(bytes.slice(head.length) + goodbye);
      await conversation.untilClosed();
      return conversation.received();
    });
    assert.deepEqual(statusesIn(late), [200, 200]);
    const beats = Array.from({ length: 40 }, (_, index) => bytesOf(beatOf(index % 5 === 0 ? "not a token" : pickFrom(random, tokens().good))));
    const packet = await twins.same("one packet", async (twin) => {
      const { socket, ...conversation } = await openConversation(twin);
      socket.write(Buffer.concat(beats));
      await conversation.untilAnswers(beats.length);
      socket.write(goodbye);
      await conversation.untilClosed();
      return conversation.received();
    });
    assert.deepEqual(statusesIn(packet), [...beats.map((_, index) => (index % 5 === 0 ? 400 : 200)), 200]);
    await twins.compareAccount(template.accounts[0]!.account);
  });

  it("while the service drains closes its connection", async () => {
    const both = [twins.withLane, twins.without];
    for (const { state } of both) state.draining = true;
    const { received, taken } = await beatBoth("while draining", [beatOf(tokens().good[0]!)]).finally(() => {
      for (const { state } of both) state.draining = false;
    });
    assert.deepEqual([statusesIn(received), taken], [[200], 0]);
    assert.match(received, /^connection: close\r$/im);
  });
});
