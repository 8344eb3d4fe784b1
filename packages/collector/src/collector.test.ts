import type { SessionData } from "@assay/contract/measuring/session-totals.ts";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { waitUntil } from "../../../apps/api/test/send.ts";
import { launchChromium, openBareTab, whyChromiumIsSkipped } from "./testing/chromium.ts";
import { type BuiltCollector, buildCollector, type Site, startSite } from "./testing/start-site.ts";

const sizeBytesMax = 4 * 1024;
const noon = new Date("2026-01-15T12:00:00Z");

describe("the collector in Chromium", { skip: whyChromiumIsSkipped() }, () => {
  let built: BuiltCollector;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;

  before(async () => {
    built = await buildCollector();
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    await context?.close();
    // Requests still sent by an earlier test must not reach the new site.
    await site?.close();
    site = await startSite(built);
    ({ context, page } = await openVisitor());
  });

  /** A new visitor, with a clock that the test advances. */
  async function openVisitor(): Promise<{ context: BrowserContext; page: Page }> {
    const visitor = await browser.newContext({ viewport: { width: 800, height: 600 } });
    const first = await visitor.newPage();
    await first.clock.install({ time: noon });
    await first.clock.pauseAt(new Date(noon.getTime() + 1_000));
    return { context: visitor, page: first };
  }

  const pass = (seconds: number) => page.clock.runFor(seconds * 1_000);
  const read = (from: Page = page) => from.evaluate(() => (window as unknown as { assayCollector: { read(): SessionData } }).assayCollector.read());
  const scrollToShare = async (share: number) => {
    await page.mouse.move(400, 300);
    const range = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    await page.mouse.wheel(0, Math.round(range * share));
    await waitUntil(async () => ((await read()).scroll_depth ?? 0) >= share - 0.01, "the page has been scrolled");
  };

  it("is at most 4 KB gzipped, as a script and as a module", (t) => {
    for (const [name, text] of Object.entries(built)) {
      const bytes = gzipSync(text).length;
      t.diagnostic(`${name}: ${bytes} bytes gzipped`);
      assert.ok(bytes > 500 && bytes <= sizeBytesMax);
    }
    assert.doesNotMatch(built.module, /\bimport\b|\bfrom\s*"/);
  });

  it("reports no engagement for a page without activity", async () => {
    await page.goto(`${site.url}/long`);
    await pass(120);
    assert.deepEqual(await read(), { user_engagement: 0, session_duration: 120, scroll_depth: 0, interaction_count: 0, page_views: 1, return_visitor: false });
  });

  it("counts pauses up to 30 seconds as active and the rest of the time as idle", async () => {
    await page.goto(`${site.url}/long`);
    await pass(10);
    await page.mouse.move(100, 100);
    await page.mouse.move(120, 100);
    await pass(90);
    await page.keyboard.press("a");
    await pass(20);
    const { user_engagement, session_duration } = await read();
    assert.equal(session_duration, 120);
    assert.equal(user_engagement, 0.5);
  });

  it("ignores synthetic events", async () => {
    await page.goto(`${site.url}/long`);
    await page.evaluate(() => {
      const button = document.querySelector<HTMLElement>("#go")!;
      button.click();
      for (const name of ["pointerdown", "pointermove", "keydown", "click"]) button.dispatchEvent(new Event(name, { bubbles: true }));
    });
    await pass(10);
    const { user_engagement, interaction_count } = await read();
    assert.deepEqual([user_engagement, interaction_count], [0, 0]);
  });

  it("counts clicks and taps, typing as one interaction, and a label with its checkbox once", async () => {
    await page.goto(`${site.url}/long`);
    await page.click("#go");
    await page.click("#label");
    assert.equal((await read()).interaction_count, 2);
    await page.click("#text");
    await page.keyboard.type("hello");
    assert.equal((await read()).interaction_count, 4);
    await pass(5);
    await page.keyboard.press("Shift");
    assert.equal((await read()).interaction_count, 4);
    await page.focus("#go");
    await page.keyboard.press("Enter");
    assert.equal((await read()).interaction_count, 5, "the key press counts, the click that it causes does not");
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, 300);
    assert.equal((await read()).interaction_count, 5);
  });

  it("keeps the furthest scroll position, and leaves it out where nothing scrolls", async () => {
    await page.goto(`${site.url}/long`);
    await scrollToShare(0.5);
    await page.mouse.wheel(0, -10_000);
    await waitUntil(() => page.evaluate(() => scrollY === 0), "the page is at its top again");
    assert.ok(Math.abs(((await read()).scroll_depth ?? 0) - 0.5) < 0.01);
    await scrollToShare(1);
    assert.equal((await read()).scroll_depth, 1);
    const other = await openVisitor();
    await other.page.goto(`${site.url}/short`);
    assert.equal((await read(other.page)).scroll_depth, undefined);
    await other.page.goto(`${site.url}/pane`);
    await other.page.mouse.move(300, 300);
    await other.page.mouse.wheel(0, 2_000);
    await waitUntil(async () => ((await read(other.page)).scroll_depth ?? 0) > 0.3, "a pane that fills the page counts");
    await other.context.close();
  });

  it("continues over the pages of a session, and sends once at the end of each page, in order", async () => {
    await page.goto(`${site.url}/long`);
    await pass(10);
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    await pass(20);
    const now = await read();
    assert.deepEqual([now.page_views, now.interaction_count, now.session_duration, now.user_engagement], [2, 1, 30, 1]);
    await page.close();
    await waitUntil(() => site.sent.length === 2, "both pages have reported");
    assert.deepEqual(site.sent.map(({ sequence, session_data: { page_views, session_duration } }) => [sequence, page_views, session_duration]), [[1, 1, 10], [2, 2, 30]]);
  });

  it("continues the session when a page is restored from the back-forward cache", async () => {
    await page.goto(`${site.url}/long`);
    await page.evaluate(() => Object.assign(window, { isTheSame: true }));
    await pass(5);
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    await pass(5);
    // The page is restored, not loaded, so there is no load event to wait for.
    await page.goBack({ waitUntil: "commit" });
    assert.equal(await page.evaluate(() => (window as { isTheSame?: boolean }).isTheSame), true, "the page was restored from the cache");
    await waitUntil(async () => (await read()).page_views === 3, "the restored page counts as a view");
    assert.equal((await read()).interaction_count, 1);
  });

  for (const hasNavigation of [true, false]) {
    it(`counts the views of a single-page app ${hasNavigation ? "with the Navigation API" : "without the Navigation API"}`, async () => {
      if (!hasNavigation) await page.addInitScript(() => Object.defineProperty(window, "navigation", { value: undefined }));
      await page.goto(`${site.url}/spa`);
      const views = async () => (await read()).page_views;
      assert.equal(await views(), 1);
      await page.click("#push");
      assert.equal(await views(), 2);
      await page.click("#push");
      assert.equal(await views(), 3);
      await page.click("#hash");
      assert.equal(await views(), 4, "a hash route is a page");
      await page.click("#anchor");
      // Leaving the hash route is a new page; a jump to an anchor is not.
      assert.equal(await views(), 5);
      await page.evaluate(() => (location.hash = "#elsewhere"));
      assert.equal(await views(), 5);
      await page.goBack();
      await page.goBack();
      await waitUntil(async () => (await views()) === 6, "going back to a route is a view");
      if (!hasNavigation) return;
      await page.click("#replace");
      assert.equal(await views(), 6, "a replaced address is the same view");
    });
  }

  it("recognizes a returning visitor by a counter and nothing else", async () => {
    await page.goto(`${site.url}/long`);
    assert.equal((await read()).return_visitor, false);
    await page.goto(`${site.url}/second`);
    assert.equal((await read()).return_visitor, false, "the same session");
    assert.equal(await page.evaluate(() => JSON.stringify(Object.entries(localStorage))), '[["assay","1"]]');
    const again = await context.newPage();
    await again.goto(`${site.url}/long`);
    assert.equal((await read(again)).return_visitor, true);
    assert.equal(await again.evaluate(() => document.cookie), "");
  });

  for (const [name, value] of [["globalPrivacyControl", true], ["doNotTrack", "1"]] as const) {
    it(`neither reports nor stores whether the visitor returns under ${name}`, async () => {
      await page.goto(`${site.url}/long`);
      const asking = await context.newPage();
      await asking.addInitScript(([property, wish]) => Object.defineProperty(navigator, property, { value: wish }), [name, value] as const);
      await asking.goto(`${site.url}/long`);
      assert.equal("return_visitor" in (await read(asking)), false);
      assert.equal(await asking.evaluate(() => localStorage.length), 0);
    });
  }

  it("works without storage", async () => {
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new Error("refused");
          },
        });
      }
    });
    await page.goto(`${site.url}/short`);
    await page.click("#go");
    assert.deepEqual([(await read()).interaction_count, "return_visitor" in (await read())], [1, false]);
  });

  it("sends the session and starts a new one after half an hour without activity", async () => {
    await page.goto(`${site.url}/long`);
    await page.click("#go");
    await pass(3 * 3_600);
    await page.click("#go");
    const now = await read();
    assert.deepEqual([now.session_duration, now.interaction_count, now.page_views, now.return_visitor], [0, 1, 1, true]);
    await waitUntil(() => site.sent.length === 1, "the old session was sent");
    assert.deepEqual([site.sent[0]?.session_data.session_duration, site.sent[0]?.session_data.interaction_count], [1_800, 1]);
  });

  it("counts no time while hidden, and sends unchanged totals only once", async () => {
    const clock = "let now = 1800000000000; Date.now = () => now; window.pass = (seconds) => { now += seconds * 1000; };";
    const tab = await openBareTab(`${site.url}/short`, clock);
    try {
      await tab.click(20, 20);
      await tab.evaluate("pass(10)");
      await tab.cover();
      await waitUntil(() => site.sent.length === 1, "hiding the page sends the signals");
      await tab.evaluate("pass(600)");
      await tab.uncover();
      await tab.cover();
      await tab.uncover();
      await tab.evaluate("pass(5)");
      const { session_duration, user_engagement, page_views } = (await tab.evaluate("assayCollector.read()")) as SessionData;
      assert.deepEqual([session_duration, user_engagement, page_views], [15, 1, 1]);
      await tab.cover();
      await waitUntil(() => site.sent.length === 2, "the changed signals were sent");
      assert.deepEqual(site.sent.map(({ sequence, session_data }) => [sequence, session_data.session_duration]), [[1, 10], [2, 15]]);
      await tab.evaluate("pass(3600)");
      await tab.uncover();
      const later = (await tab.evaluate("assayCollector.read()")) as SessionData;
      assert.deepEqual([later.session_duration, later.page_views, later.interaction_count], [0, 1, 0], "after an hour it is a new session");
    } finally {
      await tab.close();
    }
  });
});
