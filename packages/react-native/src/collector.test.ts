import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { SessionCase, SessionEvent } from "../../../clients/conformance/print-session-cases.ts";
import { type AppCollector, type CollectorOptions, createCollector } from "./collector.ts";
import { createFakeApp, createFakeStorage, type FakeApp } from "./testing/fake-app.ts";

const { cases } = JSON.parse(readFileSync(new URL("../../../clients/conformance/sessions.json", import.meta.url), "utf8")) as { cases: SessionCase[] };
const endpoint = "https://shop.example/signals";
const site = "site_4fKq2ZpX8mNwR7bTcY1s";
const url = "https://assay.example/c/v1";

function open(options: CollectorOptions, app: FakeApp = createFakeApp()) {
  const collector = createCollector({ endpoint, ...options }, app.host);
  collector.start();
  return { app, collector };
}

/** A session with something in it. */
async function openUsed(options: CollectorOptions = {}, app?: FakeApp) {
  const opened = open(options, app);
  await opened.app.settle();
  opened.collector.screen("Home");
  await opened.app.pass(5_000);
  opened.collector.tap();
  return opened;
}

const leave = async (app: FakeApp) => {
  app.go("background");
  await app.pass(1);
};

describe("an app's sessions", () => {
  function apply(app: FakeApp, collector: AppCollector, event: SessionEvent): void {
    switch (event.kind) {
      case "show":
        return app.go("foreground");
      case "hide":
        return app.go("background");
      case "activity":
        return collector.act();
      case "tap":
        return collector.tap();
      case "key":
        return collector.key();
      case "screen":
        return collector.screen();
      case "scroll":
        return collector.scroll(event);
    }
  }

  for (const each of cases) {
    it(`are measured as every collector does: ${each.name}`, async () => {
      const app = createFakeApp(each.start_ms);
      app.go("background");
      const storage = each.visits === null ? undefined : createFakeStorage({ "assay.visits": String(each.visits) });
      const { collector } = open({ storage }, app);
      await app.settle();
      for (const event of each.events) {
        app.setClock(each.start_ms + event.at_ms);
        apply(app, collector, event);
        await app.settle();
      }
      app.setClock(each.start_ms + each.read_at_ms);
      assert.deepEqual(collector.read(), each.expect);
      const reports = app.posted.map(({ body }) => JSON.stringify(body.session_data));
      let from = 0;
      for (const signals of each.ended ?? []) {
        from = reports.indexOf(JSON.stringify(signals), from) + 1;
        assert.ok(from > 0, "the last report of each session is complete");
      }
    });
  }

  it("go on when the collector is stopped and started, as React does in development", async () => {
    const { app, collector } = await openUsed();
    collector.stop();
    await app.pass(60_000);
    collector.start();
    await app.pass(5_000);
    assert.deepEqual([collector.read().session_duration, collector.read().page_views, app.listening()], [10, 1, 1]);
    collector.stop();
    await app.settle();
    assert.deepEqual([app.listening(), app.waiting(), app.posted.at(-1)!.body.session_data.session_duration], [0, 0, 10]);
  });

  it("count a screen once per visit to it, and never say its name", async () => {
    const { app, collector } = open({});
    for (const name of ["Home", "Home", "Basket of Jo", "Home", undefined, undefined]) collector.screen(name);
    collector.tap();
    await leave(app);
    assert.equal(app.posted[0]!.body.session_data.page_views, 5);
    assert.doesNotMatch(JSON.stringify(app.posted), /Home|Jo/);
  });
});

