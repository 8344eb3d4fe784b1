import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import type { Store } from "../apps/api/src/store/store.ts";
import { makeAccount, type TestAccount } from "../apps/api/test/make-account.ts";
import { readLedger } from "../apps/api/test/read-ledger.ts";
import { waitUntil } from "../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { attestSession, makeSite } from "../packages/sdk/src/testing/attest-session.ts";
import { type Fault, startFaultProxy } from "../packages/sdk/src/testing/fault-proxy.ts";
import { type Run, runProgram } from "../packages/sdk/src/testing/run-program.ts";
import { formats, importCampaign } from "./testing/import-campaign.ts";

const programs = [
  { name: "curl", program: "/bin/sh", script: join(import.meta.dirname, "curl", "assay.sh") },
];

describe("the examples of raw calls", () => {
  let service: TestService;
  let store: Store;
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

  for (const { name, program, script } of programs) {
    describe(name, () => {
      let account: TestAccount;
      before(async () => {
        account = await makeAccount(store);
      });

      async function run(faults: readonly (Fault | "none")[], key: string, ...given: string[]): Promise<Run & { requests: number }> {
        const left = [...faults];
        const proxy = await startFaultProxy(service.url, { choose: () => left.shift() ?? "none", between: (from) => from, lateMs: 0 });
        const env = { PATH: process.env.PATH, ASSAY_URL: proxy.url, ASSAY_API_KEY: key };
        try {
          const outcome = await runProgram(program, [script, ...given], { cwd: import.meta.dirname, env });
          return { ...outcome, requests: Object.values(proxy.counts).reduce((sum, count) => sum + count, 0) };
        } finally {
          await proxy.close();
        }
      }

      const countCalls = async () => (await readLedger(store, account.accountId)).length;

      it("scores a session and gets an ad in each format", async () => {
        const { code, stdout, stderr, requests } = await run([], account.liveKey);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /"service_score": ?9\d\.\d/);
        assert.match(stdout, /"trust_level": ?"high"/);
        for (const format of formats) assert.ok(stdout.includes(`"Good ${format}"`), stdout);
        assert.equal(requests, 4);
        assert.equal(await countCalls(), 1);
      });

      it("passes a session token on, and nothing that is none", async () => {
        const origin = "https://shop.example";
        const siteId = await makeSite(store, { accountId: account.accountId, origins: [origin] });
        // A running service learns of a site within a second.
        const isKnown = async () => (await fetch(`${service.url}/c/v1/start`, { method: "POST", body: JSON.stringify({ site: siteId }) })).status === 201;
        await waitUntil(isKnown, "the service knows the site");
        const attested = await run([], account.liveKey, await attestSession(service.url, { siteId, origin }));
        assert.match(attested.stdout, /"attestation": ?"server_timed"/, attested.stderr);
        const forged = await run([], account.liveKey, 'x","y":"');
        assert.notEqual(forged.code, 0);
        assert.match(forged.stderr, /not a (?:valid )?session token/);
      });

      it("is billed once when answers are lost and a proxy fails", async () => {
        const billed = await countCalls();
        const { code, stderr, requests } = await run(["cut_before", "refused_by_proxy", "cut_after", "gateway_timeout_after"], account.liveKey);
        assert.equal(code, 0, stderr);
        assert.equal(requests, 8);
        assert.equal((await countCalls()) - billed, 1);
      });

      it("gives up after five attempts, and at once after an error that a retry cannot change", async () => {
        const away = await run(Array.from({ length: 9 }, () => "cut_before" as const), account.liveKey);
        assert.notEqual(away.code, 0);
        assert.equal(away.requests, 5);
        const refused = await run([], "assay_live_wrong");
        assert.notEqual(refused.code, 0);
        assert.equal(refused.requests, 1);
        assert.match(refused.stderr, /invalid_api_key/);
      });
    });
  }
});
