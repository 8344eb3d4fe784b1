// The components with React and React Native for the web, which has the same views, touches, lists and AppState.
import { type Browser, type BrowserContext, devices, type Page } from "@playwright/test";
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { build } from "tsdown";
import { waitUntil } from "../../../apps/api/test/send.ts";
import { makeTestFolder } from "../../../apps/api/test/start-service.ts";
import { launchChromium, whyChromiumIsSkipped } from "../../collector/src/testing/chromium.ts";

type Signals = { user_engagement: number; session_duration: number; scroll_depth?: number; interaction_count: number; page_views: number; return_visitor?: boolean };

function whySkipped(): string | false {
  try {
    createRequire(import.meta.url).resolve("react-native-web");
    return whyChromiumIsSkipped();
  } catch {
    return "react-native-web is not installed";
  }
}

async function buildApp(): Promise<string> {
  const folder = makeTestFolder();
  await build({
    config: false,
    cwd: join(import.meta.dirname, ".."),
    entry: { app: "src/testing/app.js" },
    outDir: folder,
    format: "iife",
    platform: "browser",
    dts: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"development"' },
    alias: { "react-native": "react-native-web" },
    deps: { alwaysBundle: [/./] },
  });
  return readFileSync(join(folder, "app.iife.js"), "utf8");
}

describe("an app in Chromium", { skip: whySkipped() }, () => {
  let server: Server;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let sent: { session_data: Signals; sequence: number }[];
  let complaints: string[];
  /** Part of the address of this test's pages: a page that is closed reports, and its report may arrive during the next test. */
  let testNumber = 0;
  /** What Assay was asked, and the cookies that came with it. */
  let asked: { url: string; cookie: string | undefined }[];

  before(async () => {
    const script = await buildApp();
    server = createServer((request, response) => {
      if (request.url === "/app.js") return response.writeHead(200, { "content-type": "text/javascript" }).end(script);
      if (request.url?.startsWith("/c/v1/")) {
        asked.push({ url: request.url, cookie: request.headers.cookie });
        return response.writeHead(503).end();
      }
      if (request.url !== "/signals") return response.writeHead(200, { "content-type": "text/html" }).end('<!doctype html><title>t</title><meta name="viewport" content="width=device-width"><style>html,body,#root{height:100%;margin:0;display:flex;flex-direction:column}</style><div id="root"></div><script src="/app.js"></script>');
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        if (request.headers.referer?.startsWith(addressOf())) sent.push(JSON.parse(text) as (typeof sent)[number]);
        response.writeHead(204).end();
      });
      return response;
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });
  beforeEach(async () => {
    await context?.close();
    [sent, complaints, asked] = [[], [], []];
    testNumber += 1;
    context = await browser.newContext({ ...devices["Pixel 7"], viewport: { width: 400, height: 700 } });
    page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    await openApp();
  });

  const addressOf = (query = "") => `http://127.0.0.1:${(server.address() as AddressInfo).port}/?test=${testNumber}&${query}`;

  async function openApp(query?: string): Promise<void> {
    await page.goto(addressOf(query));
    await page.waitForSelector("[data-testid=buy]");
  }
  const read = () => page.evaluate<Signals>("window.assay.read()");
  /** What React Native for the web takes for the background. */
  const leave = () => page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true }), document.dispatchEvent(new Event('visibilitychange'))");

  it("counts taps, and what is tapped still works", async () => {
    await page.tap("[data-testid=buy]");
    await page.tap("[data-testid=buy]");
    const { interaction_count, user_engagement, page_views } = await read();
    assert.deepEqual([interaction_count, page_views, await page.evaluate("window.presses")], [2, 1, 2]);
    assert.ok(user_engagement > 0);
    assert.deepEqual(complaints, []);
  });

  it("measures how far a list is scrolled, which is 0 before, and takes a swipe for no tap", async () => {
    await waitUntil(async () => (await read()).scroll_depth === 0, "the list can be scrolled");
    const touch = await context.newCDPSession(page);
    const at = (y: number) => [{ x: 200, y }];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(500) });
    for (let y = 480; y >= 100; y -= 20) await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(y) });
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await waitUntil(async () => ((await read()).scroll_depth ?? 0) > 0, "the list was scrolled");
    const { interaction_count, user_engagement } = await read();
    assert.deepEqual([interaction_count, user_engagement > 0], [0, true]);
  });

  it("knows when a list was scrolled to its end", async () => {
    // The list grows while it is scrolled.
    const scrollOn = "document.querySelector('[data-testid=list]').scrollTop = 1e6";
    await waitUntil(async () => (await page.evaluate(scrollOn), await read()).scroll_depth === 1, "the list was scrolled");
    assert.equal((await read()).user_engagement, 0, "by a script");
  });

  it("counts a word as one interaction", async () => {
    await page.focus("[data-testid=text]");
    await page.keyboard.type("hello");
    assert.equal((await read()).interaction_count, 1);
  });

  it("reports when it goes to the background, and knows the visitor who returns", async () => {
    await page.tap("[data-testid=buy]");
    await leave();
    // React's strict mode has mounted, unmounted and mounted the provider, which is a report too, and the two may overtake each other.
    const inOrder = () => sent.toSorted((left, right) => left.sequence - right.sequence);
    await waitUntil(() => inOrder().at(-1)?.session_data.interaction_count === 1 && inOrder().at(-1)!.sequence === sent.length, "every report has arrived");
    const { return_visitor: isKnown, page_views: pages } = inOrder().at(-1)!.session_data;
    assert.deepEqual([isKnown, pages], [false, 1]);
    assert.deepEqual(inOrder().map(({ sequence }) => sequence), sent.map((_, nth) => nth + 1));
    await openApp();
    await waitUntil(async () => (await read()).return_visitor === true, "the visitor is known");
    assert.deepEqual(await page.evaluate("Object.keys(localStorage)"), ["assay.visits"]);
  });

  it("asks Assay to attest the session without the visitor's cookies", async () => {
    await context.addCookies([{ name: "visitor", value: "known", url: addressOf() }]);
    await openApp("site=site_1");
    await waitUntil(() => asked.length > 0, "Assay was asked");
    assert.deepEqual(asked.map(({ cookie }) => cookie), asked.map(() => undefined));
    assert.equal(await page.evaluate("document.cookie"), "visitor=known");
  });
});
