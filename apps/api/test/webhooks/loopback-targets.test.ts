/** A developer's webhook must not reach the ports of the service's own machine, however local a proxy makes strangers look. */
import type { DeliveryDetailReply, NewEndpointReply } from "@assay/contract/dashboard/webhooks.ts";
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createAccount } from "../../src/people/create-account.ts";
import { describeBothStores, type TestDatabase } from "../both-stores.ts";
import { assayOn } from "../cli/run-assay.ts";
import { type Browser, goodPassword, makeSignInAccount, signIn } from "../people/browser.ts";
import { waitUntil } from "../send.ts";
import { testSecretKey, type TestService } from "../start-service.ts";
import { makeEndpoint } from "./make-endpoint.ts";
import { answering, openReceiver, type Receiver } from "./open-receiver.ts";

const own = "/dashboard/api/webhooks";
const secretBody = "what a local port says";
const named = /WEBHOOK_LOOPBACK=on/;

describeBothStores("a receiver on the service's own machine", (open, dialect) => {
  let database: TestDatabase;
  let service: TestService;
  let port: Receiver;

  const serve = (env: Record<string, string> = {}) => database.serve({ env: { SECRET_KEY: testSecretKey, ...env } });
  const create = (browser: Browser, url: string) => browser.post(own, { url });
  const detailOf = async (browser: Browser, endpointId: string, eventId: string) =>
    (await browser.get(`${own}/${endpointId}/deliveries/${eventId}`)).json() as unknown as DeliveryDetailReply;
  const whenTried = async (browser: Browser, endpointId: string, eventId: string, attempts = 1) => {
    await waitUntil(async () => (await detailOf(browser, endpointId, eventId)).log.length >= attempts, "an attempt is in the log");
    return detailOf(browser, endpointId, eventId);
  };
  const firstCredentials = () => {
    const [, email = "", password = ""] = /Developer\s+(\S+)\s+password (\S+)/.exec(service.logs()) ?? [];
    return { email, password };
  };

  before(async () => {
    port = await openReceiver(answering(`HTTP/1.1 200 OK\r\ncontent-length: ${secretBody.length}\r\n\r\n${secretBody}`));
    database = await open();
    service = await serve();
  });
  after(() => port.close());

  it("is refused to every account in every spelling, and the refusal names the setting where there is one [threat: ssrf-loopback]", async () => {
    const browser = await signIn(service, await makeSignInAccount(database.store));
    for (const host of ["127.0.0.1", "localhost", "a.localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "127.255.255.254"]) {
      for (const scheme of ["http", "https"]) {
        const answer = await create(browser, `${scheme}://${host}:${port.port}/`);
        assert.deepEqual([answer.status, answer.json().error], [400, "invalid_request"], host);
        assert.match(String(answer.json().message), named, host);
      }
    }
    for (const host of ["0.0.0.0", "[::]", "localhost.", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "10.0.0.1", "169.254.169.254", "[fe80::1]"]) {
      const answer = await create(browser, `https://${host}:${port.port}/`);
      assert.equal(answer.status, 400, host);
      assert.doesNotMatch(String(answer.json().message), named, host);
    }
    assert.equal(port.connections(), 0);
  });

  it("of an endpoint from before that rule gets nothing; the log says why, and with the setting everything arrives, its answers unread [threat: ssrf-loopback]", async () => {
    const account = await makeSignInAccount(database.store);
    const { id } = await makeEndpoint(database.store, { id: `wh_before${dialect}`, audience: account.accountId, url: `http://127.0.0.1:${port.port}/` });
    const browser = await signIn(service, account);
    const { event_id: eventId } = (await browser.post(`${own}/${id}/test`)).json() as { event_id: string };
    const refused = await whenTried(browser, id, eventId);
    assert.deepEqual([refused.state, refused.log[0]!.error, refused.log[0]!.status, refused.log[0]!.response], ["pending", "loopback_off", null, null]);
    assert.equal(port.connections(), 0);

    await service.stop();
    service = await serve({ WEBHOOK_LOOPBACK: "on" });
    const again = await signIn(service, account);
    await again.post(`${own}/${id}/deliveries/${eventId}/redeliver`);
    await waitUntil(async () => (await detailOf(again, id, eventId)).state === "delivered", "it arrives");
    const delivered = await detailOf(again, id, eventId);
    assert.deepEqual([delivered.log[0]!.status, delivered.log[0]!.response], [200, null]);
    // By itself when it was due again, or because it was asked for, or both.
    assert(port.connections() >= 1);
    const kept = await database.store.db.selectFrom("webhook_attempts").select("response").where("endpoint_id", "=", id).where("response", "is not", null).execute();
    assert.deepEqual(kept, []);
    await service.stop();
    service = await serve();
  });

  // Only the embedded store has a first start, and with it that developer.
  if (dialect === "sqlite") {
    it("is for the developer of the first start, whose answers nobody else is shown [threat: ssrf-loopback]", async () => {
      const fresh = await open();
      const first = await fresh.serve({ env: { SECRET_KEY: testSecretKey } });
      [service, database] = [first, fresh];
      const browser = await signIn(first, firstCredentials());
      const created = await create(browser, `http://127.0.0.1:${port.port}/first`);
      assert.equal(created.status, 201, created.text);
      const { endpoint, event_id: eventId } = created.json() as unknown as NewEndpointReply;
      const delivered = await whenTried(browser, endpoint.endpoint_id, eventId);
      assert.deepEqual([delivered.log[0]!.status, delivered.log[0]!.response], [200, secretBody]);
      const command = assayOn({ ...fresh, env: { SECRET_KEY: testSecretKey } });
      const shown = await command.json<DeliveryDetailReply>("webhook", "log", endpoint.endpoint_id, eventId);
      assert.deepEqual([shown.log[0]!.status, shown.log[0]!.response], [200, null]);
      assert.doesNotMatch((await command.run("webhook", "log", endpoint.endpoint_id, eventId)).stdout, new RegExp(secretBody));
      // The command line has the rights of the endpoint's owner too, not its own.
      const { email } = await makeSignInAccount(fresh.store);
      assert.match(await command.refusal("webhook", "create", "--email", email, "--url", `http://127.0.0.1:${port.port}/`), named);
      assert.match(await command.refusal("webhook", "create", "--operators", "--url", `http://127.0.0.1:${port.port}/`), named);
    });
  } else {
    it("is not for whoever has the address of that developer [threat: ssrf-loopback]", async () => {
      const outcome = await createAccount(database.store, { email: "developer@localhost", tier: "Starter", verified: true, operator: false, password: goodPassword }, Date.now());
      assert.equal(outcome.kind, "created");
      const browser = await signIn(service, { email: "developer@localhost", password: goodPassword });
      assert.equal((await create(browser, `http://127.0.0.1:${port.port}/`)).status, 400);
    });
  }
});
