import { deliveredTypes, eventKinds } from "@assay/contract/webhooks.ts";
import assert from "node:assert/strict";
import { it } from "node:test";
import { Compile } from "typebox/schema";
import { describeWebhooks } from "../../src/http/describe-webhooks.ts";
import { bodyOf } from "../../src/webhooks/deliveries/sign-event.ts";

type Described = { post: { requestBody: { content: { "application/json": { schema: Record<string, unknown> } } } } };

it("the body of every event is as the API reference describes it", () => {
  const described = describeWebhooks() as Record<string, Described>;
  for (const type of deliveredTypes) {
    const { schema } = described[type]!.post.requestBody.content["application/json"];
    const sent = JSON.parse(bodyOf({ id: "evt_1", type, sequence: 3, at: 1_790_000_000_123, account: "acct_1", data: JSON.stringify(eventKinds[type].example) })) as Record<string, unknown>;
    assert.ok(Compile(schema).Check(sent), type);
    assert.deepEqual(Object.keys(sent), Object.keys(schema.properties as object), type);
    assert.ok(!Compile(schema).Check({ ...sent, sequence: undefined }), type);
    assert.ok(!Compile(schema).Check({ ...sent, account: undefined }), type);
  }
});
