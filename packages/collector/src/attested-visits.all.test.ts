// Whole visits with the real service, whose clock the test advances with the page's: what it attests is what the page measured.
import type { SessionData, StoredSession } from "@assay/contract/measuring/session-totals.ts";
import type { PredictReply } from "@assay/contract/scoring.ts";
import type { SessionReply } from "@assay/contract/sessions.ts";
import type { Browser, BrowserContext, Page, Request } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createSite } from "../../../apps/api/src/attestation/sites/manage-sites.ts";
import { makeAccount } from "../../../apps/api/test/make-account.ts";
import { openApp, type OpenedApp } from "../../../apps/api/test/open-app.ts";
import { startService } from "../../../apps/api/test/start-service.ts";
import { openStore } from "../../../apps/api/src/store/open-store.ts";
import { waitUntil } from "../../../apps/api/test/send.ts";
import type { Collector } from "./collector.ts";
import { launchChromium, openBareTab, whyChromiumIsSkipped } from "./testing/chromium.ts";
import { type BuiltCollector, buildCollector, type Site, startSite } from "./testing/start-site.ts";

type Visited = typeof globalThis & { assayCollector: Collector };
/** A token, and what the page measured up to it. */
type Measured = { token: string; signals: SessionData };

/** The service credits whole milliseconds, and never more than its own clock allows. */
const differsMax = { user_engagement: 0.05, session_duration: 1, scroll_depth: 0.01, interaction_count: 1, page_views: 1 } as const;

