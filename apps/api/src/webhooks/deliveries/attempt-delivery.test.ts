import assert from "node:assert/strict";
import { it } from "node:test";
import { testSealer } from "../../../test/webhooks/make-endpoint.ts";
import { newSecret, sealSecret } from "../endpoints/endpoint-secret.ts";
import { operators } from "../events/write-events.ts";
import { attemptDelivery } from "./attempt-delivery.ts";

it("an attempt is made with the rights of the endpoint's owner: a developer's never with the operators'", async () => {
  const nowMs = 1_800_000_000_000;
  const owners: unknown[] = [];
  const post: Parameters<typeof attemptDelivery>[2]["post"] = async ({ owner }) => {
    owners.push(owner);
    return { kind: "answered", status: 200, body: "", retryAfter: undefined, durationMs: 1 };
  };
  const context = { post, sealer: testSealer, key: undefined, nowMs: () => nowMs, random: () => 0 };
  for (const [audience, owner] of [["acct_1", "developer"], ["acct_2", "first_developer"], [operators, "operators"]] as const) {
    const event = { event_id: "evt_1", type: "webhook.test", sequence: 1, at: nowMs, data: "{}" };
    const secret = sealSecret(testSealer, "wh_1", newSecret());
    const claimed = { ...event, endpoint_id: "wh_1", attempts: 1, round_attempts: 1, owner, event_audience: audience, url: "https://hooks.example/", secret, secret_previous: null, previous_until: null };
    assert.equal((await attemptDelivery(claimed, "lease", context)).outcome, "delivered");
  }
  assert.deepEqual(owners, ["developer", "first_developer", "operators"]);
});
