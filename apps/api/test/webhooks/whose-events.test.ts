/** The installation's key signs the events of all accounts: who verifies with it must be able to tell whose event it is. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { verifyWebhook } from "../../../../packages/sdk/src/webhooks.ts";
import { readWebhookKey } from "../../src/webhooks/deliveries/webhook-key.ts";
import { operators } from "../../src/webhooks/events/write-events.ts";
import { readDelivery } from "../../src/webhooks/manage/read-log.ts";
import { describeBothStores } from "../both-stores.ts";
import { waitUntil } from "../send.ts";
import { deliveriesOf, makeEndpoint, testSealer, writeTestEvents } from "./make-endpoint.ts";
import { openHooks } from "./open-hooks.ts";
import { startTestSender } from "./start-test-sender.ts";

describeBothStores("events under the installation's key", (open) => {
  it("name their account, so that another account's genuine event is refused [threat: other-accounts-event]", async (test) => {
    const { store } = await open();
    const hooks = await openHooks();
    test.after(() => hooks.close());
    const key = await readWebhookKey({ store, nowMs: Date.now, sealer: testSealer });
    assert(key !== "unreadable");
    const audiences = ["acct_victim", "acct_attacker", operators];
    const endpoints = [];
    for (const audience of audiences) endpoints.push(await makeEndpoint(store, { audience, url: hooks.url(`/${audience}`) }));
    // Before there is a sender: as what waits while an installation is upgraded, where events are stored without an account.
    for (const audience of audiences) await writeTestEvents(store, audience);
    const sender = startTestSender(store, { key });
    test.after(() => sender.stop());
    await waitUntil(async () => hooks.received.length >= audiences.length, "all events arrive");
    for (const { id } of endpoints) await waitUntil(async () => (await deliveriesOf(store, id))[0]?.state === "delivered", "they are delivered");

    const codeOf = (hook: (typeof hooks.received)[number], account: string | undefined) =>
      verifyWebhook(hook.body, hook.headers, key.publicKey, { account }).then((event) => `of ${event.account}`, (error: { code: string }) => error.code);
    for (const [index, audience] of audiences.entries()) {
      const sent = hooks.received.find(({ path }) => path === `/${audience}`)!;
      for (const expected of audiences) assert.equal(await codeOf(sent, expected), expected === audience ? `of ${audience}` : "other_account");
      assert.equal(await codeOf(sent, undefined), "bad_account");
      // The log shows the bytes that were signed.
      const shown = await readDelivery(store, { audience, endpointId: endpoints[index]!.id, eventId: sent.id, nowMs: Date.now() });
      assert.equal(shown.body, sent.body);
    }
  });
});
