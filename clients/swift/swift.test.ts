// The collector for iOS, built and run on Linux: its lifecycle, clock and network are the adapter's or the machine's.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { openStore } from "../../apps/api/src/store/open-store.ts";
import { makeAccount } from "../../apps/api/test/make-account.ts";
import { waitUntil } from "../../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../../apps/api/test/start-service.ts";
import { Assay, type Prediction, type SessionReport } from "../../packages/sdk/src/assay.ts";
import { makeSite } from "../../packages/sdk/src/testing/attest-session.ts";
import { Adapter } from "../conformance/adapter.ts";
import type { Counts, SessionCase, Signals } from "../conformance/print-session-cases.ts";
import { prepare, whySkipped } from "./prepare.ts";

const { cases } = JSON.parse(readFileSync(new URL("../conformance/sessions.json", import.meta.url), "utf8")) as { cases: SessionCase[] };
const sources = join(import.meta.dirname, "Sources", "AssayCollector");

type Report = { session_data: Signals; sequence: number; session_token?: string; visit?: string };
type Beat = { site?: string; token?: string; d?: Counts };
type Played = { signals: Signals; requests: { url: string; body: Report & Beat }[] };
type Offline = { waits: number[]; attempts: number; bodies: Report[]; sent: Report[]; kept: string[] };

