import type { BrowserContext, Page, Request } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestService } from "../../api/test/start-service.ts";
import { skipWithoutBrowser } from "./testing/open-browser.ts";
import { type Dashboard, openDashboard } from "./testing/open-dashboard.ts";

describe("the reference in a browser", skipWithoutBrowser, () => {
  let dashboard: Dashboard;
  let service: TestService;
  let testKey: string;
  let liveKey: string;

  before(async () => {
    dashboard = await openDashboard();
    ({ service } = dashboard);
    testKey = /assay_test_[0-9A-Za-z]+/.exec(service.logs())![0];
    liveKey = /assay_live_[0-9A-Za-z]+/.exec(service.logs())![0];
  });
  after(() => dashboard?.close());

  /** Opens the page, and fails if it reports an error, breaks its policy or asks another host. */
  async function withPage(use: (page: Page, context: BrowserContext) => Promise<void>, { hash = "", ...options }: { hash?: string; javaScriptEnabled?: boolean; width?: number } = {}): Promise<void> {
    const { width = 1_440, ...others } = options;
    const { context, page, problems } = await dashboard.visit({ viewport: { width, height: 900 }, reducedMotion: "reduce", ...others });
    await page.goto(`${service.url}/docs${hash}`);
    await use(page, context);
    assert.deepEqual(problems, []);
    await context.close();
  }

  const sendForm = async (page: Page, id: string) => {
    const form = page.locator(`#${id} details.send`);
    if (!(await form.evaluate((element) => (element as HTMLDetailsElement).open))) await form.locator("summary").click();
    return form;
  };

  it("does not scroll sideways on the narrowest phones", async () => {
    await withPage(async (page) => {
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
      const wide = await page.evaluate(() => [...document.querySelectorAll("main *")].filter((each) => each.getBoundingClientRect().right > innerWidth && !each.closest("pre, .tabs")).map((each) => each.outerHTML.slice(0, 90)));
      assert.deepEqual(wide, []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    }, { width: 320 });
  });

  it("shows every link's target", async () => {
    await withPage(async (page) => {
      const lost = await page.evaluate(() => [...document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')].filter(({ hash }) => !document.getElementById(decodeURIComponent(hash.slice(1)))).map(({ hash }) => hash));
      assert.deepEqual(lost, []);
      for (const [id, isIn] of [["predict", "article"], ["rate_limit_exceeded", "tr"], ["payout.paid.data.month", "li"], ["analyze.200.contributions.points", "li"]] as const) {
        await page.goto(`${service.url}/docs#${id}`);
        await page.locator(`${isIn}[id="${id}"]`).waitFor({ state: "visible" });
        await page.waitForFunction((name) => {
          const { top } = document.getElementById(name)!.getBoundingClientRect();
          return top >= -2 && top < innerHeight / 2;
        }, id);
      }
    });
  });

  it("can be read without JavaScript: the language is chosen, and what needs a script is not there", async () => {
    await withPage(async (page) => {
      const isShown = (selector: string) => page.locator(selector).first().isVisible();
      assert.deepEqual(await Promise.all(["#predict .sample.curl", "#predict .sample.python", "#search", "#key", "details.send", ".copy", ".tabs"].map(isShown)), [true, false, false, false, false, false, false]);
      await page.getByText("Python", { exact: true }).first().click();
      assert.deepEqual(await Promise.all(["#predict .sample.curl", "#predict .sample.python", "#logKey .sample.curl"].map(isShown)), [false, true, true]);
      assert.match((await page.locator("#predict .sample.python").textContent()) ?? "", /base_url="https:\/\/assay\.example\.com"/);
      await page.locator('[id="payout.paid"] summary').click();
      assert.ok(await isShown('[id="payout.paid.data.month"]'));
    }, { javaScriptEnabled: false });
  });

  it("keeps the chosen language, and fills the address and the key into every sample", async () => {
    await withPage(async (page) => {
      await page.locator('#score button[data-language="go"]').click();
      assert.ok(await page.locator("#predict .sample.go").isVisible());
      await page.locator("#key").fill(testKey);
      const texts = await page.locator(".sample").allTextContents();
      assert.deepEqual(texts.filter((text) => /ASSAY_API_KEY|assay\.example\.com/.test(text)), []);
      assert.ok(texts.filter((text) => text.includes(testKey)).length > 60);
      assert.match((await page.locator("#predict .sample.go").textContent()) ?? "", new RegExp(`assay\\.New\\("${testKey}", "${service.url}"\\)`));
      await page.reload();
      assert.ok(await page.locator("#predict .sample.go").isVisible());
      assert.equal(await page.locator("#key").inputValue(), testKey);
      await page.locator("#key").fill("not a key");
      assert.match((await page.locator("#predict .sample.go").textContent()) ?? "", /os\.Getenv\("ASSAY_API_KEY"\)/);
    });
  });

  it("sends a request with a test key, and shows status, body, headers and time", async () => {
    await withPage(async (page) => {
      await page.locator("#key").fill(testKey);
      const form = await sendForm(page, "predict");
      await form.getByLabel("Assay-Test-Scenario").selectOption("low");
      await form.getByRole("button", { name: "Send" }).click();
      await form.locator(".answered").waitFor();
      assert.match((await form.locator(".answered").textContent()) ?? "", /^200 OK in \d+ ms$/);
      assert.match((await form.getByRole("region", { name: "Body" }).textContent()) ?? "", /"trust_level": "low"/);
      assert.match((await form.getByRole("region", { name: "Headers" }).textContent()) ?? "", /^x-request-id: req_/m);
      const session = /"session_id": "(\w+)"/.exec((await form.getByRole("region", { name: "Body" }).textContent()) ?? "")![1]!;
      const read = await sendForm(page, "session");
      await read.getByLabel("session_id").fill(session);
      await read.getByRole("button", { name: "Send" }).click();
      assert.match((await read.getByRole("region", { name: "Body" }).textContent()) ?? "", new RegExp(session));
    });
  });

  it("sends the body as the reader has changed it, and what needs no key without one", async () => {
    const { context, page } = await dashboard.visit();
    await page.goto(`${service.url}/docs`);
    await page.locator("#key").fill(testKey);
    const form = await sendForm(page, "predict");
    await form.getByLabel("Body").fill('{"session_data":{"user_engagement":7,"session_duration":1}}');
    await form.getByRole("button", { name: "Send" }).click();
    assert.match((await form.getByRole("region", { name: "Body" }).textContent()) ?? "", /"invalid_request"[^]*user_engagement/);
    const status = await sendForm(page, "status");
    const [request] = await Promise.all([page.waitForRequest(/\/api\/status$/), status.getByRole("button", { name: "Send" }).click()]);
    assert.equal(request.headers()["x-api-key"], undefined);
    await status.locator(".answered").waitFor();
    await context.close();
  });

  it("refuses to send a live key, and forgets it", async () => {
    await withPage(async (page) => {
      const requests: Request[] = [];
      page.on("request", (request) => requests.push(request));
      await page.locator("#key").fill(liveKey);
      assert.ok((await page.locator("#predict .sample.curl").textContent())?.includes(liveKey));
      for (const id of ["predict", "usage"]) {
        const form = await sendForm(page, id);
        await form.getByRole("button", { name: "Send" }).click();
        assert.match((await form.locator(".refused").textContent()) ?? "", /This is a live key, and nothing was sent/);
      }
      assert.deepEqual(requests.map((request) => request.url()).filter((url) => url.includes("/api/")), []);
      assert.deepEqual(requests.filter((request) => JSON.stringify([request.url(), request.headers(), request.postData()]).includes(liveKey)), []);
      await page.reload();
      assert.equal(await page.locator("#key").inputValue(), "");
      assert.ok(!(await page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.values(storage as unknown as object)).join())).includes(liveKey));
    });
  });

  it("lets the key leave the page by Send alone, and only in its header", async () => {
    await withPage(async (page, context) => {
      const carrying: string[] = [];
      context.on("request", (request) => {
        const { "x-api-key": header, ...others } = request.headers();
        if (JSON.stringify([request.url(), request.postData(), others]).includes(testKey)) carrying.push(`${request.url()} outside of the header`);
        if (header !== undefined) carrying.push(new URL(request.url()).pathname);
      });
      await page.locator("#key").fill(testKey);
      await page.locator("#search").fill("scroll");
      await page.keyboard.press("Enter");
      await page.locator('#predict button[data-language="python"]').click();
      await page.reload();
      await page.locator("#key").press("Enter");
      assert.deepEqual(carrying, []);
      assert.ok(!page.url().includes(testKey));
      const form = await sendForm(page, "usage");
      await form.getByRole("button", { name: "Send" }).click();
      await form.locator(".answered").waitFor();
      assert.deepEqual(carrying, ["/api/usage"]);
      assert.equal(await page.evaluate(() => localStorage.getItem("assay-reference-key")), null);
    });
  });

  it("finds fields, errors, headers, events and calls, from the keyboard", async () => {
    await withPage(async (page) => {
      const first = async (query: string) => {
        await page.locator("#search").fill(query);
        return page.locator("#search-found a").first().getAttribute("href");
      };
      await page.keyboard.press("/");
      assert.equal(await page.evaluate(() => document.activeElement?.id), "search");
      assert.equal(await first("scroll_depth"), "#predict.body.session_data.scroll_depth");
      assert.equal(await first("idempotency_conflict"), "#idempotency_conflict");
      assert.equal(await first("payout.paid"), "#payout.paid");
      assert.equal(await first("Assay-Receipt"), "#predict.answer.Assay-Receipt");
      assert.equal(await first("limits"), "#limits");
      assert.equal(await first("analyze contributions points"), "#analyze.200.contributions.points");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/#analyze\.200\.contributions\.points$/);
      await page.locator('[id="analyze.200.contributions.points"]').waitFor({ state: "visible" });
      assert.ok(await page.locator("#search-found").isHidden());
      await page.locator("#search").fill("no such thing at all");
      assert.equal(await page.locator("#search-found").textContent(), "Nothing was found.");
      await page.keyboard.press("Escape");
      assert.ok(await page.locator("#search-found").isHidden());
    });
  });

  it("has a menu on phones, which folds when a place is chosen", async () => {
    await withPage(async (page) => {
      assert.ok(await page.locator("nav.menu").isHidden());
      await page.getByText("Contents", { exact: true }).click();
      await page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Ask for an ad" }).click();
      await page.waitForURL(/#requestAd$/);
      assert.ok(await page.getByRole("navigation", { name: "Contents" }).isHidden());
      await page.locator("#requestAd h3").waitFor({ state: "visible" });
    }, { width: 375 });
  });
});
