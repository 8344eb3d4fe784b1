/** Pages that reach the service through somebody's proxy: the operator's, or one that a developer put before it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openStore } from "../../src/store/open-store.ts";
import { type Nginx, startNginx, startRelayingProxy, whyNginxIsSkipped } from "../faults/rig/start-nginx.ts";
import { findFreePort } from "../find-free-port.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { goodSignals, predict, send, waitUntil } from "../send.ts";
import { startService, type TestService } from "../start-service.ts";
import { makeSite, shop } from "./visit-page.ts";

describe("pages behind proxies", { skip: whyNginxIsSkipped() }, () => {
  let service: TestService;
  let node: { url: string };
  let operators: Nginx;
  let developers: Nginx;
  let account: TestAccount;
  let siteId: string;

  before(async () => {
    const [nodePort, port, relayPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    service = await startService({ env: { PORT: String(nodePort), TRUST_PROXY: "127.0.0.1", PUBLIC_URL: "https://assay.example.com" } });
    node = { url: `http://127.0.0.1:${nodePort}` };
    operators = await startNginx({ port, nodePorts: [nodePort] });
    // What most guides say: it passes the visitor's address on.
    developers = await startRelayingProxy({ port: relayPort, nodePort: port, address: "127.0.0.2" });
    const { store } = await openStore({ dataDir: service.dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
    account = await makeAccount(store, { tier: vastTier });
    siteId = await makeSite(store, { accountId: account.accountId });
    await store.close();
    await waitUntil(async () => (await begin(operators)).status === 201, "the node knows the site");
  });
  after(async () => {
    await developers?.stop();
    await operators?.stop();
    await service?.stop();
  });

  const begin = (through: { url: string }, headers: Record<string, string> = {}) =>
    send(through, "/c/v1/start", { method: "POST", headers: { origin: shop, "content-type": "text/plain", ...headers }, body: { site: siteId } });

  /** What a call with the session's token says about it. It is too short to be attested, which does not matter here. */
  async function issuesOf(through: { url: string }, headers: Record<string, string> = {}): Promise<unknown> {
    const { token } = (await begin(through, headers)).json();
    const answer = await predict(node, account.liveKey, { body: { session_data: goodSignals, session_token: token } });
    assert.equal(answer.status, 200, answer.text);
    return answer.json()["attestation_issues"];
  }

  it("are not flagged behind the operator's proxy, under whatever name it is reached", async () => {
    assert.deepEqual(await issuesOf(operators), ["too_short"]);
    assert.deepEqual(await issuesOf(operators, { host: "measure.shop.example" }), ["too_short"], "a CNAME is no proxy");
  });

  it("are flagged as proxied behind a developer's, and still served [threat: proxy-headers]", async () => {
    assert.deepEqual(await issuesOf(developers), ["proxied", "too_short"]);
    assert.deepEqual(await issuesOf(operators, { via: "1.1 x" }), ["too_short"], "the operator's own may add this one");
  });
});
