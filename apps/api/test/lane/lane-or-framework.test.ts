/** The same bytes are sent to two installations that differ in nothing but the lane. Nobody must be able to tell them apart. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createSeededRandom } from "../faults/rig/seeded-random.ts";
import { converse } from "./converse.ts";
import { bytesOf, type Call, type CallKeys, callTo, drawOddCall, drawOrdinaryCall, lanePaths, oddities } from "./draw-call.ts";
import { goodSessionBody, makeTemplate, type Template } from "./make-template.ts";
import { openTwins, stopClock, type StoppedClock, type Twin, type Twins } from "./twins.ts";

/** Few calls per account: a test key has 50 a minute, and the clock stands still. */
const ordinaryAccounts = 5;
const callsPerAccount = 60;
const oddCallsPerKind = 12;
const bytesShownMax = 3_000;

/** In the place of a session's id: each twin sends the last one that it has seen. */
const sessionPlace = `sess_${"$".repeat(22)}`;

describe("a call", () => {
  const random = createSeededRandom();
  const kinds = Object.keys(oddities);
  let clock: StoppedClock;
  let template: Template;
  let twins: Twins | undefined;
  const sessions = new Map<Twin, string>();

  before(async () => {
    clock = stopClock();
    template = await makeTemplate(clock, { accounts: ordinaryAccounts + kinds.length });
  });
  after(async () => {
    await twins?.close();
    clock.restore();
  });

  /** Twins that have done the same so far: after a difference there are new ones, so that each test has its own result. */
  async function findTwins(): Promise<Twins> {
    if (twins && !twins.haveDiffered()) return twins;
    await twins?.close();
    twins = await openTwins(template, { clock, seed: random.seed });
    return twins;
  }

  /** Makes the calls one after the other on one connection of each twin, and compares all answers. */
  async function callBoth({ same }: Twins, what: string, calls: readonly Call[]): Promise<string> {
    const shown = calls.map((call) => JSON.stringify(bytesOf(call).toString("latin1").slice(0, bytesShownMax)));
    return same(`seed ${random.seed}, ${what}:\n${shown.join("\n")}`, async (twin) => {
      const place = sessions.get(twin) ?? sessionPlace;
      const received = await converse(twin, calls.map((call) => bytesOf({ ...call, body: call.body.replace(sessionPlace, place) })));
      const session = /"session_id":"(sess_\w{22})"/.exec(received)?.[1];
      if (session !== undefined) sessions.set(twin, session);
      return received;
    });
  }

  /** The lane answers calls with keys that it has seen before. */
  const warmUp = (compared: Twins, keys: CallKeys) => callBoth(compared, "first calls", [callTo(lanePaths[0]!, keys.live, goodSessionBody), callTo(lanePaths[0]!, keys.test, goodSessionBody)]);

  it("that is ordinary is answered by the lane, and the answer is the framework's byte for byte", async (test) => {
    test.diagnostic(`ASSAY_TEST_SEED=${random.seed}`);
    const compared = await findTwins();
    for (const { account, keys, tokens } of template.accounts.slice(0, ordinaryAccounts)) {
      await warmUp(compared, keys);
      const had = await compared.countTaken();
      for (let made = 0; made < callsPerAccount; made += 3) {
        await callBoth(compared, "ordinary", Array.from({ length: 3 }, () => drawOrdinaryCall(random, { keys, tokens, session: sessionPlace })));
      }
      assert.equal((await compared.countTaken()) - had, callsPerAccount, `seed ${random.seed}: the lane takes every ordinary call`);
      await compared.compareAccount(account);
    }
    const attested = await compared.withLane.deps.store.db.selectFrom("attested_sessions").select("ref").execute();
    assert.ok(attested.length > ordinaryAccounts, `seed ${random.seed}: ${attested.length} calls were attested`);
  });

  for (const [index, name] of kinds.entries()) {
    it(`with ${name} gets the framework's answer`, async () => {
      const compared = await findTwins();
      const { account, keys, tokens } = template.accounts[ordinaryAccounts + index]!;
      await warmUp(compared, keys);
      for (let made = 0; made < oddCallsPerKind; made += 1) {
        const { call, what } = drawOddCall(random, name, { keys, tokens, session: sessionPlace });
        const next = drawOrdinaryCall(random, { keys, tokens, session: sessionPlace });
        await callBoth(compared, what, random.isTrue(0.5) ? [call, next] : [next, call]);
      }
      await compared.compareAccount(account);
    });
  }
});
