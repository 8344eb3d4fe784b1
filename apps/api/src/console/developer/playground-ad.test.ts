import { adFormats, adPlacements, type AdReply } from "@assay/contract/ads.ts";
import type { PlaygroundReply } from "@assay/contract/dashboard/playground.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { makeSignInAccount, openBrowser, signIn } from "../../../test/people/browser.ts";
import { readLedger } from "../../../test/read-ledger.ts";
import { imageSizes } from "../../ads/campaigns/image-formats.ts";

const path = "/dashboard/api/playground/ad";

describeBothStores("an ad in the playground", (open) => {
  it("is a real ad for every format and placement, in the placement's size, and pays nothing", async () => {
    const { store, serve } = await open();
    const service = await serve();
    const person = await makeSignInAccount(store);
    const browser = await signIn(service, person);
    const ask = async (body: object) => (await browser.post(path, body)).json() as PlaygroundReply;

    for (const format of adFormats) {
      for (const placement of adPlacements) {
        const reply = await ask({ format, placement });
        assert.equal(reply.status, 200, reply.body);
        const ad = JSON.parse(reply.body) as AdReply;
        assert.deepEqual({ width: ad.image_width, height: ad.image_height }, imageSizes[format][placement]);
        assert.equal(ad.estimated_revenue, 0);
      }
    }
    assert.equal((await readLedger(store, person.accountId)).length, 0);

    const off = await browser.request("PATCH", "/dashboard/api/settings", { house_ads: false });
    assert.equal(off.status, 200, off.text);
    const empty = await ask({ format: "banner", placement: "feed", app_category: "gaming" });
    assert.equal(empty.status, 204);
    assert.deepEqual(empty.headers.find(({ name }) => name === "assay-no-fill"), { name: "assay-no-fill", value: "no_campaign" });
  });

  it("needs a session and a valid request", async () => {
    const { store, serve } = await open();
    const service = await serve();
    assert.equal((await openBrowser(service).post(path, { format: "banner", placement: "feed" })).status, 401);
    const browser = await signIn(service, await makeSignInAccount(store));
    for (const body of [{ format: "popup", placement: "feed" }, { format: "banner" }, { format: "banner", placement: "feed", app_category: "no spaces" }]) {
      assert.equal((await browser.post(path, body)).status, 400, JSON.stringify(body));
    }
  });
});
