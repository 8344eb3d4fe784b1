import type { SiteItem, SitesReply } from "@assay/contract/dashboard/sites.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../../test/both-stores.ts";
import { inOneDay } from "../../../test/in-one-day.ts";
import { type Browser, makeSignInAccount, signIn } from "../../../test/people/browser.ts";
import type { TestService } from "../../../test/start-service.ts";
import { msPerDay, startOfDay, startOfHour } from "../../formats/time.ts";
import { suspendAccount } from "../../people/change-account.ts";

const path = "/dashboard/api/sites";

describeBothStores("the dashboard's sites", (open) => {
  let database: TestDatabase;
  let service: TestService;
  before(async () => {
    database = await open();
    service = await database.serve();
  });

  async function newDeveloper(): Promise<{ accountId: string; browser: Browser }> {
    const account = await makeSignInAccount(database.store);
    return { accountId: account.accountId, browser: await signIn(service, account) };
  }
  const read = async (browser: Browser): Promise<SitesReply> => JSON.parse((await browser.get(path)).text) as SitesReply;
  const create = async (browser: Browser, body: unknown) => {
    const answer = await browser.post(path, body);
    assert.equal(answer.status, 201, answer.text);
    return JSON.parse(answer.text) as SiteItem;
  };

  it("are created, listed with the script's address, changed and removed", async () => {
    const { browser } = await newDeveloper();
    assert.deepEqual(await read(browser), { sites: [], script_url: `${service.url}/c/v1/collector.js`, calls: { calls: 0, attested: 0 } });
    const site = await create(browser, { name: "Shop", origins: ["https://Shop.example/"] });
    assert.deepEqual((await read(browser)).sites, [site]);
    assert.deepEqual([site.name, site.origins, site.last_seen_at, site.sessions], ["Shop", ["https://shop.example"], null, 0]);
    const one = `${path}/${site.site_id}`;
    const changed = await browser.request("PATCH", one, { name: "Store", origins: ["http://localhost:3000"] });
    assert.deepEqual(JSON.parse(changed.text), { ...site, name: "Store", origins: ["http://localhost:3000"] });
    assert.equal((await browser.request("DELETE", one)).status, 200);
    for (const [method, body] of [["PATCH", { name: "x" }], ["DELETE", undefined]] as const) assert.equal((await browser.request(method, one, body)).status, 404);
    assert.deepEqual((await read(browser)).sites, []);
  });

  it("refuse what is not an origin, and say which one", async () => {
    const { browser } = await newDeveloper();
    const refused = async (body: unknown) => {
      const answer = await browser.post(path, body);
      assert.equal(answer.status, 400, answer.text);
      return String(answer.json()["message"]);
    };
    assert.match(await refused({ name: "Shop", origins: ["https://shop.example", "http://shop.example"] }), /^origins\.1 must start with https/);
    assert.match(await refused({ name: "Shop", origins: [] }), /origins/);
    assert.match(await refused({ name: " ", origins: ["https://shop.example"] }), /name/);
    assert.match(await refused({ name: "x".repeat(81), origins: ["https://shop.example"] }), /name/);
    const { site_id: siteId } = await create(browser, { name: "Shop", origins: ["https://shop.example"] });
    assert.equal((await browser.request("PATCH", `${path}/${siteId}`, {})).status, 400);
    assert.equal((await browser.request("PATCH", `${path}/${siteId}`, { origins: ["*"] })).status, 400);
  });

  it("are made with a verified address only, and can be viewed while the account is suspended", async () => {
    const unverified = await newDeveloper();
    await database.store.db.updateTable("accounts").set({ verified_at: null }).where("id", "=", unverified.accountId).execute();
    const answer = await unverified.browser.post(path, { name: "Shop", origins: ["https://shop.example"] });
    assert.deepEqual([answer.status, answer.json()["error"]], [403, "forbidden"]);
    const { accountId, browser } = await newDeveloper();
    const site = await create(browser, { name: "Shop", origins: ["https://shop.example"] });
    await suspendAccount(database.store, { accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    assert.equal((await browser.request("DELETE", `${path}/${site.site_id}`)).status, 403);
    assert.deepEqual((await read(browser)).sites, [site]);
  });

  it("stand beside the share of the last 30 days' calls that were attested", () => inOneDay(async () => {
    const [{ accountId, browser }, other] = [await newDeveloper(), await newDeveloper()];
    const nowMs = Date.now();
    const first = startOfDay(nowMs) - 29 * msPerDay;
    const rollup = (hour: number, endpoint: string, calls: number, attested: number, of = accountId) => ({
      account_id: of,
      hour,
      endpoint,
      payer: "platform" as const,
      share_bps: 6_800,
      calls,
      gross_micro: 50_000 * calls,
      developer_micro: 34_000 * calls,
      platform_micro: 16_000 * calls,
      attested_calls: attested,
    });
    const rows = [rollup(first - 1, "predict", 1_000, 1_000), rollup(first, "score", 20, 10), rollup(startOfHour(nowMs), "predict", 3, 2), rollup(startOfHour(nowMs), "analyze", 4, 0), rollup(startOfHour(nowMs), "click", 500, 0)];
    await database.store.db.insertInto("usage_rollups").values([...rows, rollup(first, "predict", 7, 7, other.accountId)]).execute();
    assert.deepEqual((await read(browser)).calls, { calls: 27, attested: 12 });
    assert.deepEqual((await read(other.browser)).calls, { calls: 7, attested: 7 });
  }));
});