describe("reports to the app's own server", () => {
  it("leave when the app goes to the background, each change once, numbered, with what the app adds", async () => {
    let signedIn = "Bearer 1";
    const { app, collector } = await openUsed({ extra: { visit: "v1" }, headers: () => ({ authorization: signedIn }) });
    assert.deepEqual(app.posted, [], "nothing in the foreground");
    await leave(app);
    app.go("foreground");
    await leave(app);
    app.go("foreground");
    signedIn = "Bearer 2";
    await app.pass(2_000);
    collector.key();
    collector.send();
    await app.settle();
    const signals = { user_engagement: 1, session_duration: 5, interaction_count: 1, page_views: 1 };
    assert.deepEqual(app.posted, [
      { url: endpoint, headers: { authorization: "Bearer 1", "content-type": "application/json" }, body: { visit: "v1", session_data: signals, sequence: 1 } },
      { url: endpoint, headers: { authorization: "Bearer 2", "content-type": "application/json" }, body: { visit: "v1", session_data: { ...signals, session_duration: 7, interaction_count: 2 }, sequence: 2 } },
    ]);
  });

  it("say nothing before there is a screen, and nothing without an endpoint", async () => {
    const { app, collector } = open({});
    collector.tap();
    await leave(app);
    const silent = await openUsed({ endpoint: undefined });
    await leave(silent.app);
    assert.deepEqual([app.posted, silent.app.posted], [[], []]);
  });

  it("are repeated while there is no connection, ever more rarely, and at once when the app is back", async () => {
    const { app } = await openUsed();
    app.answers.server = () => undefined;
    await leave(app);
    const waits: number[] = [];
    for (let nth = 0; nth < 9; nth += 1) {
      waits.push(app.nextMs() + (nth === 0 ? 1 : 0));
      await app.pass(app.nextMs());
    }
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000]);
    assert.equal(new Set(app.posted.map(({ body }) => JSON.stringify(body))).size, 1, "the same report");
    const before = app.posted.length;
    app.answers.server = () => ({ status: 204 });
    app.go("foreground");
    await app.settle();
    assert.equal(app.posted.length, before + 1);
    await app.pass(600_000);
    assert.equal(app.posted.length, before + 1, "accepted once");
  });

  for (const { status, attempts } of [{ status: 400, attempts: 1 }, { status: 401, attempts: 1 }, { status: 302, attempts: 1 }, { status: 408, attempts: 3 }, { status: 429, attempts: 3 }, { status: 500, attempts: 3 }, { status: 503, attempts: 3 }]) {
    it(`are ${attempts === 1 ? "not repeated" : "repeated"} after ${status}`, async () => {
      const { app } = await openUsed();
      app.answers.server = () => ({ status });
      await leave(app);
      await app.pass(6_500);
      assert.equal(app.posted.length, attempts);
    });
  }

  it("wait as long as the server says", async () => {
    const { app } = await openUsed();
    app.answers.server = () => ({ status: 503, headers: { "retry-after": "90" } });
    await leave(app);
    await app.pass(89_000);
    assert.equal(app.posted.length, 1);
    await app.pass(1_000);
    assert.equal(app.posted.length, 2);
  });

  it("of one session replace each other while they wait; there are never more than ten", async () => {
    const storage = createFakeStorage();
    const { app, collector } = await openUsed({ storage });
    app.answers.server = () => undefined;
    for (let nth = 0; nth < 12; nth += 1) {
      await leave(app);
      app.go("foreground");
      collector.tap();
      await leave(app);
      await app.pass(31 * 60_000);
      app.go("foreground");
    }
    const unsent = JSON.parse(storage.kept["assay.unsent"]!) as { report: { sequence: number } }[];
    assert.deepEqual(unsent.map(({ report }) => report.sequence).slice(-2), [22, 24]);
    assert.equal(unsent.length, 10);
    await app.settle();
    const before = app.posted.length;
    app.answers.server = () => ({ status: 204 });
    collector.send();
    await app.settle();
    const sequences = app.posted.slice(before).map(({ body }) => body.sequence);
    assert.deepEqual(sequences, sequences.toSorted((a, b) => a - b), "in order");
    assert.equal(storage.kept["assay.unsent"], undefined);
  });
});

