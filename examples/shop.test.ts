import type { Browser, BrowserContext, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { readLedger } from "../apps/api/test/read-ledger.ts";
import { waitUntil } from "../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { launchChromium, whyChromiumIsSkipped } from "../packages/collector/src/testing/chromium.ts";
import { formats, importCampaign } from "./testing/import-campaign.ts";
import { installShop, type Shop, startShop } from "./testing/start-shop.ts";

const noon = new Date("2026-01-15T12:00:00Z");
/** The service ignores clicks of browsers that identify as headless. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("the Fastify example in a browser", { skip: whyChromiumIsSkipped() }, () => {
  const dataDir = makeTestFolder();
  let service: TestService;
  let shop: Shop;
  let browser: Browser;
  let accountId: string;

  before(async () => {
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    const account = await makeAccount(store);
    ({ accountId } = account);
    await importCampaign(store);
    await store.close();
    service = await startService({ dataDir });
    shop = await startShop(await installShop(), { ASSAY_URL: service.url, ASSAY_API_KEY: account.liveKey });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await shop?.stop();
    await service?.stop();
  });

  async function openVisitor(): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ viewport: { width: 900, height: 900 }, userAgent });
    const page = await context.newPage();
    await page.clock.install({ time: noon });
    await page.clock.pauseAt(new Date(noon.getTime() + 1_000));
    await page.goto(shop.url);
    return { context, page };
  }

  const verdictOf = async (page: Page) => {
    const verdict = page.locator("#verdict");
    await waitUntil(async () => (await verdict.textContent()) !== "", "the shop shows the verdict");
    return { level: await verdict.textContent(), score: Number(await verdict.getAttribute("data-score")) };
  };

  /** Reads, scrolls, opens more pages and orders: about two minutes of a customer. */
  async function actAsPerson(page: Page): Promise<void> {
    for (let step = 0; step < 5; step += 1) {
      await page.mouse.move(300 + step * 20, 300);
      await page.mouse.wheel(0, 250);
      await page.clock.runFor(15_000);
      await page.mouse.wheel(0, -2_000);
      await page.click("#more");
      await page.clock.runFor(8_000);
    }
    await page.click("#order");
  }

  it("scores a person high and a bot low, from the collector's signals", async (t) => {
    const person = await openVisitor();
    await actAsPerson(person.page);
    const trusted = await verdictOf(person.page);
    const bot = await openVisitor();
    await bot.page.clock.runFor(2_000);
    await bot.page.evaluate(`document.querySelector("#order").click()`);
    const distrusted = await verdictOf(bot.page);
    t.diagnostic(`person ${trusted.score} (${trusted.level}), bot ${distrusted.score} (${distrusted.level})`);
    assert.deepEqual([trusted.level, distrusted.level], ["high", "low"]);
    assert.ok(trusted.score - distrusted.score > 50);
    await person.context.close();
    await bot.context.close();
  });

  it("shows an ad in each format, reports the impression and follows a click", async () => {
    const { context, page } = await openVisitor();
    const answers = new Map<string, number>();
    context.on("response", (response) => answers.set(new URL(response.url()).pathname.slice(0, 5), response.status()));
    await actAsPerson(page);
    assert.equal((await verdictOf(page)).level, "high");
    for (const format of formats) {
      const ad = page.locator(`.ad[data-format=${format}]`);
      assert.equal(await ad.locator("h2").textContent(), `Good ${format}`);
      await waitUntil(() => ad.locator("img").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0), `the ${format}'s image was loaded`);
    }
    await waitUntil(() => answers.get("/t/i/") !== undefined, "the interstitial was reported as seen");
    assert.ok(answers.get("/t/i/")! < 300, String(answers.get("/t/i/")));
    await page.locator(".ad[data-format=interstitial] a").click();
    await waitUntil(() => answers.get("/t/c/") !== undefined, "the click was followed");
    assert.equal(answers.get("/t/c/"), 302);
    await context.close();
  });

  it("scores a visit by the signals that its page sent when it was left", async () => {
    const { context, page } = await openVisitor();
    await page.click("#more");
    await page.clock.runFor(9_000);
    await page.goto("about:blank");
    const judge = () => context.request.post(`${shop.url}/judge`, { data: {} });
    await waitUntil(async () => (await judge()).status() === 200, "the report has arrived");
    const { session_id: sessionId } = (await (await judge()).json()) as { session_id: string };
    assert.match(sessionId, /^sess_/);
    await context.close();
  });

  it("continues without a verdict when Assay is unavailable", async () => {
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    const calls = (await readLedger(store, accountId)).filter(({ kind }) => kind === "call").length;
    assert.equal(calls, 5, "three orders, and two calls for the visit that was left: each billed once");
    await store.close();
    await service.stop();
    const { context, page } = await openVisitor();
    await page.click("#order");
    assert.equal((await verdictOf(page)).level, "unknown");
    await context.close();
  });
});
