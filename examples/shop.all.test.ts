import type { Browser, BrowserContext, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { readLedger } from "../apps/api/test/read-ledger.ts";
import { waitUntil } from "../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { attestSession, makeSite } from "../packages/sdk/src/testing/attest-session.ts";
import { attestedFromMs } from "@assay/contract/attestation.ts";
import { findFreePort } from "../scripts/testing/open-terminal.ts";
import { launchChromium, whyChromiumIsSkipped } from "../packages/collector/src/testing/chromium.ts";
import { formats, importCampaign } from "./testing/import-campaign.ts";
import { installShop, type Shop, startShop } from "./testing/start-shop.ts";

const noon = new Date("2026-01-15T12:00:00Z");
/** The service ignores clicks from browsers that identify as headless. */
const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

describe("the Fastify example in a browser", { skip: whyChromiumIsSkipped() }, () => {
  const dataDir = makeTestFolder();
  let service: TestService;
  let shop: Shop;
  /** The same shop, whose visits Assay measures. */
  let attestingShop: Shop;
  let siteId: string;
  let browser: Browser;
  let accountId: string;

  before(async () => {
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    const account = await makeAccount(store);
    ({ accountId } = account);
    const port = String(await findFreePort());
    siteId = await makeSite(store, { accountId, origins: [`http://127.0.0.1:${port}`] });
    await importCampaign(store);
    await store.close();
    service = await startService({ dataDir });
    const folder = await installShop();
    const settings = { ASSAY_URL: service.url, ASSAY_API_KEY: account.liveKey };
    shop = await startShop(folder, settings);
    attestingShop = await startShop(folder, { ...settings, ASSAY_SITE: siteId, PORT: port });
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await shop?.stop();
    await attestingShop?.stop();
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
    await waitUntil(async () => (await verdict.textContent()) !== "", "the shop has its verdict");
    return { level: await verdict.textContent(), score: Number(await verdict.getAttribute("data-score")) };
  };

  /** Reads, scrolls, looks at more, and orders, over two minutes. */
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

  it("scores a person high and a robot low, from what the collector measured", async (t) => {
    const person = await openVisitor();
    await actAsPerson(person.page);
    const trusted = await verdictOf(person.page);
    const robot = await openVisitor();
    await robot.page.clock.runFor(2_000);
    await robot.page.evaluate(`document.querySelector("#order").click()`);
    const mistrusted = await verdictOf(robot.page);
    t.diagnostic(`person ${trusted.score} (${trusted.level}), robot ${mistrusted.score} (${mistrusted.level})`);
    assert.deepEqual([trusted.level, mistrusted.level], ["high", "low"]);
    assert.ok(trusted.score - mistrusted.score > 50);
    await person.context.close();
    await robot.context.close();
  });

  it("shows an ad in each format, reports that it was seen, and leads a click on", async () => {
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

  it("judges a visit by what its page reported when it was left", async () => {
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

  it("has Assay measure a visit, where it names its site", async () => {
    const context = await browser.newContext({ viewport: { width: 900, height: 900 }, userAgent });
    const page = await context.newPage();
    const refusals: string[] = [];
    page.on("console", (message) => message.type() === "error" && refusals.push(message.text()));
    const started = page.waitForResponse(`${service.url}/c/v1/start`);
    const loaded = await page.goto(attestingShop.url);
    const policy = loaded!.headers()["content-security-policy"]!;
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /unsafe|\*|data:|blob:/);
    assert.equal((await started).status(), 201);
    // The service's clock decides, so this visit lasts as long as it says.
    await wait(attestedFromMs);
    await page.mouse.move(300, 300);
    await page.click("#more");
    const order = async () => {
      const answered = page.waitForResponse(`${attestingShop.url}/judge`);
      await page.click("#order");
      return (await (await answered).json()) as { attestation: string; attestation_issues: string[]; session_id: string };
    };
    const first = await order();
    assert.deepEqual([first.attestation, first.attestation_issues], ["server_timed", []]);
    await page.click("dialog button");
    const second = await order();
    assert.deepEqual([second.attestation, second.attestation_issues], ["asserted", ["token_used"]]);
    const verdict = page.locator("#verdict");
    await waitUntil(async () => (await verdict.getAttribute("data-issues")) === "token_used", "the page shows it");
    // Everything that the page does is allowed by its policy, favicons aside.
    assert.deepEqual(refusals.filter((text) => /Content Security Policy|CORS/.test(text) && !text.includes("favicon")), []);
    await context.close();
  });

  it("keeps the token of a visit that was left, and passes it on", async () => {
    const context = await browser.newContext({ userAgent });
    await context.request.get(attestingShop.url);
    const session_token = await attestSession(service.url, { siteId, origin: attestingShop.url });
    const session_data = { user_engagement: 0.5, session_duration: 10 };
    const report = { session_data, session_token, sequence: 2, email: "somebody" };
    assert.equal((await context.request.post(`${attestingShop.url}/signals`, { data: report })).status(), 204);
    assert.equal((await context.request.post(`${attestingShop.url}/signals`, { data: { ...report, session_token: "older", sequence: 1 } })).status(), 204);
    const judged = (await (await context.request.post(`${attestingShop.url}/judge`, { data: {} })).json()) as { attestation: string };
    assert.equal(judged.attestation, "server_timed");
    await context.close();
  });

  it("refuses what cannot be a token, and survives what only Assay can tell from one", async () => {
    const context = await browser.newContext();
    const session_data = { user_engagement: 0.5, session_duration: 10 };
    const judge = async (session_token: unknown) => (await context.request.post(`${attestingShop.url}/judge`, { data: { session_data, session_token } })).status();
    assert.equal(await judge("a".repeat(513)), 400);
    assert.equal(await judge({ nested: true }), 400);
    assert.equal(await judge("forged"), 400);
    assert.equal(await judge(""), 200);
    await context.close();
  });

  it("goes on without a verdict when Assay is away", async () => {
    const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    const calls = (await readLedger(store, accountId)).filter(({ kind }) => kind === "call").length;
    assert.equal(calls, 9, "five orders, two looks at a visit that was left, one at a token that was kept, one without any: each billed once");
    await store.close();
    await service.stop();
    const { context, page } = await openVisitor();
    await page.click("#order");
    assert.equal((await verdictOf(page)).level, "unknown");
    await context.close();
  });
});
