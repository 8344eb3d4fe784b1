/** What a real browser says about its requests decides which clicks pay. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { makeCampaign } from "../../api/test/ads/serving/make-campaign.ts";
import { makeOffers, readOffer, type TestOffer } from "../../api/test/ads/serving/make-offers.ts";
import { makeAccount } from "../../api/test/make-account.ts";
import { waitUntil } from "../../api/test/send.ts";
import { makeTestFolder, startService, type TestService, testSecretKey } from "../../api/test/start-service.ts";
import { openStore } from "../../api/src/store/open-store.ts";
import type { Store } from "../../api/src/store/store.ts";
import { openBrowser, skipWithoutBrowser } from "./testing/open-browser.ts";

describe("a publisher's page in a browser", skipWithoutBrowser, () => {
  let store: Store;
  let service: TestService;
  let offers: TestOffer[];
  /** Both the publisher's page and the advertiser's. */
  const site = createServer((_request, reply) => reply.setHeader("content-type", "text/html").end("<title>a page</title>"));
  let siteUrl: string;

  before(async () => {
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    siteUrl = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
    const dataDir = makeTestFolder();
    ({ store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} }));
    const { accountId } = await makeAccount(store);
    const campaign = await makeCampaign(store, { landingUrl: `${siteUrl}/landing` });
    service = await startService({ dataDir, env: { SECRET_KEY: testSecretKey } });
    offers = await makeOffers(store, { accountId, campaign, atMs: Date.now() - 10_000 }, 2);
  });
  after(async () => {
    await service?.stop();
    await store?.close();
    site.close();
  });

  it("pays for a link that a person follows, also into a new tab, and not for an image, a fetch or a frame", async () => {
    const browser = await openBrowser();
    // A headless browser would say so in its user agent, and not pay for that reason.
    const context = await browser.newContext({ userAgent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36" });
    const page = await context.newPage();
    const countIgnored = async () => {
      const rows = await store.db.selectFrom("ignored_click_hours").select("clicks").where("reason", "=", "not_a_navigation").execute();
      return rows.reduce((sum, { clicks }) => sum + clicks, 0);
    };
    for (const [index, target] of ["_self", "_blank"].entries()) {
      const offer = offers[index]!;
      const address = service.url + offer.clickPath;
      await page.goto(siteUrl);
      await page.setContent(`<img src="${address}"><iframe src="${address}"></iframe><a href="${address}" target="${target}">Try it</a><script>fetch("${address}", { mode: "no-cors" })</script>`);
      await waitUntil(async () => (await countIgnored()) === 3 * (index + 1), "image, frame and fetch are recorded");
      assert.equal((await readOffer(store, offer.id)).verdict, null);
      await page.getByRole("link", { name: "Try it" }).click();
      await waitUntil(async () => (await readOffer(store, offer.id)).verdict !== null, "the click is decided");
      assert.equal((await readOffer(store, offer.id)).verdict, "paid");
    }
    await browser.close();
  });
});