describe("an attested visit in Chromium", { skip: whyChromiumIsSkipped() }, () => {
  const startedMs = Date.now();
  let passedMs = 0;
  let built: BuiltCollector;
  let opened: OpenedApp;
  let base: string;
  let apiKey: string;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Requests to the service. */
  const underWay = new Set<Request>();

  before(async () => {
    built = await buildCollector();
    opened = await openApp({}, { nowMs: () => startedMs + passedMs });
    base = `${await opened.app.listen({ host: "127.0.0.1", port: 0 })}/c/v1/`;
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    await opened?.close();
  });
  beforeEach(async () => {
    await context?.close();
    await site?.close();
    // A network may begin 20 sessions a minute.
    passedMs += 60_000;
    site = await openSite();
    context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    underWay.clear();
    context.on("request", (request) => request.url().startsWith(base) && underWay.add(request));
    context.on("requestfinished", (request) => underWay.delete(request));
    context.on("requestfailed", (request) => underWay.delete(request));
    page = await context.newPage();
    // The clock is the context's: all tabs have the same time.
    await page.clock.install({ time: startedMs + passedMs });
    passedMs += 1_000;
    await page.clock.pauseAt(startedMs + passedMs);
  });

  /** A site of its own account, which has the collector on every page. */
  async function openSite(headers: Record<string, string> = {}): Promise<Site> {
    const { store, attestation } = opened.deps;
    const { accountId, liveKey } = await makeAccount(store);
    apiKey = liveKey;
    const started = await startSite(built, { headers });
    const { siteId } = await createSite(store, { accountId, actorAccountId: null, nowMs: Date.now(), name: "shop", origins: [started.url] });
    await attestation.sites.refresh();
    started.settings.tag = `<script src="/collector.js" data-site="${siteId}" data-url="${base}" data-endpoint="/signals" defer></script>`;
    return started;
  }

  /** Waits for the answers to what the pages have sent, so that no clock runs ahead of what it should measure. */
  async function settle(): Promise<void> {
    // What the page has sent is known once it answers something else.
    for (const tab of context.pages()) await tab.evaluate(() => 0);
    await waitUntil(() => underWay.size === 0, "nothing is under way");
  }

  /** In steps that are shorter than the second that the service tolerates. */
  async function pass(seconds: number): Promise<void> {
    for (let step = 0; step < seconds * 2; step += 1) {
      passedMs += 500;
      await page.clock.runFor(500);
      await settle();
    }
  }

  async function visit(path: string, tab: Page = page): Promise<void> {
    await tab.goto(site.url + path);
    // Attestation begins with the page, before the service's clock goes on.
    await page.clock.runFor(1);
    passedMs += 1;
    await settle();
  }

  const measure = (tab: Page = page): Promise<Measured> =>
    tab.evaluate(async () => {
      const { assayCollector } = globalThis as Visited;
      // A beat under way would not know the last moments.
      await assayCollector.token();
      const asked = assayCollector.token();
      const signals = assayCollector.read();
      return { token: (await asked)!, signals };
    });

  type Service = { url: string; key: string };

  async function call<Reply>(path: string, body?: object, { url, key }: Service = { url: base, key: apiKey }): Promise<{ status: number; reply: Reply }> {
    const response = await fetch(new URL(path, url), { method: body ? "POST" : "GET", headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) }, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, reply: (await response.json()) as Reply };
  }

  /** Scores the token alone, and compares what was scored with what the page measured. */
  async function assertAttested({ token, signals }: Measured, service?: Service): Promise<void> {
    const { status, reply } = await call<PredictReply>("/api/ml/predict", { session_data: {}, session_token: token }, service);
    assert.deepEqual([status, reply.attestation, reply.attestation_issues], [200, "server_timed", []], JSON.stringify(reply));
    const { signals: attested } = (await call<SessionReply>(`/api/sessions/${reply.session_id}`, undefined, service)).reply;
    const measured: Partial<SessionData> = { ...signals };
    // Always the page's own word.
    delete measured.return_visitor;
    assert.deepEqual(Object.keys(attested).toSorted(), Object.keys(measured).toSorted());
    for (const [name, most] of Object.entries(differsMax) as [keyof typeof differsMax, number][]) {
      const [is, was] = [attested[name] ?? 0, measured[name] ?? 0];
      assert.ok(Math.abs(is - was) <= most, `${name}: the page measured ${was}, ${is} was attested`);
    }
  }

  it("with clicks, keys and scrolling", async () => {
    await visit("/long");
    await pass(4);
    await page.click("#go");
    await page.click("#text");
    await page.keyboard.type("hello");
    await pass(7);
    await page.mouse.move(400, 300);
    await page.mouse.wheel(0, 1_700);
    await waitUntil(async () => (await page.evaluate(() => (globalThis as Visited).assayCollector.read().scroll_depth ?? 0)) > 0.4, "the page has been scrolled");
    await pass(40);
    await page.click("#go");
    await pass(35);
    const measured = await measure();
    assert.deepEqual([measured.signals.session_duration, measured.signals.interaction_count], [86, 4]);
    assert.ok(measured.signals.user_engagement < 0.9);
    await assertAttested(measured);
  });

  it("over the pages of a shop, which are loaded one after the other", async () => {
    await visit("/long");
    for (const next of ["second", "long", "second"]) {
      await pass(8);
      await page.click("#link");
      await page.waitForURL(`${site.url}/${next}`);
    }
    await pass(3);
    const measured = await measure();
    assert.deepEqual([measured.signals.session_duration, measured.signals.page_views, measured.signals.interaction_count], [27, 4, 3]);
    await assertAttested(measured);
    const [last] = site.sent.slice(-1);
    assert.equal(last!.session_token!.split(".").length, 3, "the shop's own server gets a token too");
  });

  it("with a page from the back-forward cache", async () => {
    await visit("/long");
    await page.evaluate(() => Object.assign(window, { isTheSame: true }));
    await pass(6);
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    await pass(6);
    await page.goBack({ waitUntil: "commit" });
    assert.equal(await page.evaluate(() => (window as { isTheSame?: boolean }).isTheSame), true, "the page was restored from the cache");
    await waitUntil(async () => (await page.evaluate(() => (globalThis as Visited).assayCollector.read())).page_views === 3, "the restored page counts as a view");
    await pass(6);
    const measured = await measure();
    assert.equal(measured.signals.page_views, 3);
    await assertAttested(measured);
  });

  it("in two tabs, each by itself", async () => {
    await visit("/long");
    await pass(5);
    await page.click("#go");
    const other = await context.newPage();
    await visit("/second", other);
    await pass(5);
    await other.mouse.click(5, 500);
    await other.mouse.click(5, 500);
    await pass(5);
    const [first, second] = [await measure(page), await measure(other)];
    assert.deepEqual([first.signals.interaction_count, second.signals.interaction_count, second.signals.session_duration], [1, 2, 10]);
    await assertAttested(first);
    await assertAttested(second);
  });

  it("in a tab that another one opened: one session, attested once", async () => {
    await visit("/long");
    await pass(5);
    const [other] = await Promise.all([context.waitForEvent("page"), page.evaluate(() => void open("/second"))]);
    await waitUntil(async () => (await other.evaluate(() => JSON.parse(sessionStorage.getItem("assay") ?? "{}") as StoredSession)).totals?.pages === 2, "the copied session goes on");
    const [first, second] = [await measure(page), await measure(other)];
    await assertAttested(first);
    const { status, reply } = await call<PredictReply>("/api/ml/predict", { session_data: second.signals, session_token: second.token });
    assert.deepEqual([status, reply.attestation, reply.attestation_issues], [200, "asserted", ["token_used"]]);
  });

  it("in a tab that was hidden for ten minutes", async () => {
    const clock = `let now = ${startedMs + passedMs}; Date.now = () => now; window.pass = (seconds) => { now += seconds * 1000; };`;
    const tab = await openBareTab(`${site.url}/short`, clock);
    const passHere = async (seconds: number) => {
      passedMs += seconds * 1_000;
      await tab.evaluate(`pass(${seconds})`);
    };
    const tokenNow = "JSON.parse(sessionStorage.assay).attested?.token ?? ''";
    try {
      await waitUntil(async () => (await tab.evaluate(tokenNow)) !== "", "attestation has begun");
      await tab.click(20, 20);
      await passHere(20);
      await tab.cover();
      await waitUntil(() => site.sent.length === 1, "hiding the page sends the signals");
      await passHere(600);
      await tab.uncover();
      // The beat that showing the page begins must not meet a service that is 15 seconds ahead of the page.
      await tab.evaluate("assayCollector.token()");
      await passHere(15);
      await tab.click(20, 20);
      const measured = (await tab.evaluate("(async () => { await assayCollector.token(); const asked = assayCollector.token(); const signals = assayCollector.read(); return { token: await asked, signals }; })()")) as Measured;
      assert.deepEqual([measured.signals.session_duration, measured.signals.interaction_count], [35, 2]);
      await assertAttested(measured);
    } finally {
      await tab.close();
    }
  });

  it("of a single-page app", async () => {
    await visit("/spa");
    for (const button of ["push", "push", "hash"]) {
      await pass(4);
      await page.click(`#${button}`);
    }
    await pass(4);
    const measured = await measure();
    assert.deepEqual([measured.signals.page_views, measured.signals.session_duration], [4, 16]);
    await assertAttested(measured);
  });

  it("that was offline for half a minute", async () => {
    await visit("/long");
    await pass(20);
    await context.setOffline(true);
    for (let third = 0; third < 3; third += 1) {
      await page.click("#go");
      await pass(10);
    }
    const offline = await measure();
    assert.ok(offline.signals.session_duration === 50 && offline.token !== undefined);
    await context.setOffline(false);
    await pass(2);
    const measured = await measure();
    assert.deepEqual([measured.signals.session_duration, measured.signals.interaction_count], [52, 3]);
    await assertAttested(measured);
  });

  it("with the script of the installation, by the clocks of both machines", async () => {
    const service = await startService();
    const { store } = await openStore({ databaseUrl: undefined, dataDir: service.dataDir }, { nowMs: Date.now(), onConnectionError: () => {} });
    const tab = await (await browser.newContext()).newPage();
    try {
      const { accountId, liveKey } = await makeAccount(store);
      const { siteId } = await createSite(store, { accountId, actorAccountId: null, nowMs: Date.now(), name: "shop", origins: [site.url] });
      site.settings.tag = `<script src="${service.url}/c/v1/collector.js" data-site="${siteId}" defer></script>`;
      const begin = () => fetch(`${service.url}/c/v1/start`, { method: "POST", headers: { origin: site.url, "content-type": "text/plain" }, body: JSON.stringify({ site: siteId }) });
      await waitUntil(async () => (await begin()).status === 201, "the service knows the site");
      await tab.goto(`${site.url}/short`);
      await tab.click("#go");
      const isBeaten = () => tab.evaluate(() => ((JSON.parse(sessionStorage.getItem("assay")!) as StoredSession).attested?.covered.clicks ?? 0) > 0);
      await waitUntil(isBeaten, "a beat was due");
      await assertAttested(await measure(tab), { url: service.url, key: liveKey });
    } finally {
      await store.close();
      await service.stop();
      await tab.context().close();
    }
  });

  it("under a strict content security policy", async () => {
    await site.close();
    const { origin } = new URL(base);
    site = await openSite({ "content-security-policy": `default-src 'none'; script-src 'self'; connect-src 'self' ${origin}; require-trusted-types-for 'script'; trusted-types 'none'` });
    await visit("/short");
    await pass(10);
    await page.click("#go");
    await pass(10);
    await assertAttested(await measure());
  });

  it("goes on where its token has expired, as a new session of the service", async () => {
    await visit("/long");
    await pass(10);
    await page.click("#go");
    const first = await measure();
    // The machine slept: nothing was in view, and for the page no time has passed.
    passedMs += 31 * 60_000;
    await pass(40);
    await page.click("#label");
    await pass(40);
    const second = await measure();
    assert.equal(second.signals.interaction_count, 2);
    const { reply } = await call<PredictReply>("/api/ml/predict", { session_data: {}, session_token: second.token });
    assert.equal(reply.attestation, "server_timed", JSON.stringify(reply));
    const { signals } = (await call<SessionReply>(`/api/sessions/${reply.session_id}`)).reply;
    assert.deepEqual([signals.interaction_count, signals.page_views], [1, 1]);
    assert.ok(signals.session_duration! < second.signals.session_duration - 10);
    assert.notEqual(first.token, second.token);
  });

  it("does not begin with a site of somebody else, and the page works", async () => {
    const stranger = await openSite();
    await stranger.close();
    await site.close();
    site = await startSite(built, stranger.settings);
    await visit("/short");
    await pass(30);
    await page.click("#go");
    assert.equal((await measure()).token, undefined);
    await visit("/long");
    await waitUntil(() => site.sent.length === 1, "the page has reported");
    assert.equal("session_token" in site.sent[0]!, false);
  });
});
