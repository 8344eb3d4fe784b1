// node bench/commit-calls.ts [--calls N --callers N --rounds N --accounts N]: what a call costs from its scored session to its durable
// charge, and an ad from its offer to its commit, on the embedded store and without HTTP: processor time of the main thread,
// and of the others, which are the writer's and the garbage collector's.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createOfferMaker } from "../apps/api/src/ads/serving/make-offers.ts";
import type { NewOffer } from "../apps/api/src/ads/serving/offer-batch.ts";
import { timeOrderedId } from "../apps/api/src/ids/time-ordered-id.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import type { Waiter } from "../apps/api/src/store/waiter.ts";
import { makeAccount, vastTier } from "../apps/api/test/make-account.ts";
import { makeAnswerOnce, makeCharge, makeCharger } from "../apps/api/test/make-charge.ts";
import { goodSignals } from "../apps/api/test/send.ts";
import { prepareCampaigns } from "./ad-request.ts";
import { readThreadTimes } from "./cpu-time.ts";
import { exampleReply } from "./example-reply.ts";
import { median } from "./median.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "20000" },
    callers: { type: "string", default: "64" },
    rounds: { type: "string", default: "5" },
    accounts: { type: "string", default: "1" },
  },
});
const [calls, callers, rounds, accounts] = [Number(values.calls), Number(values.callers), Number(values.rounds), Number(values.accounts)];

const dataDir = mkdtempSync(join(tmpdir(), "assay-commit-"));
const storeSettings = { databaseUrl: undefined, dataDir };
await prepareCampaigns(storeSettings);
const { store } = await openStore(storeSettings, { nowMs: Date.now(), onConnectionError: () => {} });
const accountIds = await Promise.all(Array.from({ length: accounts }, async () => (await makeAccount(store, { tier: vastTier })).accountId));
const accountOf = (call: number): string => accountIds[call % accountIds.length]!;
const clock = { nowMs: Date.now() };
const { charger } = makeCharger(store, clock);
const answerOnce = makeAnswerOnce(store, clock, charger);
const offers = createOfferMaker(store);
const body = JSON.stringify(exampleReply({ session_data: goodSignals }));
const input = JSON.stringify(Object.values(goodSignals));
const { verdict } = makeCharge({ accountId: accountOf(0), atMs: clock.nowMs });

function bill(call: number, idempotencyKey: string | undefined, waiter: Waiter<unknown>): void {
  const ref = timeOrderedId("sess", clock.nowMs);
  const charge = { accountId: accountOf(call), mode: "live", ref, endpoint: "predict", atMs: clock.nowMs, shareBps: 7_000, verdict, idempotency: undefined } as const;
  answerOnce({ charge, body, idempotencyKey, input: () => input }, waiter);
}

function offer(call: number, waiter: Waiter<unknown>): void {
  const number = String(call % 1_000).padStart(6, "0");
  const made: NewOffer = {
    id: timeOrderedId("ad", clock.nowMs),
    accountId: accountOf(call),
    mode: "live",
    campaignId: `camp_${number}`,
    creativeId: `crea_${number}`,
    format: "banner",
    placement: "feed",
    category: "gaming",
    trustBand: "unverified",
    priceMicroUsd: 97_143,
    shareBps: 7_000,
    developerMicroUsd: 68_000,
    atMs: clock.nowMs,
    expiresMs: clock.nowMs + 7_200_000,
    sessionId: null,
  };
  offers.make(made, waiter);
}

let keys = 0;
const kinds: Record<string, (call: number, waiter: Waiter<unknown>) => void> = {
  call: (call, waiter) => bill(call, undefined, waiter),
  "call, unique Idempotency-Key": (call, waiter) => bill(call, `key-${++keys}`, waiter),
  offer,
};

/** Callers that are answered call again in the next turn of the event loop, like those of a server. */
function run(start: (call: number, waiter: Waiter<unknown>) => void, count: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let [started, ended, ready] = [0, 0, 0];
  const waiter = {
    settle() {
      ended += 1;
      ready += 1;
      if (ended === count) resolve();
      else if (ready === 1) setImmediate(startReady);
    },
    fail: reject,
  };
  function startReady(): void {
    clock.nowMs = Date.now();
    for (; ready > 0 && started < count; ready -= 1) start(started++, waiter);
    ready = 0;
  }
  ready = callers;
  startReady();
  return promise;
}

const measured = new Map(Object.keys(kinds).map((name) => [name, { mainUs: [] as number[], otherUs: [] as number[] }]));
for (const start of Object.values(kinds)) await run(start, Math.ceil(calls / 4));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, start] of Object.entries(kinds)) {
    const before = readThreadTimes(process.pid);
    await run(start, calls);
    const after = readThreadTimes(process.pid);
    const mainUs = (after.mainUs - before.mainUs) / calls;
    measured.get(name)!.mainUs.push(mainUs);
    measured.get(name)!.otherUs.push((after.allUs - before.allUs) / calls - mainUs);
  }
}
await store.close();
rmSync(dataDir, { recursive: true, force: true });

console.log(`${"".padEnd(30)}main µs  other µs`);
for (const [name, { mainUs, otherUs }] of measured) {
  console.log(`${name.padEnd(30)}${median(mainUs).toFixed(1).padStart(7)}${median(otherUs).toFixed(1).padStart(10)}`);
}
