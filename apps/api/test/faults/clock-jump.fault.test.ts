import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeSignInAccount, signIn } from "../people/browser.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { readOffer } from "../ads/serving/make-offers.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../ads/serving/send-tracking.ts";
import { tooFastMs } from "../../src/ads/clicks/click-verdict.ts";
import { verifyLedger } from "../../src/money/ledger/verify-ledger.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { makeAccount } from "../make-account.ts";
import { readLedger } from "../read-ledger.ts";
import { predict, waitUntil } from "../send.ts";
import { makeTestFolder, startService, type TestService } from "../start-service.ts";
import { msPerHour } from "../../src/formats/time.ts";

const starterPerMinute = 50;
const program = new URL("./rig/rigged-node.ts", import.meta.url).pathname;

/** SQLite has only the machine's clock. Several nodes use the database's clock: see many-nodes.fault.test.ts. */
describe("a service on SQLite whose clock jumps by an hour, forward and back", () => {
  let service: TestService;
  let store: Store;
  before(async () => {
    const dataDir = makeTestFolder();
    service = await startService({ dataDir, program });
    ({ store } = await openStore({ databaseUrl: undefined, dataDir }, { nowMs: Date.now(), onConnectionError: () => {} }));
  });
  after(async () => {
    await service?.stop();
    await store?.close();
  });

  async function setClock(aheadMs: number): Promise<void> {
    const acknowledged = once(service.child, "message");
    service.child.send({ aheadMs });
    await acknowledged;
  }

  it("keeps billing in order, and its chain stays valid", async () => {
    const account = await makeAccount(store, { tier: "Growth" });
    for (const aheadMs of [0, msPerHour, 0, -msPerHour, 0]) {
      await setClock(aheadMs);
      for (let calls = 0; calls < 3; calls += 1) assert.equal((await predict(service, account.liveKey)).status, 200);
    }
    const entries = await readLedger(store, account.accountId);
    assert.equal(entries.length, 15);
    for (const [index, { at }] of entries.entries()) assert.ok(index === 0 || at >= entries[index - 1]!.at);
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });

  it("neither grants calls beyond the limit nor takes any away", async () => {
    const account = await makeAccount(store, { tier: "Starter" });
    const statuses: number[] = [];
    for (const aheadMs of [0, msPerHour, -msPerHour, 0]) {
      await setClock(aheadMs);
      for (let calls = 0; calls < 20; calls += 1) statuses.push((await predict(service, account.testKey)).status);
    }
    assert.deepEqual(statuses, statuses.map((_, index) => (index < starterPerMinute ? 200 : 429)));
  });

  it("replays a repeated call, whichever way the clock jumped", async () => {
    const account = await makeAccount(store, { tier: "Growth" });
    const headers = { "idempotency-key": "once" };
    const texts = new Set<string>();
    for (const aheadMs of [msPerHour, 0, -msPerHour, msPerHour, 0]) {
      await setClock(aheadMs);
      texts.add((await predict(service, account.liveKey, { headers })).text);
    }
    assert.equal(texts.size, 1);
    assert.equal((await readLedger(store, account.accountId)).length, 1);
  });

  it("keeps sign-in sessions valid", async () => {
    const browser = await signIn(service, await makeSignInAccount(store));
    for (const aheadMs of [msPerHour, 0, -msPerHour, 0]) {
      await setClock(aheadMs);
      assert.equal((await browser.get("/dashboard/api/me")).status, 200);
    }
  });

  it("pays for genuine clicks on earlier offers, and for none twice", async () => {
    const account = await makeAccount(store, { tier: "Growth" });
    await makeCampaign(store);
    await waitUntil(async () => (await requestAd(service, account.liveKey, {})).json()["house"] === false, "the campaign is served");
    for (const [offeredAheadMs, clickedAheadMs] of [[0, msPerHour], [msPerHour, 0], [0, -msPerHour]] as const) {
      await setClock(offeredAheadMs);
      const ad = await requestAd(service, account.liveKey, {});
      await follow(service, impressionUrlOf(ad));
      await sleep(tooFastMs + 50);
      await setClock(clickedAheadMs);
      for (let clicks = 0; clicks < 2; clicks += 1) assert.equal((await follow(service, clickUrlOf(ad))).status, 302);
      assert.equal((await readOffer(store, String(ad.json()["ad_id"]))).verdict, "paid", `offered at ${offeredAheadMs}, clicked at ${clickedAheadMs}`);
    }
    await setClock(0);
    assert.deepEqual((await verifyLedger(store)).breaks, []);
  });
});
