import type { DeliveriesReply, DeliveryDetailReply, NewEndpointReply, RotateSecretReply, WebhooksReply } from "@assay/contract/dashboard/webhooks.ts";
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { operators } from "../../src/webhooks/events/write-events.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { makeSignInAccount } from "../people/browser.ts";
import { type InjectedBrowser, injectSignIn } from "../people/inject-browser.ts";
import { sampleHook } from "../access/route-samples.ts";

const own = "/dashboard/api/webhooks";
const shared = "/dashboard/api/operator/webhooks";

describe("webhook endpoints over HTTP", () => {
  let opened: OpenedApp;
  let developer: InjectedBrowser;
  let other: InjectedBrowser;
  let operator: InjectedBrowser;
  let unverified: InjectedBrowser;

  before(async () => {
    opened = await openApp();
    const { store } = opened.deps;
    const signIn = async (more?: { operator: true }) => injectSignIn(opened, await makeSignInAccount(store, more));
    [developer, other, operator] = [await signIn(), await signIn(), await signIn({ operator: true })];
    const account = await makeSignInAccount(store);
    unverified = await injectSignIn(opened, account);
    await store.db.updateTable("accounts").set({ verified_at: null }).where("id", "=", account.accountId).execute();
  });
  after(() => opened.close());

  const create = async (browser: InjectedBrowser, path: string, body: object = { url: sampleHook }) => {
    const answer = await browser.request("POST", path, { body });
    assert.equal(answer.statusCode, 201, answer.body);
    return answer.json<NewEndpointReply>();
  };
  const list = async (browser: InjectedBrowser, path: string) => (await browser.request("GET", path)).json<WebhooksReply>();

  it("are an account's own, and operators' are for operators", async () => {
    const mine = await create(developer, own);
    const theirs = await create(operator, shared);
    assert.match(mine.secret, /^whsec_/);
    const ids = async (browser: InjectedBrowser, path: string) => (await list(browser, path)).endpoints.map(({ endpoint_id: id }) => id);
    assert.deepEqual([await ids(developer, own), await ids(other, own), await ids(operator, own), await ids(operator, shared)], [[mine.endpoint.endpoint_id], [], [], [theirs.endpoint.endpoint_id]]);
    assert((await list(developer, own)).events.every(({ type }) => type !== "campaign.exhausted" && type !== "webhook.test"));
    assert((await list(operator, shared)).events.some(({ type }) => type === "campaign.exhausted"));
    // Not even an operator reaches another audience's endpoint by its id.
    for (const [browser, path, { endpoint }] of [[other, own, mine], [operator, shared, mine], [operator, own, theirs], [developer, own, theirs]] as const) {
      assert.equal((await browser.request("PATCH", `${path}/${endpoint.endpoint_id}`, { body: { state: "paused" } })).statusCode, 404);
      assert.equal((await browser.request("DELETE", `${path}/${endpoint.endpoint_id}`)).statusCode, 404);
    }
    const { audience } = await opened.deps.store.db.selectFrom("webhook_endpoints").select("audience").where("id", "=", theirs.endpoint.endpoint_id).executeTakeFirstOrThrow();
    assert.equal(audience, operators);
    await developer.request("DELETE", `${own}/${mine.endpoint.endpoint_id}`);
    await operator.request("DELETE", `${shared}/${theirs.endpoint.endpoint_id}`);
  });

  it("show their secret when it is made and never again", async () => {
    const { secret, endpoint, event_id: eventId } = await create(developer, own);
    const path = `${own}/${endpoint.endpoint_id}`;
    const rotated = (await developer.request("POST", `${path}/rotate`)).json<RotateSecretReply>();
    assert.notEqual(rotated.secret, secret);
    assert.notEqual(rotated.endpoint.previous_secret_until, null);
    const answers = [
      await developer.request("GET", own),
      await developer.request("PATCH", path, { body: { types: ["payout.paid"] } }),
      await developer.request("POST", `${path}/test`),
      await developer.request("POST", `${path}/replay`, { body: { from: new Date().toISOString() } }),
      await developer.request("GET", `${own}/deliveries`),
      await developer.request("GET", `${path}/deliveries/${eventId}`),
      await developer.request("POST", `${path}/deliveries/${eventId}/redeliver`),
      await developer.request("DELETE", path),
    ];
    for (const answer of answers) {
      assert.equal(answer.statusCode, 200, answer.body);
      assert.doesNotMatch(answer.body, /whsec_|"secret"/);
    }
  });

  it("have a log that shows each owner its own deliveries, page by page, with request and answer", async () => {
    const { endpoint, event_id: eventId } = await create(developer, own);
    const stranger = await create(other, own);
    const path = `${own}/${endpoint.endpoint_id}`;
    for (let sent = 0; sent < 2; sent += 1) assert.equal((await developer.request("POST", `${path}/test`)).statusCode, 200);
    const page = async (query: string) => (await developer.request("GET", `${own}/deliveries?${query}`)).json<DeliveriesReply>();
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { deliveries, next_cursor: next }: DeliveriesReply = await page(`limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      seen.push(...deliveries.map(({ event_id: id, endpoint_id: to }) => `${id} ${to}`));
      cursor = next;
    }
    assert.equal(seen.length, 3);
    assert.deepEqual(seen, seen.toSorted().toReversed());
    assert.equal(seen.at(-1), `${eventId} ${endpoint.endpoint_id}`);
    assert.deepEqual((await page(`endpoint_id=${stranger.endpoint.endpoint_id}`)).deliveries, []);
    assert.equal((await developer.request("GET", `${own}/deliveries?cursor=nonsense`)).statusCode, 400);
    const attempt = { endpoint_id: endpoint.endpoint_id, event_id: eventId, attempt: 90, at: 1_800_000_000_500, duration_ms: 7, url: sampleHook, signature: "v1,abc", status: 500, error: null, response: "no" };
    await opened.deps.store.db.insertInto("webhook_attempts").values(attempt).execute();
    const detail = (await developer.request("GET", `${path}/deliveries/${eventId}`)).json<DeliveryDetailReply>();
    assert.deepEqual(detail.log[0], {
      attempt: 90,
      at: "2027-01-15T08:00:00.500Z",
      duration_ms: 7,
      url: sampleHook,
      headers: { "webhook-id": eventId, "webhook-timestamp": "1800000000", "webhook-signature": "v1,abc" },
      status: 500,
      error: null,
      response: "no",
    });
    const body = JSON.parse(detail.body) as { type: string; data: unknown };
    assert.deepEqual([body.type, body.data], ["webhook.test", { endpoint_id: endpoint.endpoint_id }]);
    const strangers = `${own}/${stranger.endpoint.endpoint_id}/deliveries/${stranger.event_id}`;
    assert.equal((await developer.request("GET", strangers)).statusCode, 404);
    assert.equal((await developer.request("POST", `${strangers}/redeliver`)).statusCode, 404);
  });

  it("need a verified address, because a test event goes to an address of somebody's choice", async () => {
    const answer = await unverified.request("POST", own, { body: { url: sampleHook } });
    assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [403, "forbidden"]);
    assert.deepEqual((await list(unverified, own)).endpoints, []);
  });
});
