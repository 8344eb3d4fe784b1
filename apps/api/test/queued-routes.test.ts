// A process of its own: it wraps the handlers of every app of the process.
/** What one key or one session asks for, of any route, never keeps another account waiting. Generated from the route table. */
import assert from "node:assert/strict";
import type { FastifyInstance, RouteHandlerMethod } from "fastify";
import { subscribe } from "node:diagnostics_channel";
import { after, before, it } from "node:test";
import { timeOrderedId } from "../src/ids/time-ordered-id.ts";
import { selectEntries } from "../src/money/ledger/ledger.table.ts";
import type { Store } from "../src/store/store.ts";
import { developerSamples, keyedSamples, methodOf, operatorSamples, pathOf, type SampleIds } from "./access/route-samples.ts";
import { describeBothStores } from "./both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "./make-account.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { openApp, type OpenedApp } from "./open-app.ts";
import { makeSignInAccount } from "./people/browser.ts";
import { injectBrowser, type InjectedBrowser, injectSignIn } from "./people/inject-browser.ts";
import { goodBody, waitUntil } from "./send.ts";

/** Of one route. How much may wait is tested with the ledger's entries, and in queues/fair-queue.test.ts. */
const floodSize = 12;
/** As in http/queue-reports.ts. */
const perAccountMax = 2;
const waitingPerAccountMax = 150;
/** Answered one after the other while the flood lasts, each of them before this many of its pages. */
const callsDuringFlood = 3;
const pagesPerCallMax = (waitingPerAccountMax + perAccountMax) / 4;
/** Of any list, for an account that has many of everything. */
const answerBytesMax = 256 * 1024;
const keysMade = 1_000;

/** Routes that do not wait for a turn, and what they read instead of rows. */
const oneRowRoutes: Record<string, string> = {
  "GET /api/sessions/:session_id": "a session's record, and its day",
  "GET /dashboard/api/me": "the signed-in account",
  "GET /dashboard/api/payee": "the account's payee",
};

/** Changes whose answer is a list. Analyses and calibrations take a turn themselves. */
const readingWrites = [
  "POST /dashboard/api/findings/:finding_id/answer",
  "POST /dashboard/api/findings/:finding_id/accept",
  "POST /dashboard/api/waiting/:waiting_id/statement",
  "POST /dashboard/api/webhooks/:endpoint_id/replay",
  "POST /dashboard/api/operator/waiting/:waiting_id/decide",
  "POST /dashboard/api/operator/accounts/:account_id/waiting-allowance",
  "POST /dashboard/api/operator/webhooks/:endpoint_id/replay",
];

/** The route's handler holds requests that carry this header. */
const floodHeader = { "x-flood": "1" };
const held = { begun: 0, gate: Promise.resolve(), open: () => {} };

function hold(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  Object.assign(held, { begun: 0, gate: promise, open: resolve });
}

type SeenRoute = { name: string; readsOneRow: boolean; readsMany: boolean };

/** Routes of apps opened from now on. Their handlers hold a flood before they read anything. */
function watchRoutes(): Map<string, SeenRoute> {
  const routes = new Map<string, SeenRoute>();
  subscribe("fastify.initialization", (message) => {
    const { fastify: app } = message as { fastify: FastifyInstance };
    // Before the app's own hooks: what they wrap around a handler is outside of this.
    app.addHook("onRoute", (route) => {
      const { config = {} } = route;
      // HEAD comes with GET. Routes for several methods are those that answer 405.
      const [method, ...more] = [route.method].flat().filter((each) => each !== "HEAD");
      if (method !== undefined && more.length === 0) {
        const name = `${method} ${route.url}`;
        routes.set(name, { name, readsOneRow: "readsOneRow" in config, readsMany: "readsMany" in config });
      }
      const { handler } = route;
      const handleHeld: RouteHandlerMethod = function handleHeld(request, reply) {
        if (request.headers["x-flood"] === undefined) return handler.call(this, request, reply);
        held.begun += 1;
        return held.gate.then(() => handler.call(this, request, reply));
      };
      route.handler = handleHeld;
    });
  });
  return routes;
}

const seen = watchRoutes();

