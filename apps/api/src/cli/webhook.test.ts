import type { DeliveryDetailReply, DeliveryItem, EndpointItem } from "@assay/contract/dashboard/webhooks.ts";
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Assay, assayOn } from "../../test/cli/run-assay.ts";
import { testSecretKey } from "../../test/start-service.ts";
import { makeAccount } from "../../test/make-account.ts";
import { createSealer } from "../secrets/sealer.ts";
import { openSecret } from "../webhooks/endpoints/endpoint-secret.ts";
import { eventStatements } from "../webhooks/events/write-events.ts";

type Created = { id: string; secret: string; url: string; types: string[] | null; test_event_id: string };
type Listed = Omit<EndpointItem, "endpoint_id"> & { id: string; owner: string };

const url = "http://127.0.0.1:9/assay";

describeBothStores("webhook commands", (open) => {
  let database: TestDatabase;
  let assay: Assay;
  let email: string;
  let accountId: string;

  before(async () => {
    database = await open();
    assay = assayOn({ ...database, env: { SECRET_KEY: testSecretKey, WEBHOOK_LOOPBACK: "on" } });
    ({ email, accountId } = await makeAccount(database.store));
  });

  const create = (...words: string[]) => assay.json<Created>("webhook", "create", "--url", url, ...words);
  const list = (...words: string[]) => assay.json<Listed[]>("webhook", "list", ...words);
  const remove = (id: string) => assay.json("webhook", "delete", id);

  it("create endpoints of an account and of the operators, whose secrets the service can open and no list shows", async () => {
    const own = await create("--email", email, "--events", "payout.paid, hold.opened");
    const shared = await create("--operators");
    assert.deepEqual([own.types, shared.types], [["payout.paid", "hold.opened"], null]);
    const row = await database.store.db.selectFrom("webhook_endpoints").select(["secret", "audience"]).where("id", "=", own.id).executeTakeFirstOrThrow();
    assert.deepEqual([openSecret(createSealer({ secretKey: testSecretKey, previous: [] }), own.id, row.secret), row.audience], [own.secret, accountId]);
    assert.deepEqual((await list()).map(({ id, owner, types }) => [id, owner, types]), [[own.id, email, ["payout.paid", "hold.opened"]], [shared.id, "operators", null]]);
    assert.deepEqual((await list("--email", email)).map(({ id }) => id), [own.id]);
    assert.deepEqual((await list("--operators")).map(({ id }) => id), [shared.id]);
    const shown = [JSON.stringify(await list()), (await assay.run("webhook", "list")).stdout].join();
    assert.match(shown, new RegExp(own.id));
    assert.doesNotMatch(shown, /whsec_|"secret"/);
    await remove(own.id);
    await remove(shared.id);
    assert.deepEqual(await list(), []);
  });

  it("test, log, redeliver, replay, rotate, pause and resume an endpoint", async () => {
    const { store } = database;
    // The account's keys are told of too.
    const { id, secret, test_event_id: eventId } = await create("--email", email, "--events", "payout.paid");
    const paid = eventStatements(store.db, { audience: accountId, type: "payout.paid", data: { account_id: accountId, payout_id: "po_1", month: "2026-01", amount_usd: 3.5 } }, { nowMs: Date.now() });
    await store.write(paid);
    const { event_id: second } = await assay.json<{ event_id: string }>("webhook", "test", id);
    const log = () => assay.json<DeliveryItem[]>("webhook", "log", id);
    assert.deepEqual((await log()).map(({ type, state }) => `${type} ${state}`), ["webhook.test pending", "payout.paid pending", "webhook.test pending"]);
    assert.deepEqual((await log()).map(({ event_id: each }) => each).toSpliced(1, 1), [second, eventId]);
    await store.db.updateTable("webhook_deliveries").set({ state: "failed", attempts: 10, last_status: 500, done_at: 1 }).where("endpoint_id", "=", id).execute();
    assert.deepEqual(await assay.json("webhook", "redeliver", id, eventId), { id, event_id: eventId, state: "pending" });
    assert.deepEqual((await assay.json<DeliveryItem[]>("webhook", "log", id, "--state", "pending")).map(({ event_id: each }) => each), [eventId]);
    const from = new Date(Date.now() - 60_000).toISOString();
    assert.deepEqual(await assay.json("webhook", "replay", id, "--from", from), { id, events: 1, queued: 1, next_from: null });
    const detail = await assay.json<DeliveryDetailReply>("webhook", "log", id, eventId);
    assert.deepEqual(JSON.parse(detail.body).data, { endpoint_id: id });
    assert.match((await assay.run("webhook", "log", id, eventId)).stdout, /webhook\.test/);
    const rotated = await assay.json<{ secret: string; previous_secret_until: string }>("webhook", "rotate", id);
    assert.notEqual(rotated.secret, secret);
    assert.equal((await list("--email", email))[0]!.previous_secret_until, rotated.previous_secret_until);
    assert.deepEqual(await assay.json("webhook", "pause", id), { id, state: "paused" });
    assert.match(await assay.refusal("webhook", "test", id), /paused: resume it first/);
    assert.deepEqual(await assay.json("webhook", "resume", id), { id, state: "active" });
    await remove(id);
  });

  it("refuse with one clear line", async () => {
    assert.match(await assay.refusal("webhook", "create", "--url", url), /--email, or --operators/);
    assert.match(await assay.refusal("webhook", "create", "--url", url, "--email", email, "--operators"), /not both/);
    assert.match(await assay.refusal("webhook", "create", "--url", "http://hooks.example.com/", "--email", email), /must start with https/);
    assert.match(await assay.refusal("webhook", "create", "--url", url, "--email", email, "--events", "campaign.exhausted"), /types must be events/);
    assert.match(await assay.refusal("webhook", "test", "wh_unknown"), /no webhook endpoint has the id wh_unknown/);
    assert.match((await assay.run("webhook", "replay", "wh_x", "--from", "yesterday")).stderr, /must be a time such as/);
    const other = await makeAccount(database.store);
    await database.store.db.updateTable("accounts").set({ status: "suspended" }).where("id", "=", other.accountId).execute();
    assert.match(await assay.refusal("webhook", "create", "--url", url, "--email", other.email), /is suspended/);
    assert.deepEqual(await list(), []);
  });
});
