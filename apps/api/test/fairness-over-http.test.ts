import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "./both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "./make-account.ts";
import { makeKey } from "../src/access/keys/key-format.ts";
import { predict, send } from "./send.ts";
import type { TestService } from "./start-service.ts";

/** Concurrent calls of a flood. */
const atOnce = 40;
const otherCalls = 4;

/** Sends `atOnce` concurrent requests over and over until it is stopped; then returns the number of answers per status. */
function flood(ask: (index: number) => Promise<{ status: number }>) {
  const state = { isOver: false };
  const statuses: Record<number, number> = {};
  const begun = Promise.withResolvers<void>();
  const sending = Promise.all(
    Array.from({ length: atOnce }, async (_, client) => {
      for (let round = 0; !state.isOver; round += 1) {
        const { status } = await ask(client + round * atOnce).catch(() => ({ status: 0 }));
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (round === 1) begun.resolve();
      }
    }),
  );
  return {
    begun: begun.promise,
    async stop() {
      state.isOver = true;
      await sending;
      return statuses;
    },
  };
}

describeBothStores("while one account floods the service", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let flooding: TestAccount;
  before(async () => {
    database = await open();
    service = await database.serve();
    flooding = await makeAccount(database.store, { tier: vastTier });
  });

  const readAsFlooding = (path: string) => send(service, path, { headers: { "x-api-key": flooding.liveKey } });
  const floods = {
    "billable calls": () => predict(service, flooding.liveKey),
    "calls that its limits refuse": () => predict(service, flooding.testKey),
    "keys that do not exist": () => predict(service, makeKey("live")),
    "requests for ads": () => predict(service, flooding.liveKey, { path: "/api/ads/request", body: {} }),
    reports: (index: number) =>
      index % 2 === 0 ? readAsFlooding("/api/usage") : predict(service, flooding.liveKey, { path: "/api/servicescore/analyze", body: {} }),
  };
  for (const [what, ask] of Object.entries(floods)) {
    it(`with ${what}, calls, reports and new keys of another account are all answered with 200`, async (t) => {
      const running = flood(ask);
      await running.begun;
      const answers: number[] = [];
      for (let call = 0; call < otherCalls; call += 1) {
        // A new account each time, so that its key has to be looked up.
        const { liveKey } = await makeAccount(database.store);
        const headers = { "x-api-key": liveKey };
        answers.push((await predict(service, liveKey)).status, (await predict(service, liveKey)).status, (await send(service, "/api/usage", { headers })).status);
      }
      const statuses = await running.stop();
      t.diagnostic(`${what}: ${JSON.stringify(statuses)}`);
      assert.deepEqual(answers, Array<number>(3 * otherCalls).fill(200));
      assert.equal(statuses[0] ?? 0, 0, "no connection was cut");
      assert.equal(statuses[500] ?? 0, 0);
      assert(Object.values(statuses).reduce((sum, count) => sum + count, 0) >= 2 * atOnce, "it was a flood");
    });
  }
});
