import fc from "fast-check";
import assert from "node:assert/strict";
import { createPublicKey, verify } from "node:crypto";
import { describe, it } from "node:test";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describeBothStores } from "../../../test/both-stores.ts";
import { testSealer } from "../../../test/webhooks/make-endpoint.ts";
import { newSecret, openSecret, sealSecret } from "../endpoints/endpoint-secret.ts";
import { bodyOf, signEvent, type StoredEvent } from "./sign-event.ts";
import { readWebhookKey } from "./webhook-key.ts";

const event: StoredEvent = { id: "evt_1", type: "payout.paid", sequence: 7, at: 1_800_000_000_123, account: "acct_1", data: '{"account_id":"acct_ü","amount_usd":3.5}' };
const spkiStart = Buffer.from("302a300506032b6570032100", "hex");

describe("the body of an event", () => {
  it("is JSON with the stored data as it was stored, the same bytes each time", () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.nat(), (type, data, sequence) => {
        const text = JSON.stringify(data);
        const body = bodyOf({ ...event, type, sequence, data: text });
        assert.deepEqual(JSON.parse(body), { type, timestamp: "2027-01-15T08:00:00.123Z", sequence, account: event.account, data: JSON.parse(text) });
        assert(body.endsWith(`,"data":${text}}`));
      }),
    );
    assert.equal(bodyOf(event), bodyOf({ ...event }));
  });
});

describe("the signatures of an event", () => {
  const body = bodyOf(event);

  it("are accepted by the libraries of Standard Webhooks and Svix, during a rotation with either secret, and by nobody else", () => {
    const [current, previous, other] = [newSecret(), newSecret(), newSecret()];
    const headers = signEvent({ id: event.id, body, nowMs: Date.now() }, { secrets: [current, previous], key: undefined });
    for (const Webhook of [StandardWebhook, SvixWebhook]) {
      for (const secret of [current, previous]) assert.doesNotThrow(() => new Webhook(secret).verify(body, headers));
      assert.throws(() => new Webhook(other).verify(body, headers));
      assert.throws(() => new Webhook(current).verify(`${body} `, headers));
      assert.throws(() => new Webhook(current).verify(body, { ...headers, "webhook-id": "evt_2" }));
      assert.throws(() => new Webhook(current).verify(body, { ...headers, "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }));
      const after = signEvent({ id: event.id, body, nowMs: Date.now() }, { secrets: [current], key: undefined });
      assert.throws(() => new Webhook(previous).verify(body, after));
    }
  });

  it("open with the secret of their own endpoint only", () => {
    const secret = newSecret();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const sealed = sealSecret(testSealer, "wh_1", secret);
    assert.equal(openSecret(testSealer, "wh_1", sealed), secret);
    assert.equal(openSecret(testSealer, "wh_2", sealed), undefined);
    assert(!sealed.includes(secret.slice("whsec_".length)));
  });
});

describeBothStores("the installation's key for webhooks", (open) => {
  it("is the same on all nodes, and its signature is verified with the public key alone", async () => {
    const { store } = await open();
    const read = () => readWebhookKey({ store, nowMs: Date.now, sealer: testSealer });
    const [key, again] = await Promise.all([read(), read()]);
    assert(key !== "unreadable" && again !== "unreadable");
    assert.equal(key.publicKey, again.publicKey);
    assert.match(key.publicKey, /^whpk_[A-Za-z0-9+/]{43}=$/);
    const secret = newSecret();
    const body = bodyOf(event);
    const headers = signEvent({ id: event.id, body, nowMs: Date.now() }, { secrets: [secret], key });
    const [symmetric, asymmetric, ...rest] = headers["webhook-signature"]!.split(" ");
    assert.deepEqual([symmetric!.split(",")[0], asymmetric!.split(",")[0], rest], ["v1", "v1a", []]);
    const publicKey = createPublicKey({ key: Buffer.concat([spkiStart, Buffer.from(key.publicKey.slice("whpk_".length), "base64")]), format: "der", type: "spki" });
    const isRight = (content: string) => verify(null, Buffer.from(content), publicKey, Buffer.from(asymmetric!.slice("v1a,".length), "base64"));
    assert(isRight(`${event.id}.${headers["webhook-timestamp"]}.${body}`));
    assert(!isRight(`${event.id}.${headers["webhook-timestamp"]}.${body} `));
    // A library that knows v1 only ignores the other one.
    for (const Webhook of [StandardWebhook, SvixWebhook]) new Webhook(secret).verify(body, headers);
  });
});
