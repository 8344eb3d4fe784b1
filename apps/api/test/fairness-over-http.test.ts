import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "./both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "./make-account.ts";
import { makeKey } from "../src/access/keys/key-format.ts";
import { predict, send } from "./send.ts";
import type { TestService } from "./start-service.ts";

/** Calls that are under way at any moment of a flood. */
const atOnce = 40;
const quietCalls = 4;

/** Sends over and over from `atOnce` places until it is stopped; tells how often each status came. */
function flood(ask: (index: number) => Promise<{ status: number }>) {
  const state = { isOver: false };
  const statuses: Record<number, number> = {};
  const begun = Promise.withResolvers<void>();
  const sending = Promise.all(
    Array.from({ length: atOnce }, async (_, place) => {
      for (let round = 0; !state.isOver; round += 1) {
        const { status } = await ask(place + round * atOnce).catch(() => ({ status: 0 }));
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
  let loud: TestAccount;
  before(async () => {
    database = await open();
    service = await database.serve();
    loud = await makeAccount(database.store, { tier: vastTier });
  });

  const asLoud = (path: string) => send(service, path, { headers: { "x-api-key": loud.liveKey } });
  const floods = {
    "billable calls": () => predict(service, loud.liveKey),
    "calls that its limits refuse": () => predict(service, loud.testKey),
    "keys that nobody has issued": () => predict(service, makeKey("live")),
    "requests for ads": () => predict(service, loud.liveKey, { path: "/api/ads/request", body: {} }),
    reports: (index: number) =>
      index % 2 === 0 ? asLoud("/api/usage") : predict(service, loud.liveKey, { path: "/api/servicescore/analyze", body: {} }),
  };
  for (const [what, ask] of Object.entries(floods)) {
    it(`with ${what}, a quiet account's calls, reports and new keys are all answered with 200`, async (t) => {
      const running = flood(ask);
      await running.begun;
      const answers: number[] = [];
      for (let call = 0; call < quietCalls; call += 1) {
        // A new account each time: its key has to be looked up, too.
        const { liveKey } = await makeAccount(database.store);
        const headers = { "x-api-key": liveKey };
        answers.push((await predict(service, liveKey)).status, (await predict(service, liveKey)).status, (await send(service, "/api/usage", { headers })).status);
      }
      const statuses = await running.stop();
      t.diagnostic(`${what}: ${JSON.stringify(statuses)}`);
      assert.deepEqual(answers, Array<number>(3 * quietCalls).fill(200));
      assert.equal(statuses[0] ?? 0, 0, "nobody was cut off");
      assert.equal(statuses[500] ?? 0, 0);
      assert(Object.values(statuses).reduce((sum, count) => sum + count, 0) >= 2 * atOnce, "it was a flood");
    });
  }
});
