import { deliveredTypes, eventKinds } from "@assay/contract/webhooks.ts";
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { describe, it } from "node:test";
import { bodyOf, signEvent } from "../../../apps/api/src/webhooks/deliveries/sign-event.ts";
import { newSecret } from "../../../apps/api/src/webhooks/endpoints/endpoint-secret.ts";
import { verifyWebhook } from "./webhooks.ts";

const nowMs = 1_790_000_000_123;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const key = { privateKey, publicKey: `whpk_${publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64")}` };
const [newer, older] = [newSecret(), newSecret()];

describe("what the service sends", () => {
  for (const type of deliveredTypes) {
    const stored = { id: "evt_0Q5ZLr8k000Ww9Xx2Yy5Zz8", type, sequence: 3, at: nowMs - 5_000, account: "acct_1", data: JSON.stringify(eventKinds[type].example) };
    const body = bodyOf(stored);
    const headers = signEvent({ id: stored.id, body, nowMs }, { secrets: [newer, older], key });

    it(`${type} is verified with either secret and with the public key, and with no other`, async () => {
      const expected = { id: stored.id, type, timestamp: new Date(stored.at).toISOString(), sequence: 3, account: "acct_1", data: eventKinds[type].example };
      for (const secret of [newer, older, key.publicKey]) assert.deepEqual(await verifyWebhook(body, headers, secret, { account: "acct_1", now: () => nowMs }), expected);
      await assert.rejects(verifyWebhook(body, headers, key.publicKey, { account: "acct_2", now: () => nowMs }), { code: "other_account" });
      await assert.rejects(verifyWebhook(body, headers, newSecret(), { now: () => nowMs }), { code: "bad_signature" });
    });
  }
});
