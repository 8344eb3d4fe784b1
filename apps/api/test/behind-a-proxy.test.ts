/** What a stranger can open through a proxy on the same machine, which the service cannot always tell from a local caller. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { type Nginx, startBareProxy, startNginx, whyNginxIsSkipped } from "./faults/rig/start-nginx.ts";
import { findFreePort } from "./find-free-port.ts";
import { type Browser, goodPassword, openBrowser, signIn } from "./people/browser.ts";
import { confirmAddress } from "./people/confirm-address.ts";
import { readLink, readMails } from "./people/read-mails.ts";
import { send, waitUntil } from "./send.ts";
import { startService, type TestService } from "./start-service.ts";

const auth = "/dashboard/api/auth";
const publicUrl = "https://assay.example.com";
const stranger = "stranger@example.com";
const deploy = new URL("../../../deploy/", import.meta.url);

/** The settings that the systemd unit and the example of the shared settings contain, without the other servers. */
function unitSettings(): Record<string, string> {
  const unit = [...readFileSync(new URL("assay@.service", deploy), "utf8").matchAll(/^Environment=(HOST)=(.+)$/gm)];
  const shared = [...readFileSync(new URL("assay.env.example", deploy), "utf8").matchAll(/^(PUBLIC_URL)=(.+)$/gm)];
  assert.deepEqual([unit.length, shared.length], [1, 1]);
  return Object.fromEntries([...unit, ...shared].map(([, name, value]) => [name!, value!]));
}

type Installation = { service: TestService; node: { url: string }; proxy: Nginx; store: Store; close(): Promise<void> };

async function openInstallation(env: Record<string, string>, startProxy: (ports: { port: number; nodePort: number }) => Promise<Nginx>): Promise<Installation> {
  const [port, nodePort] = [await findFreePort(), await findFreePort()];
  const service = await startService({ env: { ...env, PORT: String(nodePort) } });
  const proxy = await startProxy({ port, nodePort });
  const { store } = await openStore({ dataDir: service.dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  return {
    service,
    node: { url: `http://127.0.0.1:${nodePort}` },
    proxy,
    store,
    async close() {
      await proxy.stop();
      await service.kill9();
      await store.close();
    },
  };
}

/** Signs up through the proxy; the stranger reads the mail in a mailbox of their own. */
async function signUpStranger({ proxy, store }: Installation, origin: string): Promise<Browser> {
  const browser = openBrowser(proxy, { origin });
  assert.equal((await browser.post(`${auth}/sign-up/email`, { email: stranger, password: goodPassword })).status, 200);
  assert.equal((await confirmAddress(browser, await readLink(store, { to: stranger, kind: "verify" }), goodPassword)).status, 200);
  return signIn(proxy, { email: stranger, password: goodPassword }, { origin });
}

const startExample = ({ port, nodePort }: { port: number; nodePort: number }) => startNginx({ port, nodePorts: [nodePort] });

describe("behind a proxy", { skip: whyNginxIsSkipped() }, () => {
  for (const [what, env, startProxy, origin] of [
    ["a bare proxy, with PUBLIC_URL set", { PUBLIC_URL: publicUrl }, startBareProxy, publicUrl],
    ["the systemd unit and nginx of deploy/, with an https PUBLIC_URL", { ...unitSettings(), PUBLIC_URL: publicUrl }, startExample, publicUrl],
    ["the systemd unit and nginx of deploy/, with PUBLIC_URL as in the example", unitSettings(), startExample, unitSettings()["PUBLIC_URL"]!],
  ] as const) {
    it(`${what}: a stranger gets no mailbox, metrics or instant tier [threat: local-only-page]`, async (test) => {
      const installation = await openInstallation(env, startProxy);
      test.after(() => installation.close());
      const { service, proxy, store } = installation;
      const browser = await signUpStranger(installation, origin);
      const asked = await browser.post("/dashboard/api/tier-requests", { tier: "Scale" });
      assert.deepEqual([asked.status, asked.json()["outcome"]], [200, "pending"]);
      assert.equal((await browser.get("/dashboard/api/tiers")).json()["current"], "Starter");
      assert.equal((await browser.get(`${auth}/options`)).json()["mailbox"], null);
      assert.equal((await browser.get("/dashboard/mailbox")).status, 404);
      assert.equal((await send(proxy, "/dashboard/mailbox?token=guess")).status, 404);
      assert.notEqual((await send(proxy, "/metrics")).status, 200);
      if (new URL(origin).protocol === "https:") {
        assert.doesNotMatch(service.logs(), /First start|Mailbox|@localhost/);
        assert.equal((await store.db.selectFrom("accounts").select("id").where("operator", "=", 1).execute()).length, 0);
        const direct = await Promise.all(["/metrics", "/dashboard/mailbox"].map((path) => send(installation.node, path)));
        assert.deepEqual(direct.map(({ status }) => status), [403, 404], "nor on the node's own port");
      }
    });
  }

  describe("with a bare proxy and no PUBLIC_URL", () => {
    let installation: Installation;
    before(async () => {
      installation = await openInstallation({}, startBareProxy);
    });
    after(() => installation.close());

    it("a stranger cannot read the operator's mails, and so does not become the operator [threat: local-only-page]", async () => {
      const { proxy, store } = installation;
      const operator = "operator@localhost";
      const browser = openBrowser(proxy, { origin: "http://127.0.0.1" });
      assert.equal((await browser.post(`${auth}/request-password-reset`, { email: operator })).status, 200);
      await waitUntil(async () => (await readMails(store, operator)).length === 1, "the mail is queued");
      const [mail] = await readMails(store, operator);
      const resetToken = /token=(\S+)/.exec(mail!.text)![1]!;
      for (const path of ["/dashboard/mailbox", `/dashboard/mailbox/${mail!.id}`, `/dashboard/mailbox/${mail!.id}/html`]) {
        for (const query of ["", "?token=", "?token=guess"]) {
          const answer = await browser.get(path + query);
          assert.equal(answer.status, 403, path + query);
          assert(!answer.text.includes(resetToken) && !answer.text.includes(operator));
        }
      }
      const options = await browser.get(`${auth}/options`);
      assert.equal(options.json()["mailbox"], "/dashboard/mailbox", "an address, and no token");
    });

    it("a stranger's webhook does not reach this machine's ports [threat: ssrf-loopback]", async () => {
      const browser = await signUpStranger(installation, "http://127.0.0.1");
      const answer = await browser.post("/dashboard/api/webhooks", { url: "http://127.0.0.1:9/" });
      assert.deepEqual([answer.status, answer.json()["error"]], [400, "invalid_request"]);
    });

    it("metrics and instant tiers stay open: docs/operating.md says so, and PUBLIC_URL closes them", async () => {
      const { proxy } = installation;
      assert.equal((await send(proxy, "/metrics")).status, 200);
      const browser = await signIn(proxy, { email: stranger, password: goodPassword }, { origin: "http://127.0.0.1" });
      assert.equal((await browser.post("/dashboard/api/tier-requests", { tier: "Scale" })).json()["outcome"], "applied");
    });
  });
});