/** Valid for the routes' schemas. Nothing has them. */
const noIds: SampleIds = {
  accountId: "acct_00000000000000000001",
  email: "nobody@example.com",
  sessionId: "sess_00000000000000000001",
  keyId: "key_00000000000000000001",
  siteId: "site_00000000000000000001",
  requestId: "req_00000000000000000001",
  signInId: "sign_00000000000000000001",
  earlierAccountId: "acct_00000000000000000002",
  payoutId: "pay_00000000000000000001",
  otherPayoutId: "pay_00000000000000000002",
  otherAccountId: "acct_00000000000000000003",
  findingId: "find_00000000000000000001",
  acceptableId: "find_00000000000000000002",
  tierRequestId: "treq_00000000000000000001",
  advertiserId: "adv_00000000000000000001",
  campaignId: "camp_00000000000000000001",
  creativeId: "crea_00000000000000000001",
  offerId: "ad_00000000000000000001",
  month: "2026-01",
  pendingDay: "2026-01-01",
  webhook: { endpointId: "wh_00000000000000000001", eventId: "evt_00000000000000000001" },
  operatorWebhook: { endpointId: "wh_00000000000000000002", eventId: "evt_00000000000000000002" },
};

const samples = { ...keyedSamples(noIds), ...developerSamples(noIds), ...operatorSamples(noIds) };