/** All that the beats of the last session have reported. */
function creditOf(requests: Played["requests"]): Counts {
  const beats = requests.filter(({ url }) => !url.endsWith("/signals"));
  const last = beats.slice(beats.findLastIndex(({ url }) => url.endsWith("/start")) + 1).map(({ body }) => body.d!);
  const sum = (name: "view_ms" | "active_ms" | "clicks" | "keys" | "pages") => last.reduce((total, d) => total + d[name], 0);
  return { view_ms: sum("view_ms"), active_ms: sum("active_ms"), clicks: sum("clicks"), keys: sum("keys"), pages: sum("pages"), scroll: last.at(-1)?.scroll ?? null };
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(handle).listen(0, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** The scenes of a built collector. */
function testCollector(): void {
  let adapter: Adapter | undefined;
  let remove: (() => void) | undefined;
  const ask = async (command: object): Promise<unknown> => adapter!.ask(command);

  before(async () => {
    const prepared = await prepare();
    ({ remove } = prepared);
    adapter = new Adapter(prepared);
  });
  after(async () => {
    await adapter?.stop();
    remove?.();
  });

  it("plays every case of sessions.json", async (t) => {
    assert.ok(cases.length > 80);
    for (const each of cases) {
      await t.test(each.name, async () => {
        const { start_ms, visits, events, read_at_ms } = each;
        const { signals, requests } = (await ask({ do: "case", start_ms, visits, events, read_at_ms })) as Played;
        assert.deepEqual(signals, each.expect);
        const reports = requests.filter(({ url }) => url.endsWith("/signals")).map(({ body }) => body);
        let from = 0;
        for (const ended of each.ended ?? []) {
          const found = reports.findIndex(({ session_data }, nth) => nth >= from && isDeepStrictEqual(session_data, ended));
          assert.ok(found >= from, "the last report of each session is complete");
          from = found + 1;
        }
        assert.deepEqual(reports.map(({ sequence }) => sequence), reports.map((_, nth) => nth + 1));
        const credit = creditOf(requests);
        // A moment in view alone is not worth a beat.
        for (const name of ["view_ms", "active_ms"] as const) assert.ok(Math.abs(credit[name] - each.counts[name]) < 1_000, `${name}: ${credit[name]}`);
        assert.deepEqual({ ...credit, view_ms: 0, active_ms: 0 }, { ...each.counts, view_ms: 0, active_ms: 0 });
      });
    }
  });

  it("repeats a report while there is no connection, ever more rarely, and the next run sends it", async () => {
    const { waits, attempts, bodies, sent, kept } = (await ask({ do: "offline", status: 0 })) as Offline;
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000]);
    assert.deepEqual([attempts, bodies.length, kept], [10, 1, ["assay.visits"]]);
    assert.deepEqual(sent, [{ visit: "v1", session_data: { user_engagement: 1, session_duration: 5, interaction_count: 1, page_views: 1, return_visitor: false }, sequence: 1 }]);
    assert.deepEqual(sent, bodies);
  });

  for (const { status, attempts } of [{ status: 503, attempts: 10 }, { status: 429, attempts: 10 }, { status: 408, attempts: 10 }, { status: 400, attempts: 1 }, { status: 401, attempts: 1 }, { status: 302, attempts: 1 }]) {
    it(`${attempts === 1 ? "does not repeat" : "repeats"} a report after ${status}`, async () => {
      const played = (await ask({ do: "offline", status })) as Offline;
      assert.deepEqual([played.attempts, played.sent.length], [attempts, attempts === 1 ? 0 : 1]);
    });
  }

  for (const { retry_after, waitMs } of [{ retry_after: "90", waitMs: 90_000 }, { retry_after: "999999999999", waitMs: 3_600_000 }, { retry_after: "9".repeat(40), waitMs: 3_600_000 }, { retry_after: "soon", waitMs: 2_000 }]) {
    it(`waits ${waitMs / 1_000} s if the server says ${retry_after}`, async () => {
      assert.equal(((await ask({ do: "offline", status: 503, retry_after })) as Offline).waits[0], waitMs);
    });
  }

  it("loses no tap of several threads, and counts no moment twice", async () => {
    const { signals, passed_ms } = (await ask({ do: "threads" })) as { signals: Signals; passed_ms: number };
    assert.equal(signals.interaction_count, 120_000);
    assert.equal(signals.session_duration, Math.round(passed_ms / 100) / 10);
  });

  it("takes one finger that is lifted where it was put down for a tap, and nothing else", async () => {
    assert.deepEqual(await ask({ do: "touches" }), { counted: [1, 0, 0, 0] });
  });

  it("keeps nothing of a visitor who objects, stops where Assay refuses, works without storage, and refuses wrong options", async () => {
    const urls = ["https://shop.example/signals", "https://assay.example/c/v1/start"];
    const thrown = ["siteWithoutUrl", 'notAnAddress("/signals")', 'notFinite("share")'];
    assert.deepEqual(await ask({ do: "refusals" }), { kept: 0, returning: null, urls, warnings: 1, thrown });
  });

  it("survives whatever Assay's address answers", async () => {
    const replies = ['{"token":"t","next_ms":5000}', '{"token":"t","next_ms":1e300}', '{"token":"t","next_ms":-1e300}', '{"token":"t","next_ms":"x"}', '{"token":5}', "[1]", "", String.raw`{"token":"\ud83d"}`];
    assert.deepEqual(await ask({ do: "replies", replies }), { waits: [[5_000], [3_600_000], [1_000], [1_000], [2_000], [2_000], [2_000], [2_000]] });
  });

  it("follows no redirect, keeps no cookie, and reads the first 64 KiB of an answer", async () => {
    const asked: string[] = [];
    const server = await listen((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers["user-agent"]} ${request.headers.cookie ?? ""}`);
      if (request.url === "/moved") return response.writeHead(307, { location: "/elsewhere", "set-cookie": "a=b" }).end();
      response.writeHead(503, { "retry-after": "7" });
      return response.end(Buffer.alloc(1_000_000, "a"));
    });
    try {
      assert.deepEqual(await ask({ do: "request", endpoint: `${server.url}/moved` }), { status: 307, retry_after: null, bytes: 0 });
      assert.deepEqual(await ask({ do: "request", endpoint: `${server.url}/large` }), { status: 503, retry_after: "7", bytes: 65_536 });
      assert.deepEqual(asked, [`POST /moved assay-swift/${clientVersion} `, `POST /large assay-swift/${clientVersion} `]);
    } finally {
      server.stop();
    }
    assert.deepEqual(await ask({ do: "request", endpoint: server.url }), { status: 0 });
  });

  describe("and the real service", () => {
    let service: TestService;
    let siteId: string;
    let shop: Awaited<ReturnType<typeof listen>>;
    const received: { report: Report & Record<string, unknown>; authorization: string | undefined; verdict: Prediction }[] = [];

    before(async () => {
      const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
      const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
      const account = await makeAccount(store);
      siteId = await makeSite(store, { accountId: account.accountId, origins: ["https://shop.example"] });
      await store.close();
      service = await startService(settings);
      const assay = new Assay({ apiKey: account.liveKey, baseUrl: service.url });
      let requests = 0;
      shop = await listen((request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        request.on("end", () => {
          requests += 1;
          // The first attempt fails: the collector tries again.
          if (requests === 1) return response.writeHead(503, { "retry-after": "1" }).end();
          const report = JSON.parse(text) as Report & Record<string, unknown>;
          void assay.predict(report as SessionReport).then((verdict) => received.push({ report, authorization: request.headers.authorization, verdict }));
          return response.writeHead(204).end();
        });
      });
    });
    after(async () => {
      shop?.stop();
      await service?.stop();
    });

    async function playLive(attested: { site?: string; url?: string }) {
      const measured = (await ask({ do: "live", endpoint: `${shop.url}/signals`, ...attested })) as Signals;
      await waitUntil(() => received.length > 0, "the session was scored");
      await ask({ do: "stop" });
      return { measured, ...received.shift()! };
    }

    it("score what it reports when the app leaves the foreground, after a retry", async () => {
      const { measured, report, authorization, verdict } = await playLive({});
      assert.deepEqual([report.visit, report.nth, report.share, report.is_test, report.sequence, report.session_token, authorization], ['v"1\\ é😀\n', 1, 0.1, true, 1, undefined, "Bearer x"]);
      assert.deepEqual([measured.interaction_count, measured.page_views, measured.scroll_depth, measured.return_visitor], [2, 1, 0.5, true]);
      assert.deepEqual({ ...report.session_data, session_duration: 0, user_engagement: 0 }, { ...measured, session_duration: 0, user_engagement: 0 });
      assert.equal(verdict.attestation, "asserted");
      assert.ok(verdict.service_score > 0);
    });

    it("attest it, with a note that it was no page", async () => {
      const { measured, report, verdict } = await playLive({ site: siteId, url: `${service.url}/c/v1` });
      assert.ok(measured.session_duration >= 3.3 && report.session_token !== undefined);
      assert.deepEqual([verdict.attestation, verdict.attestation_issues], ["server_timed", ["origin_mismatch"]]);
      assert.deepEqual(verdict.attested, ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]);
    });
  });
}

describe("the Swift collector", () => {
  const why = whySkipped();
  // Not skipped: with CI=true that is a failure, and a compiler of 2.5 GB is too much for every run.
  if (why) it(`is built and run: ${why}`, { todo: "npm run test:swift" });
  else testCollector();

  it("imports nothing but Foundation, and no part of UIKit", () => {
    const imported = readdirSync(sources).flatMap((name) => [...readFileSync(join(sources, name), "utf8").matchAll(/^\s*(?:@\w+ )?import (.+)$/gm)].map(([, each]) => each!));
    assert.deepEqual([...new Set(imported)].toSorted(), ["Dispatch", "Foundation", "FoundationNetworking"]);
  });

  it("has one version in its changelog, its requests and its package, and Assay's licence for clients", () => {
    const read = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), "utf8");
    assert.match(read("CHANGELOG.md"), new RegExp(`^## ${clientVersion}$`, "m"));
    assert.ok(read("Sources", "AssayCollector", "HttpTransport.swift").includes(`let version = "${clientVersion}"`));
    assert.ok(read("README.md").includes(`assay-swift-${clientVersion}.zip`));
    assert.equal(read("LICENSE"), readFileSync(new URL("../../packages/sdk/LICENSE", import.meta.url), "utf8"));
  });
});
