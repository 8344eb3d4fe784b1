// The same shop in every language, each with its client installed from its package, against a running service.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import type { Store } from "../apps/api/src/store/store.ts";
import { makeAccount, type TestAccount } from "../apps/api/test/make-account.ts";
import { readLedger } from "../apps/api/test/read-ledger.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import type { Prepared } from "../clients/conformance/adapter.ts";
import * as go from "../clients/go/prepare.ts";
import * as java from "../clients/java/prepare.ts";
import * as php from "../clients/php/prepare.ts";
import * as python from "../clients/python/prepare.ts";
import { attestSession, makeSite } from "../packages/sdk/src/testing/attest-session.ts";
import { formats, importCampaign } from "./testing/import-campaign.ts";
import { type Shop, startServer } from "./testing/start-shop.ts";

const here = import.meta.dirname;
const person = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };
const robot = { user_engagement: 0, session_duration: 1, scroll_depth: 0, interaction_count: 0, page_views: 1 };
const origin = "https://shop.example";
const path = { PATH: process.env.PATH };

type Example = { name: string; whySkipped: () => string | false; prepare: (folder: string) => Promise<Prepared> };

const examples: readonly Example[] = [
  {
    name: "python",
    whySkipped: python.whySkipped,
    prepare: async (folder) => ({ program: python.python, args: [join(here, "python", "server.py")], cwd: folder, env: { ...path, PYTHONPATH: await python.installPackage(folder), PYTHONUNBUFFERED: "1", PYTHONDONTWRITEBYTECODE: "1" } }),
  },
  { name: "go", whySkipped: go.whySkipped, prepare: async (folder) => ({ program: await go.buildProgram(folder, join(here, "go", "main.go")), args: [], cwd: folder, env: path }) },
  {
    name: "php",
    whySkipped: php.whySkipped,
    async prepare(folder) {
      await php.installPackage(folder);
      cpSync(join(here, "php"), folder, { recursive: true, filter: (file) => !file.endsWith("composer.json") });
      return { program: php.php, args: ["start.php"], cwd: folder, env: path };
    },
  },
  {
    name: "java",
    whySkipped: java.whySkipped,
    prepare: async (folder) => ({ program: java.jdkProgram("java"), args: ["-cp", await java.compileWith(await java.buildJar(folder), join(here, "java", "Shop.java"), folder), "Shop"], cwd: folder, env: path }),
  },
];

describe("a shop in every language", () => {
  let store: Store;
  let service: TestService;
  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    ({ store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} }));
    await importCampaign(store);
    service = await startService(settings);
  });
  after(async () => {
    await service?.stop();
    await store?.close();
  });

  for (const { name, whySkipped, prepare } of examples) {
    describe(name, { skip: whySkipped() }, () => {
      let account: TestAccount;
      let prepared: Prepared;
      let shop: Shop;
      let siteId: string;
      before(async () => {
        account = await makeAccount(store);
        siteId = await makeSite(store, { accountId: account.accountId, origins: [origin] });
        prepared = await prepare(makeTestFolder());
        shop = await startServer(prepared, { ASSAY_URL: service.url, ASSAY_API_KEY: account.liveKey });
      });
      after(() => shop?.stop());

      const post = (address: string, body: unknown, cookie = "") => fetch(shop.url + address, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json", ...(cookie && { cookie }) } });
      const judge = async (body: unknown, cookie?: string) => {
        const answer = await post("/judge", body, cookie);
        assert.equal(answer.status, 200);
        return (await answer.json()) as { trust_level: string; service_score?: number; attestation?: string; ads: Record<string, { creative: { headline: string } } | null> };
      };

      it("serves the page, what it needs, and a policy for it", async () => {
        const page = await fetch(`${shop.url}/`);
        const policy = String(page.headers.get("content-security-policy"));
        assert.match(policy, /default-src 'none'/);
        assert.ok(policy.includes(`connect-src 'self' ${service.url}`), policy);
        assert.match(String(page.headers.get("set-cookie")), /^visit=[0-9a-f-]{36}; HttpOnly; SameSite=Lax; Path=\/$/);
        assert.match(await page.text(), /<script src="\/collector\.js" data-endpoint="\/signals" defer><\/script>/);
        for (const [file, type] of [["/page.css", "text/css"], ["/page.js", "text/javascript"], ["/collector.js", "text/javascript"]] as const) {
          const answer = await fetch(shop.url + file);
          assert.ok(answer.status === 200 && answer.headers.get("content-type")?.startsWith(type), `${file}: ${answer.status}, ${answer.headers.get("content-type")}`);
          assert.ok((await answer.text()).length > 100);
        }
        assert.equal((await fetch(`${shop.url}/nothing`)).status, 404);
      });

      it("tells a person from a robot, and shows ads in the three formats to the person", async () => {
        const trusted = await judge({ session_data: person });
        assert.equal(trusted.trust_level, "high");
        assert.deepEqual(formats.map((format) => trusted.ads[format]?.creative.headline), formats.map((format) => `Good ${format}`));
        assert.equal((await judge({ session_data: robot })).trust_level, "low");
      });

      it("keeps the last report of a visit, and judges by it", async () => {
        const cookie = String((await fetch(`${shop.url}/`)).headers.get("set-cookie")).split(";")[0]!;
        for (const [sequence, session_data] of [[2, person], [1, robot]] as const) assert.equal((await post("/signals", { session_data, sequence }, cookie)).status, 204);
        assert.equal((await judge({}, cookie)).trust_level, "high");
        assert.equal((await post("/judge", {})).status, 400);
      });

      it("passes on what Assay has measured", async () => {
        const session_token = await attestSession(service.url, { siteId, origin });
        assert.equal((await judge({ session_data: person, session_token })).attestation, "server_timed");
      });

      it("refuses what is not a session, before Assay sees it", async () => {
        const billed = (await readLedger(store, account.accountId)).length;
        const wrong = [{ session_data: { ...person, user_engagement: 7 } }, { session_data: { ...person, email: "a@example.com" } }, { session_data: {} }, { session_data: "x" }, { session_data: person, session_token: "a".repeat(513) }, { session_data: { ...person, interaction_count: 1.5 } }, { session_data: { ...person, return_visitor: "yes" } }];
        for (const body of wrong) assert.equal((await post("/judge", body)).status, 400, JSON.stringify(body));
        assert.equal((await fetch(`${shop.url}/judge`, { method: "POST", body: "{", headers: { "content-type": "application/json" } })).status, 400);
        assert.equal((await post("/signals", { session_data: person })).status, 400);
        assert.equal((await readLedger(store, account.accountId)).length, billed);
      });

      it("goes on without a verdict when Assay is away", async () => {
        const alone = await startServer(prepared, { ASSAY_URL: "http://127.0.0.1:1", ASSAY_API_KEY: account.liveKey });
        try {
          const answer = await fetch(`${alone.url}/judge`, { method: "POST", body: JSON.stringify({ session_data: person }), headers: { "content-type": "application/json" } });
          assert.deepEqual([answer.status, await answer.json()], [200, { trust_level: "unknown", ads: {} }]);
        } finally {
          await alone.stop();
        }
      });
    });
  }
});