describeBothStores("while one account asks for the same thing again and again", (open, dialect) => {
  let opened: OpenedApp;
  let store: Store;
  let loud: TestAccount;
  let quiet: TestAccount;
  let browsers: Record<"loud" | "quiet", InjectedBrowser>;

  before(async () => {
    const database = await open();
    ({ store } = database);
    opened = await openApp({ ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }) }, { dataDir: database.dataDir });
    quiet = await makeAccount(store, { tier: vastTier });
    const signIn = async () => injectSignIn(opened, await makeSignInAccount(store, { operator: true }));
    browsers = { loud: await signIn(), quiet: await signIn() };
    // Its key is in memory from now on.
    await predictQuiet();
  });
  after(() => opened.close());

  const keys = () => ({ loud: loud.liveKey, quiet: quiet.liveKey });
  const predictQuiet = async () => (await injectBrowser(opened).request("POST", "/api/ml/predict", { body: goodBody, headers: { "x-api-key": quiet.liveKey } })).statusCode;

  function ask(route: string, who: "loud" | "quiet", headers: Record<string, string> = {}) {
    const sample = samples[route];
    assert(sample, `${route} has no sample in route-samples.ts`);
    const isKeyed = !route.includes(" /dashboard/");
    const browser = isKeyed ? injectBrowser(opened) : browsers[who];
    return browser.request(methodOf(route), pathOf(route, sample), { body: sample.body, headers: { ...sample.headers, ...headers, ...(isKeyed && { "x-api-key": keys()[who] }) } });
  }

  /** Those that refuse whoever has neither a key nor a session. */
  async function findGuardedReads(): Promise<SeenRoute[]> {
    const guarded: SeenRoute[] = [];
    for (const route of seen.values()) {
      if (methodOf(route.name) !== "GET") continue;
      const { statusCode } = await injectBrowser(opened).request(methodOf(route.name), samples[route.name] ? pathOf(route.name, samples[route.name]!) : route.name.replace(/^\w+ /, ""));
      if (statusCode === 401) guarded.push(route);
    }
    return guarded;
  }

  async function flood(route: string): Promise<void> {
    // A new one, whose windows are empty.
    loud = await makeAccount(store, { tier: vastTier });
    hold();
    const answers = Array.from({ length: floodSize }, () => ask(route, "loud", floodHeader));
    try {
      // Its key is read first, which takes as long as the database does.
      await waitUntil(() => held.begun >= perAccountMax, `${route} is under way`);
      assert.equal(await predictQuiet(), 200, `a billed call while ${route} is flooded`);
      const own = await ask(route, "quiet");
      assert(own.statusCode < 500, `another account's ${route}: ${own.statusCode} ${own.body}`);
      assert.equal(held.begun, perAccountMax, `${route}: ${held.begun} were under way at once: it must wait for a turn (http/queue-reports.ts)`);
    } finally {
      held.open();
      await Promise.all(answers);
    }
    for (const answer of answers) assert((await answer).statusCode < 500, route);
    assert.equal(held.begun, floodSize, `${route} was reached by each`);
  }

  it("every read with a key or a session waits for its account's turn, two at once, and another account's calls and reads do not [threat: report-flood]", async () => {
    const guarded = await findGuardedReads();
    assert(guarded.length > 60, `${guarded.length} routes`);
    assert.deepEqual(guarded.filter(({ readsOneRow }) => readsOneRow).map(({ name }) => name).toSorted(), Object.keys(oneRowRoutes).toSorted());
    for (const { name } of guarded.filter(({ readsOneRow }) => !readsOneRow)) await flood(name);
  });

  it("every write that reads much for it does the same", async () => {
    assert.deepEqual([...seen.values()].filter(({ readsMany }) => readsMany).map(({ name }) => name), readingWrites);
    for (const name of readingWrites) await flood(name);
  });

  const fillLedger = async (accountId: string) => {
    const charger = makeCharger(store, { nowMs: Date.now() });
    await Promise.all(Array.from({ length: 1_000 }, () => charger.charge(makeCharge({ accountId, atMs: Date.now() }))));
    assert.equal((await selectEntries(store.db, { accountId, afterSeq: 0, limit: 1_000 }).execute()).length, 1_000);
  };

  it("billed calls are answered before all but a few pages of the ledger that already wait [threat: report-flood]", async (t) => {
    loud = await makeAccount(store, { tier: vastTier });
    await fillLedger(loud.accountId);
    const url = "/api/ledger/entries?limit=1000";
    let answered = 0;
    let read = 0;
    const firstIsRead = Promise.withResolvers<void>();
    const answers = Array.from({ length: 950 }, async () => {
      const { statusCode } = await opened.app.inject({ url, headers: { "x-api-key": loud.liveKey } });
      if (statusCode !== 200) return;
      answered += 1;
      firstIsRead.resolve();
    });
    await firstIsRead.promise;
    const meanwhile: number[] = [];
    for (let call = 0; call < callsDuringFlood; call += 1) {
      const had = answered;
      assert.equal(await predictQuiet(), 200);
      meanwhile.push(answered - had);
    }
    read = answered;
    await Promise.all(answers);
    t.diagnostic(`${dialect}: ${meanwhile.join(", ")} pages while each call was answered, ${answered} in all`);
    assert.equal(answered, waitingPerAccountMax + perAccountMax, "the others were refused");
    assert(meanwhile.every((pages) => pages <= pagesPerCallMax) && read < answered, `${meanwhile.join(", ")} of ${answered} pages were read first`);
  });

  it("no list is long: an account that has many of everything gets pages [threat: report-flood]", async (t) => {
    loud = await makeAccount(store, { tier: vastTier });
    const owner = await makeSignInAccount(store, { operator: true });
    browsers.loud = await injectSignIn(opened, owner);
    const accountIds = [loud.accountId, owner.accountId];
    for (const accountId of accountIds) {
      await fillLedger(accountId);
      const rows = Array.from({ length: keysMade }, () => timeOrderedId("key", Date.now())).map((id) => ({
        id,
        account_id: accountId,
        mode: "live" as const,
        name: "n".repeat(80),
        key_hash: id,
        last_four: "abcd",
        created_at: Date.now(),
        last_used_at: null,
        expires_at: null,
        revoked_at: Date.now(),
      }));
      await store.write([store.db.insertInto("api_keys").values(rows)]);
    }
    const lengths = new Map<string, number>();
    for (const { name } of await findGuardedReads()) {
      const { body, statusCode } = await ask(name, "loud");
      assert(statusCode < 500, name);
      lengths.set(name, Buffer.byteLength(body));
    }
    for (const [name, query] of Object.entries({ "/api/ledger/entries": "limit=1000", "/dashboard/api/ledger": "limit=1000", "/dashboard/api/usage": "group=key" })) {
      const isKeyed = name.startsWith("/api/");
      const { body, statusCode } = await (isKeyed ? injectBrowser(opened) : browsers.loud).request("GET", `${name}?${query}`, { headers: isKeyed ? { "x-api-key": loud.liveKey } : {} });
      assert.equal(statusCode, 200, `${name}: ${body}`);
      lengths.set(`${name}?${query}`, Buffer.byteLength(body));
    }
    const longest = [...lengths].toSorted(([, one], [, other]) => other - one);
    t.diagnostic(longest.slice(0, 8).map(([name, bytes]) => `${name} ${Math.round(bytes / 1_024)} KB`).join(", "));
    assert.deepEqual(longest.filter(([, bytes]) => bytes > answerBytesMax), []);
  });
});
