/** A process of its own: every app of the process says which routes it has. */
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { operatorSamples, methodOf, pathOf, type SampleIds } from "../../../test/access/route-samples.ts";
import { describeBothStores } from "../../../test/both-stores.ts";
import { collectRoutes } from "../../../test/faults/fuzz/run-fuzz.ts";
import { openApp, type OpenedApp } from "../../../test/open-app.ts";
import { goodPassword, makeSignInAccount } from "../../../test/people/browser.ts";
import { type InjectedBrowser, injectSignIn } from "../../../test/people/inject-browser.ts";
import { moneyWrites, otherWrites } from "./money-writes.ts";

describeBothStores("the writes of the operator's console", (open) => {
  const routes = collectRoutes();
  let opened: OpenedApp;
  let browser: InjectedBrowser;
  let person: { email: string; password: string };

  before(async () => {
    const { dataDir, databaseUrl } = await open();
    opened = await openApp(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }, { dataDir });
    person = await makeSignInAccount(opened.deps.store, { operator: true });
    browser = await injectSignIn(opened, { email: person.email, password: person.password });
  });
  after(() => opened.close());

  // The apps of both halves have the same ones.
  const writes = () => [...new Set(routes.map(({ method, url }) => `${method} ${url}`))].filter((route) => /^(?!GET|HEAD|OPTIONS)\w+ \/dashboard\/api\/operator\//.test(route));

  it("are each declared to move money or not to, and no other is declared", () => {
    assert.deepEqual(writes().toSorted(), [...moneyWrites, ...otherWrites].toSorted());
    assert.deepEqual([...moneyWrites].filter((route) => otherWrites.has(route)), []);
  });

  it("are refused without a confirmed session if they move money, and only then; nothing happens [threat: stolen-operator-session]", async () => {
    const nowhere = { siteId: "x", ...Object.fromEntries(["accountId", "otherAccountId", "earlierAccountId", "payoutId", "otherPayoutId", "findingId", "acceptableId", "tierRequestId", "advertiserId", "campaignId", "creativeId", "offerId"].map((name) => [name, `${name}_none`])) };
    const hook = { endpointId: "whe_none", eventId: "evt_none" };
    const samples = operatorSamples({ ...nowhere, pendingDay: "2026-01-01", webhook: hook, operatorWebhook: hook } as unknown as SampleIds);
    const audited = async () => (await opened.deps.store.db.selectFrom("audit_log").select("id").where("action", "not in", ["account.step_up"]).execute()).length;
    const asked = async (from: InjectedBrowser) => {
      const found = new Set<string>();
      for (const route of writes()) {
        const sample = samples[route]!;
        const answer = await from.request(methodOf(route), pathOf(route, sample), { body: sample.body, headers: sample.headers ?? {} });
        assert.notEqual(answer.statusCode, 401, route);
        if (answer.statusCode === 403 && answer.json<{ error: string }>().error === "step_up_required") found.add(route);
      }
      return found;
    };
    const earlier = await audited();
    for (const route of moneyWrites) {
      const sample = samples[route]!;
      const answer = await browser.request(methodOf(route), pathOf(route, sample), { body: sample.body });
      assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [403, "step_up_required"], route);
    }
    assert.equal(await audited(), earlier, "a refused request changes nothing");
    assert.deepEqual(await asked(browser), moneyWrites);
    assert.equal((await browser.request("POST", "/dashboard/api/auth/step-up", { body: { password: goodPassword } })).statusCode, 200);
    assert.deepEqual(await asked(browser), new Set());
  });
});
