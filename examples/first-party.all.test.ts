// The reverse proxy that docs/attestation.md shows, in front of a running service.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { type Nginx, startProxyOf, whyNginxIsSkipped } from "../apps/api/test/faults/rig/start-nginx.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../apps/api/test/start-service.ts";
import { Assay } from "../packages/sdk/src/assay.ts";
import { attestSession, makeSite } from "../packages/sdk/src/testing/attest-session.ts";
import { findFreePort } from "../scripts/testing/open-terminal.ts";
import { readBlocks, readDocument } from "../scripts/testing/read-document.ts";

describe("the reverse proxy of docs/attestation.md", { skip: whyNginxIsSkipped() }, () => {
  const origin = "https://shop.example";
  let service: TestService;
  let nginx: Nginx;
  let assay: Assay;
  let siteId: string;

  before(async () => {
    const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
    const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
    const { accountId, liveKey } = await makeAccount(store);
    siteId = await makeSite(store, { accountId, origins: [origin] });
    await store.close();
    service = await startService(settings);
    assay = new Assay({ apiKey: liveKey, baseUrl: service.url });
    const shown = readBlocks(readDocument("docs/attestation.md")).find(({ language }) => language === "nginx");
    const location = shown!.text.replaceAll("https://assay.example.com", service.url).replaceAll("assay.example.com", new URL(service.url).host);
    nginx = await startProxyOf({ port: await findFreePort(), location });
  });
  after(async () => {
    await nginx?.stop();
    await service?.stop();
  });

  it("passes sessions on, which are attested and flagged, and nothing but what pages need", async () => {
    const sessionToken = await attestSession(nginx.url, { siteId, origin });
    const verdict = await assay.predict({ session_data: {}, session_token: sessionToken });
    assert.deepEqual([verdict.attestation, verdict.attestation_issues], ["server_timed", ["proxied"]]);
    assert.equal((await fetch(`${nginx.url}/api/status`)).status, 404);
    assert.equal((await fetch(`${service.url}/api/status`)).status, 200);
  });

  it("is not noticed where it does not exist", async () => {
    const sessionToken = await attestSession(service.url, { siteId, origin });
    assert.deepEqual((await assay.predict({ session_data: {}, session_token: sessionToken })).attestation_issues, []);
  });
});
