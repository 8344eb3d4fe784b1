// An app, its own server and the real service: what the app measures is scored.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../../apps/api/src/store/open-store.ts";
import { makeAccount } from "../../../apps/api/test/make-account.ts";
import { waitUntil } from "../../../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../../../apps/api/test/start-service.ts";
import { Assay, type Prediction, type SessionReport } from "../../sdk/src/assay.ts";
import { makeSite } from "../../sdk/src/testing/attest-session.ts";
import { type CollectorOptions, createCollector } from "./collector.ts";
import { createFakeApp, createFakeStorage } from "./testing/fake-app.ts";

describe("an app and the real service", () => {
  let service: TestService;
  let server: Server;
  let endpoint: string;
  let siteId: string;
  const verdicts: Prediction[] = [];

  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
    const account = await makeAccount(store);
    siteId = await makeSite(store, { accountId: account.accountId, origins: ["https://shop.example"] });
    await store.close();
    service = await startService(settings);
    const assay = new Assay({ apiKey: account.liveKey, baseUrl: service.url });
    server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        void assay.predict(JSON.parse(text) as SessionReport).then((verdict) => verdicts.push(verdict));
        response.writeHead(204).end();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signals`;
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await service?.stop();
  });

  /** By the machine's clock and network; only the foreground is simulated. */
  function startApp(options: CollectorOptions) {
    const app = createFakeApp();
    const host = {
      ...app.host,
      nowMs: () => Date.now(),
      fetch: (url: string, request: RequestInit) => fetch(url, request),
      post: (url: string, request: RequestInit) => fetch(url, request),
      after(ms: number, work: () => void) {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    };
    const collector = createCollector({ endpoint, ...options }, host);
    collector.start();
    return { app, collector };
  }

  async function nextVerdict(): Promise<Prediction> {
    await waitUntil(() => verdicts.length > 0, "the session was scored");
    return verdicts.shift()!;
  }

  it("score what the app reports when it leaves the foreground", async () => {
    const { app, collector } = startApp({ storage: createFakeStorage({ "assay.visits": "1" }), extra: { visit: "v1" } });
    await app.settle();
    collector.screen("Home");
    collector.tap();
    collector.scroll({ offset: 300, visible: 700, content: 1_300 });
    await wait(300);
    app.go("background");
    const { attestation, service_score, trust_level } = await nextVerdict();
    assert.equal(attestation, "asserted");
    assert.ok(service_score > 0 && ["high", "medium", "low"].includes(trust_level));
    collector.stop();
  });

  it("attest it, with a note that it was no page", async () => {
    const { app, collector } = startApp({ site: siteId, url: `${service.url}/c/v1/` });
    collector.screen("Home");
    await waitUntil(async () => (await collector.token()) !== undefined, "the session has begun");
    await wait(3_300);
    collector.tap();
    collector.key();
    const measured = collector.read();
    app.go("background");
    const { attestation, attestation_issues, attested } = await nextVerdict();
    assert.deepEqual([attestation, attestation_issues], ["server_timed", ["origin_mismatch"]]);
    assert.deepEqual(attested, ["user_engagement", "session_duration", "interaction_count", "page_views"]);
    assert.deepEqual([measured.interaction_count, measured.page_views, measured.session_duration >= 3.3], [2, 1, true]);
    collector.stop();
  });
});
