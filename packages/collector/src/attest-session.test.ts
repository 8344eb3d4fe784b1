// What the page does when the service answers, fails or is away. attested-visits.all.test.ts runs whole visits with the real one.
import type { SessionData, StoredSession } from "@assay/contract/measuring/session-totals.ts";
import type { Browser, BrowserContext, Page } from "@playwright/test";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { waitUntil } from "../../../apps/api/test/send.ts";
import type { Collector } from "./collector.ts";
import { launchChromium, openBareTab, whyChromiumIsSkipped } from "./testing/chromium.ts";
import { type BuiltCollector, buildCollector, type Site, type SiteSettings, startSite } from "./testing/start-site.ts";
import { type StandIn, startStandIn } from "./testing/start-stand-in.ts";

const siteId = "site_4fKq2ZpX8mNwR7bTcY1s";
const noon = new Date("2026-01-15T12:00:00Z");
/** The stand-in's answers allow the next beat after this. */
const nextSeconds = 5;

type Visited = typeof globalThis & { assayCollector: Collector };

describe("attestation in Chromium", { skip: whyChromiumIsSkipped() }, () => {
  let built: BuiltCollector;
  let assay: StandIn;
  let site: Site;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** What pages threw, and what they wrote to the console by themselves. */
  let complaints: string[];

  before(async () => {
    built = await buildCollector();
    browser = await launchChromium();
  });
  after(async () => {
    await browser?.close();
    await site?.close();
    await assay?.close();
  });
  beforeEach(async () => {
    await context?.close();
    await site?.close();
    await assay?.close();
    assay = await startStandIn(built.script);
    site = await startSite(built, { tag: tagOf() });
    context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    complaints = [];
    page = await openTab();
  });

  const tagOf = (more = "") => `<script src="${assay.base}collector.js" data-site="${siteId}" data-endpoint="/signals" ${more} defer></script>`;

  async function openTab(): Promise<Page> {
    const tab = await context.newPage();
    await tab.clock.install({ time: noon });
    await tab.clock.pauseAt(new Date(noon.getTime() + 1_000));
    tab.on("pageerror", (error) => complaints.push(String(error)));
    // What Chromium itself writes about a request that failed has an address of the network as its place.
    tab.on("console", (message) => message.location().url.endsWith(".js") && complaints.push(message.text()));
    return tab;
  }

  async function reopenSite(settings: SiteSettings): Promise<void> {
    await site.close();
    site = await startSite(built, settings);
  }

  const pass = (seconds: number, tab: Page = page) => tab.clock.runFor(seconds * 1_000);
  const read = (tab: Page = page): Promise<SessionData> => tab.evaluate(() => (globalThis as Visited).assayCollector.read());
  const stored = (tab: Page = page) => tab.evaluate(() => JSON.parse(sessionStorage.getItem("assay") ?? "{}") as StoredSession);

  /** Waits for that many requests, and for the page to have their answers. */
  async function untilAnswered(count: number, tab: Page = page): Promise<void> {
    await waitUntil(() => assay.requests.length === count, `there are ${count} requests`);
    await waitUntil(async () => (await stored(tab)).attested?.token === assay.newest(), "the page has the newest token");
  }

  async function untilFailed(count: number): Promise<void> {
    await waitUntil(async () => (await stored()).attested?.failures === count, `${count} requests have failed`);
  }

  async function openAttested(path = "/long"): Promise<void> {
    await page.goto(site.url + path);
    await pass(0.01);
    await untilAnswered(1);
  }

  /** Time for requests that should not be made. */
  const passLong = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) await pass(60);
    await page.evaluate(() => fetch("/nothing"));
  };

  it("starts when the page is shown and reports whenever a beat is due, with plain requests that say nothing else", async () => {
    await openAttested();
    await pass(nextSeconds - 1);
    assert.deepEqual(assay.names(), ["start"]);
    await page.click("#go");
    await pass(1);
    await untilAnswered(2);
    await page.click("#text");
    await page.keyboard.type("hello");
    await pass(nextSeconds);
    await untilAnswered(3);
    assert.deepEqual(assay.requests[0]!.body, { site: siteId });
    const [, first, second] = assay.requests;
    assert.deepEqual(first!.body, { token: "token-1", d: { view_ms: 5_010, active_ms: 5_010, clicks: 1, keys: 0, pages: 1, scroll: 0 } });
    assert.deepEqual(second!.body, { token: "token-2", d: { view_ms: 5_000, active_ms: 5_000, clicks: 1, keys: 1, pages: 0, scroll: 0 } });
    for (const { method, headers } of assay.requests) {
      assert.deepEqual([method, headers["content-type"], headers.origin], ["POST", "text/plain;charset=UTF-8", site.url]);
      assert.deepEqual([headers.cookie, headers.referer], [undefined, undefined]);
    }
    assert.deepEqual(complaints, []);
  });

  it("repeats what an answer was lost for, from the token it has, and counts nothing twice", async () => {
    await openAttested();
    await page.click("#go");
    assay.behaviour = "lose";
    await pass(nextSeconds);
    await untilFailed(1);
    assay.behaviour = "answer";
    await page.click("#go");
    await pass(2);
    await untilAnswered(3);
    const [lost, repeated] = assay.requests.slice(1).map(({ body }) => body);
    assert.deepEqual([lost, repeated].map((body) => [body!.token, body!.d.clicks]), [["token-1", 1], ["token-1", 2]]);
    assert.ok(repeated!.d.view_ms! > lost!.d.view_ms!);
    assert.deepEqual([assay.creditOf(assay.newest()).clicks, (await read()).interaction_count], [2, 2]);
  });

  for (const hasStorage of [true, false]) {
    it(hasStorage ? "continues over full page loads" : "starts again on each page where there is no storage", async () => {
      if (!hasStorage) {
        await page.addInitScript(() => {
          Object.defineProperty(window, "sessionStorage", {
            get() {
              throw new Error("refused");
            },
          });
        });
      }
      await page.goto(`${site.url}/long`);
      await pass(0.01);
      await waitUntil(() => assay.requests.length === 1, "attestation has started");
      // The page has the answer once its token() does.
      await waitUntil(() => page.evaluate(async () => (await (globalThis as Visited).assayCollector.token()) !== undefined), "the page has a token");
      await pass(3);
      await page.click("#link");
      await page.waitForURL(`${site.url}/second`);
      await pass(nextSeconds + 1);
      await waitUntil(() => assay.names().at(-1) === (hasStorage ? "beat" : "start"), "the second page has asked");
      if (!hasStorage) return;
      await waitUntil(async () => (await stored()).attested?.token === assay.newest(), "the page has the newest token");
      const { page_views, interaction_count } = await read();
      const { pages, clicks } = assay.creditOf(assay.newest());
      assert.deepEqual([pages, clicks, assay.names().filter((name) => name === "start").length], [page_views, interaction_count, 1]);
    });
  }

  it("asks for a token once for all who ask at the same time, and at most one request is ever under way", async () => {
    await openAttested();
    await page.click("#go");
    const tokens = await page.evaluate(() => {
      const { assayCollector } = globalThis as Visited;
      return Promise.all([assayCollector.token(), assayCollector.token(), assayCollector.token()]);
    });
    assert.deepEqual([new Set(tokens), assay.names()], [new Set([assay.newest()]), ["start", "beat"]]);
    assert.equal(assay.creditOf(assay.newest()).clicks, 1);
    const again = await page.evaluate(() => (globalThis as Visited).assayCollector.token());
    assert.deepEqual([again, assay.requests.length], [assay.newest(), 2], "nothing has happened since");
    assert.equal(assay.atOnceMax(), 1);
  });

  it("backs off while the service fails, and the page notices nothing", async () => {
    assay.behaviour = { status: 500 };
    await page.goto(`${site.url}/long`);
    let asked = 0;
    page.on("request", (request) => (asked += request.url().startsWith(assay.base) && request.method() === "POST" ? 1 : 0));
    /** What the page has sent is known once it answers something else. */
    const passKnowing = async (seconds: number) => {
      await pass(seconds);
      await page.evaluate(() => 0);
    };
    await passKnowing(0.01);
    for (const [index, seconds] of [2, 4, 8, 16, 32, 64, 120, 120].entries()) {
      const failures = index + 1;
      await untilFailed(failures);
      await passKnowing(seconds * 0.4);
      assert.equal(asked, failures, "nothing is sent before half of the wait");
      for (let step = 0; step < 7; step += 1) {
        if (asked > failures) break;
        await passKnowing(seconds * 0.1);
      }
      assert.equal(asked, failures + 1, "the wait is over");
    }
    await page.click("#link");
    await waitUntil(() => site.sent.length === 1, "the page has reported to its own server");
    assert.equal("session_token" in site.sent[0]!, false);
    assert.deepEqual(complaints, []);
  });

  it("waits as long as a refusal says, on the next page too, and retries at once when the connection is back", async () => {
    assay.behaviour = { status: 429, error: "rate_limit_exceeded", retryAfter: 300 };
    await page.goto(`${site.url}/long`);
    await pass(0.01);
    await untilFailed(1);
    await pass(200);
    await page.goto(`${site.url}/second`);
    assert.equal(await page.evaluate(() => (globalThis as Visited).assayCollector.token()), undefined);
    await pass(90);
    await page.evaluate(() => fetch("/nothing"));
    assert.equal(assay.requests.length, 1);
    assay.behaviour = "answer";
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await pass(0.01);
    await untilAnswered(2);
  });

  it("works without the service: refused connections, and a service that never answers", async () => {
    const away = assay.base;
    await assay.close();
    await reopenSite({ tag: `<script src="/collector.js" data-site="${siteId}" data-url="${away}" data-endpoint="/signals" defer></script>` });
    await page.goto(`${site.url}/long`);
    await pass(0.01);
    await untilFailed(1);
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    assay = await startStandIn(built.script);
    assay.behaviour = "hang";
    await reopenSite({ tag: tagOf() });
    const other = await openTab();
    await other.goto(`${site.url}/long`);
    await pass(0.01, other);
    await waitUntil(() => assay.requests.length === 1, "a request hangs");
    const asked = other.evaluate(() => (globalThis as Visited).assayCollector.token());
    await pass(2, other);
    assert.equal(await asked, undefined, "token() gives up after two seconds");
    await other.click("#go");
    await other.evaluate(() => (globalThis as Visited).assayCollector.send());
    await pass(0.9, other);
    assert.equal(site.sent.length, 0);
    await pass(0.2, other);
    await waitUntil(() => site.sent.length === 1, "the report does not wait longer than a second");
    assert.equal("session_token" in site.sent[0]!, false);
    await pass(7, other);
    await waitUntil(async () => (await stored(other)).attested?.failures === 1, "the request was given up after ten seconds");
    assert.deepEqual(complaints, []);
  });

  it("starts anew where its token has expired, without what was counted before", async () => {
    await openAttested();
    await page.click("#go");
    await pass(nextSeconds);
    await untilAnswered(2);
    assay.behaviour = { status: 400, error: "session_token_expired" };
    await page.click("#go");
    await pass(nextSeconds);
    await waitUntil(async () => (await stored()).attested?.token === "", "the token was given up");
    assay.behaviour = "answer";
    await pass(0.01);
    await untilAnswered(4);
    await page.click("#label");
    await pass(nextSeconds);
    await untilAnswered(5);
    assert.deepEqual(assay.names(), ["start", "beat", "beat", "start", "beat"]);
    assert.deepEqual(assay.creditOf(assay.newest()), { view_ms: 5_010, active_ms: 5_010, clicks: 1, keys: 0, pages: 1, scroll: 0 });
    assert.equal((await read()).interaction_count, 3, "the collector's own session goes on");
  });

  for (const status of [403, 404]) {
    it(`stops for this page and says why after ${status}`, async () => {
      assay.behaviour = { status, error: status === 403 ? "forbidden" : "not_found" };
      await page.goto(`${site.url}/long`);
      await pass(0.01);
      await waitUntil(() => complaints.length === 1, "the page was told");
      assert.match(complaints[0]!, new RegExp(`^Assay answered ${status} to http.*/c/v1/start`));
      assert.equal(await page.evaluate(() => (globalThis as Visited).assayCollector.token()), undefined);
      await passLong(10);
      assert.deepEqual([assay.requests.length, complaints.length], [1, 1]);
    });
  }

  it("stops for this page when its token is refused, and hands that token to nobody", async () => {
    await openAttested();
    assay.behaviour = { status: 400, error: "invalid_request" };
    await pass(nextSeconds);
    await waitUntil(async () => (await stored()).attested?.token === "", "the token was given up");
    assay.behaviour = "answer";
    await passLong(5);
    assert.equal(assay.requests.length, 2);
    await page.click("#link");
    await waitUntil(() => site.sent.length === 1, "the page has reported");
    assert.equal("session_token" in site.sent[0]!, false);
    await page.waitForURL(`${site.url}/second`);
    await pass(0.01);
    await untilAnswered(3);
    assert.equal(assay.names().at(-1), "start", "the next page tries again");
  });

  it("has the new session attested after half an hour without activity, and asks nothing while nobody is there", async () => {
    await openAttested();
    await page.click("#go");
    for (let beats = 2; beats < 5; beats += 1) {
      await pass(nextSeconds);
      await untilAnswered(beats);
    }
    assay.nextMs = 3_600_000;
    await pass(nextSeconds);
    await untilAnswered(5);
    await pass(3_600);
    await untilAnswered(6);
    assert.equal(Math.round(assay.creditOf(assay.newest()).view_ms / 100) / 10, (await read()).session_duration, "all of the session was reported");
    const old = assay.newest();
    await pass(3_600);
    await passLong(5);
    assert.equal(assay.requests.length, 6);
    await page.click("#go");
    await pass(0.01);
    await untilAnswered(7);
    assert.equal(assay.names().at(-1), "start");
    await waitUntil(() => site.sent.length === 1, "the old session was reported");
    assert.equal(site.sent[0]!.session_token, old, "with its own token");
    await pass(3_600);
    await untilAnswered(8);
    assert.deepEqual([assay.creditOf(assay.newest()).clicks, assay.creditOf(assay.newest()).pages], [1, 1]);
  });

  it("reports in order to the page's own server, each change once, with the newest token", async () => {
    await openAttested();
    await page.click("#go");
    await page.evaluate(() => {
      const { assayCollector } = globalThis as Visited;
      assayCollector.send();
      assayCollector.send();
    });
    await waitUntil(() => site.sent.length === 1, "it is sent after the beat");
    assert.equal(site.sent[0]!.session_token, "token-2");
    assert.equal(assay.creditOf("token-2").clicks, site.sent[0]!.session_data.interaction_count);
    // One report waits for a token that does not come when the page is left: both leave at once.
    assay.behaviour = "hang";
    await page.click("#go");
    await page.evaluate(() => (globalThis as Visited).assayCollector.send());
    await waitUntil(() => assay.requests.length === 3, "a beat is under way");
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    await waitUntil(() => site.sent.length === 3, "nothing was held back");
    assert.deepEqual(site.sent.map(({ sequence, session_token, session_data }) => [sequence, session_token, session_data.interaction_count]), [[1, "token-2", 1], [2, "token-2", 2], [3, "token-2", 3]]);
  });

  it("goes on from a page of the back-forward cache with what the later page has reached", async () => {
    await openAttested();
    await page.evaluate(() => Object.assign(window, { isTheSame: true }));
    await pass(1);
    await page.click("#link");
    await page.waitForURL(`${site.url}/second`);
    // Pages beat when they go to the cache; nobody there reads the answer.
    await waitUntil(() => assay.names().includes("beat"), "the first page has beaten");
    await pass(nextSeconds);
    await waitUntil(async () => (await stored()).attested?.token === assay.newest() && assay.requests.length === 3, "the second page has a token");
    await page.goBack({ waitUntil: "commit" });
    assert.equal(await page.evaluate(() => (window as { isTheSame?: boolean }).isTheSame), true, "the page was restored from the cache");
    await waitUntil(async () => (await read()).page_views === 3, "the restored page counts as a view");
    const token = await page.evaluate(() => (globalThis as Visited).assayCollector.token());
    const { pages, clicks } = assay.creditOf(token!);
    assert.deepEqual([pages, clicks], [3, 1]);
  });

  it("attests a tab that was opened by another as its continuation", async () => {
    await openAttested();
    await page.click("#go");
    const [opened] = await Promise.all([context.waitForEvent("page"), page.evaluate(() => void open("/second"))]);
    await waitUntil(async () => (await stored(opened)).totals?.pages === 2, "the copied session goes on");
    const token = () => (globalThis as Visited).assayCollector.token();
    const [first, second] = [await page.evaluate(token), await opened.evaluate(token)];
    assert.notEqual(first, second);
    assert.deepEqual([assay.creditOf(first!).pages, assay.creditOf(second!).pages], [1, 2]);
    assert.equal(assay.names().filter((name) => name === "start").length, 1, "one session of the service");
  });

  for (const [name, value] of [["globalPrivacyControl", true], ["doNotTrack", "1"]] as const) {
    it(`never calls the service under ${name}, and reports as ever`, async () => {
      await page.addInitScript(([property, wish]) => Object.defineProperty(navigator, property, { value: wish }), [name, value] as const);
      // The visitor may have objected only since the last page.
      await page.addInitScript(() => {
        const session = JSON.parse(sessionStorage.getItem("assay") ?? "null") as StoredSession | null;
        if (session) sessionStorage.setItem("assay", JSON.stringify({ ...session, attested: { token: "token-1", covered: session.totals, dueMs: 0, failures: 0 } }));
      });
      await reopenSite({ tag: `<script src="/collector.js" data-site="${siteId}" data-url="${assay.base}" data-endpoint="/signals" defer></script>` });
      await page.goto(`${site.url}/long`);
      await page.reload();
      assert.equal((await stored()).attested?.token, "token-1");
      await page.click("#go");
      assert.equal(await page.evaluate(() => (globalThis as Visited).assayCollector.token()), undefined);
      await passLong(2);
      await page.goto(`${site.url}/second`);
      await waitUntil(() => site.sent.length >= 1, "the page reports");
      assert.deepEqual(assay.names(), []);
      assert.equal(site.sent.some((sent) => "session_token" in sent), false);
    });
  }

  it("works under a strict content security policy with Trusted Types", async () => {
    const { origin } = new URL(assay.base);
    const policy = `default-src 'none'; script-src ${origin}; connect-src 'self' ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
    await reopenSite({ tag: tagOf(), headers: { "content-security-policy": policy } });
    await page.addInitScript(() => {
      Object.assign(window, { violations: [] });
      addEventListener("securitypolicyviolation", ({ violatedDirective }) => (window as unknown as { violations: string[] }).violations.push(violatedDirective));
    });
    await openAttested("/short");
    await page.click("#go");
    await pass(nextSeconds);
    await untilAnswered(2);
    const violations = await page.evaluate(() => (window as unknown as { violations: string[] }).violations);
    // The page's own inline styles and handlers are not the collector's.
    assert.deepEqual(violations.filter((each) => /^(script-src$|script-src-elem|connect|require|trusted)/.test(each)), []);
    await page.goto(`${site.url}/second`);
    await waitUntil(() => site.sent.length === 1, "the page has reported");
    assert.equal(site.sent[0]!.session_token, "token-2");
  });

  it("finds the service by the script's own address, a given one, or on the page's own origin", async () => {
    const other = await startStandIn(built.script, "/assay/c/v1/");
    const askOf = async (tag: string) => {
      await reopenSite({ tag });
      const tab = await openTab();
      const asked = tab.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("start"));
      await tab.goto(`${site.url}/short`);
      await pass(0.01, tab);
      const url = (await asked).url();
      await tab.close();
      return url;
    };
    const own = (attributes: string) => `<script src="/collector.js" data-site="${siteId}" ${attributes} defer></script>`;
    assert.equal(await askOf(`<script src="${other.base}collector.js" data-site="${siteId}" defer></script>`), `${other.base}start`);
    assert.equal(await askOf(own(`data-url="${other.base}"`)), `${other.base}start`);
    assert.equal(await askOf(own(`data-url="${other.base.slice(0, -1)}"`)), `${other.base}start`);
    assert.equal(await askOf(own(`data-url="/proxied/"`)), `${site.url}/proxied/start`);
    assert.equal(await askOf(own("")), `${site.url}/c/v1/start`);
    const module = (options: string) => `<script type="module">import { startCollector } from "/collector.module.js"; startCollector({ site: "${siteId}", ${options} });</script>`;
    assert.equal(await askOf(module(`url: "${other.base}"`)), `${other.base}start`);
    assert.equal(await askOf(module("")), `${site.url}/c/v1/start`);
    await other.close();
  });

  it("calls the service for a hidden tab never, for one that is hidden once more, and reports after that answer", async () => {
    const clock = "let now = 1800000000000; Date.now = () => now; window.pass = (seconds) => { now += seconds * 1000; };";
    const tab = await openBareTab(`${site.url}/short`, clock, { covered: true });
    try {
      assert.equal(await tab.evaluate("assayCollector.token().then(String)"), "undefined");
      await tab.evaluate("new Promise((done) => setTimeout(done, 300))");
      assert.equal(assay.requests.length, 0, "a page that nobody has seen");
      assay.nextMs = 1_000;
      await tab.uncover();
      await waitUntil(async () => (await tab.evaluate("JSON.parse(sessionStorage.assay).attested?.token")) === "token-1", "it starts when it is shown");
      await tab.click(20, 20);
      await tab.evaluate("pass(3)");
      await tab.cover();
      await waitUntil(() => site.sent.length === 1, "hiding the page sends the signals");
      assert.deepEqual([assay.names(), site.sent[0]!.session_token], [["start", "beat"], "token-2"]);
      assert.deepEqual([assay.creditOf("token-2").view_ms, assay.creditOf("token-2").clicks], [3_000, 1]);
      await tab.evaluate("pass(600)");
      await tab.evaluate("new Promise((done) => setTimeout(done, 2000))");
      assert.equal(assay.requests.length, 2, "nothing is sent while it is hidden");
      await tab.uncover();
      await waitUntil(() => assay.requests.length === 3, "a beat is due when it is shown again");
      assert.deepEqual(assay.requests[2]!.body.token, "token-2");
      assert.equal(assay.requests[2]!.body.d.view_ms, 0, "hidden time is not counted");
      assert.equal(site.sent.length, 1);
    } finally {
      await tab.close();
    }
  });
});