describe("what is kept on the device", () => {
  it("is a count that tells whether the visitor returns, and stops at nine", async () => {
    const storage = createFakeStorage();
    for (let run = 1; run <= 12; run += 1) {
      const { app, collector } = open({ storage });
      // The first screen opens before the storage has answered.
      collector.screen();
      assert.equal(collector.read().return_visitor, undefined);
      await app.settle();
      assert.equal(collector.read().return_visitor, run > 1);
      assert.deepEqual(storage.kept, { "assay.visits": String(Math.min(run, 9)) });
    }
  });

  it("is the reports that could not be sent, which the next run sends", async () => {
    const storage = createFakeStorage();
    const { app } = await openUsed({ storage, extra: { visit: "v1" } });
    app.answers.server = () => undefined;
    await leave(app);
    const next = open({ storage, extra: { visit: "v2" } });
    await next.app.settle();
    assert.deepEqual(next.app.posted.map(({ body }) => [body.visit, body.sequence]), [["v1", 1]]);
    assert.equal(storage.kept["assay.unsent"], undefined);
  });

  it("is nothing of a visitor who objects, who is not reported to Assay either", async () => {
    const storage = createFakeStorage({ "assay.visits": "3" });
    const { app, collector } = await openUsed({ storage, visitorObjects: true, site, url });
    await leave(app);
    assert.deepEqual([storage.kept, app.asked, await collector.token()], [{}, [], undefined]);
    assert.deepEqual(Object.keys(app.posted[0]!.body.session_data), ["user_engagement", "session_duration", "interaction_count", "page_views"]);
  });

  it("may be broken, or not be had: the collector works without", async () => {
    const fail = () => Promise.reject(new Error("full"));
    const throwing = () => {
      throw new Error("gone");
    };
    const storages = [{ getItem: fail, setItem: fail, removeItem: fail }, { getItem: throwing, setItem: throwing, removeItem: throwing }, createFakeStorage({ "assay.visits": "many", "assay.unsent": "{" }), createFakeStorage({ "assay.unsent": "[null, 1, {}]" })];
    for (const storage of storages) {
      const { app } = await openUsed({ storage });
      await leave(app);
      assert.deepEqual(app.posted.map(({ body }) => body.sequence), [1]);
    }
  });
});

describe("an attested session of an app", () => {
  it("is reported to Assay while in the foreground, and its newest token to the app's server", async () => {
    const { app, collector } = await openUsed({ site, url });
    await app.settle();
    assert.deepEqual(app.asked[0], { name: "start", body: { site } });
    assert.deepEqual(app.asked[1], { name: "beat", body: { token: "token-1", d: { view_ms: 5_000, active_ms: 0, clicks: 0, keys: 0, pages: 1, scroll: null } } });
    await app.pass(2_000);
    assert.equal(await collector.token(), "token-3");
    assert.deepEqual(app.asked[2]!.body.d, { view_ms: 2_000, active_ms: 7_000, clicks: 1, keys: 0, pages: 0, scroll: null });
    collector.tap();
    await leave(app);
    assert.equal(app.posted[0]!.body.session_token, "token-4", "the report waits for the last beat");
    const before = app.asked.length;
    await app.pass(600_000);
    assert.equal(app.asked.length, before, "nothing in the background");
  });

  it("delays a report by a second at most, which then has the token at hand", async () => {
    const { app, collector } = await openUsed({ site, url });
    collector.tap();
    const { fetch } = app.host;
    app.host.fetch = () => new Promise(() => {});
    app.go("background");
    await app.pass(999);
    assert.equal(app.posted.length, 0);
    await app.pass(1);
    assert.equal(app.posted[0]!.body.session_token, "token-2");
    app.host.fetch = fetch;
  });

  it("does not give a session the token of another", async () => {
    const { app, collector } = await openUsed({ site, url });
    await leave(app);
    await app.pass(31 * 60_000);
    app.answers.assay = () => undefined;
    app.go("foreground");
    collector.tap();
    await leave(app);
    assert.deepEqual(app.posted.map(({ body }) => [body.sequence, body.session_token]), [[1, "token-3"], [2, undefined]]);
  });

  it("is given up where Assay refuses, or does not say where it is, and the app is told", async () => {
    const { app } = open({ site, url });
    app.answers.assay = () => ({ status: 404, body: { error: "not_found" } });
    await app.pass(60_000);
    assert.deepEqual([app.asked.length, app.warnings.length], [1, 1]);
    for (const wrong of [undefined, "/c/v1/", "assay.example"]) {
      const other = open({ site, url: wrong });
      await other.app.pass(60_000);
      assert.deepEqual([other.app.asked.length, other.app.warnings.length], [0, 1]);
    }
  });
});
