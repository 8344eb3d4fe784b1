// A process of its own: every app of the process says which routes it has.
/** Nobody fills the audit log, or the operators' events, through the dashboard. Generated from the route table. */
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { LimitOutcome } from "../src/access/limits/limiter.ts";
import type { Store } from "../src/store/store.ts";
import { operators } from "../src/webhooks/events/write-events.ts";
import { describeBothStores } from "./both-stores.ts";
import { collectRoutes } from "./faults/fuzz/run-fuzz.ts";
import { plantFinding } from "./money/plant-finding.ts";
import { openApp, type OpenedApp } from "./open-app.ts";
import { goodPassword, makeSignInAccount } from "./people/browser.ts";
import { injectBrowser, type InjectedBrowser, injectSignIn } from "./people/inject-browser.ts";

const dashboard = "/dashboard/api";
/** Changes that need no session. Each counts by itself (people/throttle.ts), but for signing out, which writes only what it finds. */
const withoutSession = new Set(["sign-up/email", "send-verification-email", "sign-in/email", "two-factor/verify-totp", "two-factor/verify-backup-code", "request-password-reset", "reset-password", "verify-email", "sign-out"].map((name) => `POST ${dashboard}/auth/${name}`));

const perMinute = 100;
/** Of revocations and changes of credentials, per session. */
const defencesPerMinute = 20;
const defences = ["POST auth/revoke-session", "POST auth/revoke-other-sessions", "POST auth/change-password", "POST auth/two-factor/enable", "POST auth/two-factor/disable", "POST auth/two-factor/generate-backup-codes", "DELETE keys/:key_id"].map((name) => name.replace(" ", ` ${dashboard}/`));
/** As in people/throttle.ts. */
const addressesPerHour = 5;

const full = { remaining: 0, resetSeconds: 17 };
const refusal: LimitOutcome = { allowed: false, limit: "burst", retryAfterSeconds: 17, hour: full, burst: full };

describeBothStores("changes in the dashboard", (open) => {
  const routes = collectRoutes();
  let opened: OpenedApp;
  let store: Store;
  let isFull = false;
  const asked = new Set<string>();
  let storeWrites = 0;

  before(async () => {
    const database = await open();
    ({ store } = database);
    opened = await openApp({ ...(database.databaseUrl !== undefined && { DATABASE_URL: database.databaseUrl }) }, {
      dataDir: database.dataDir,
      adapt(deps) {
        const consume: typeof deps.limiter.consume = (subject, quota) => {
          asked.add(subject);
          return isFull ? refusal : deps.limiter.consume(subject, quota);
        };
        const write: typeof deps.store.write = (...given) => {
          storeWrites += 1;
          return deps.store.write(...given);
        };
        return { ...deps, limiter: { ...deps.limiter, consume }, store: { ...deps.store, write } };
      },
    });
  });
  after(() => opened.close());

  const countNotes = async (accountId: string) => (await store.db.selectFrom("audit_log").select("id").where("account_id", "=", accountId).execute()).length;
  const readEvents = (audience: string, type: string) => store.db.selectFrom("webhook_events").select("id").where("audience", "=", audience).where("type", "=", type).execute();

  const readTypes = async (audience: string) => (await store.db.selectFrom("webhook_events").select("type").where("audience", "=", audience).orderBy("type").execute()).map(({ type }) => type);

  async function plantWaiting(accountId: string): Promise<string> {
    const row = { id: `wait_${accountId}`, account_id: accountId, day: 0, reason: "crowded_network" as const, items: 1, developer_micro: 1, detail: JSON.stringify({ kind: "crowded_network", clicks: 11, settled: 10 }), at: 0 };
    await store.db.insertInto("waiting_earnings").values({ ...row, statement: null, stated_at: null, decision: null, resolution: null, decided_by: null, decided_at: null }).execute();
    return row.id;
  }

  async function makePerson(operator = false): Promise<{ accountId: string; browser: InjectedBrowser }> {
    const account = await makeSignInAccount(store, { operator });
    return { accountId: account.accountId, browser: await injectSignIn(opened, account) };
  }

  it("count in a window of their account's, or of their session's if they defend it, every one of them, and reads do not [threat: write-flood]", async () => {
    const { accountId, browser } = await makePerson(true);
    const paths = routes.filter(({ url }) => url.startsWith(`${dashboard}/`)).map(({ method, url }) => ({ method, name: `${method} ${url}`, url: url.replaceAll(/:\w+/g, "x") }));
    const writes = paths.filter(({ method, name }) => method !== "GET" && !withoutSession.has(name));
    assert(writes.length > 60, `${writes.length} routes`);
    const { id: sessionId } = await store.db.selectFrom("sign_ins").select("id").where("account_id", "=", accountId).executeTakeFirstOrThrow();
    const askedBy: Record<string, string[]> = {};
    isFull = true;
    try {
      const unlimited: string[] = [];
      for (const { method, name, url } of writes) {
        asked.clear();
        const answer = await browser.request(method, url, { body: {} });
        const { error, retry_after: retryAfter } = answer.json<{ error: string; retry_after: number }>();
        if (answer.statusCode !== 429 || error !== "rate_limit_exceeded" || retryAfter !== 17 || answer.headers["retry-after"] !== "17") unlimited.push(`${name} ${answer.statusCode}`);
        (askedBy[[...asked].join(" and ")] ??= []).push(name);
      }
      assert.deepEqual(unlimited, []);
      assert.deepEqual(Object.keys(askedBy).toSorted(), [`defence-writes:${sessionId}`, `operator-writes:${accountId}`, `writes:${accountId}`]);
      // Every app of the process has said its routes.
      assert.deepEqual([...new Set(askedBy[`defence-writes:${sessionId}`])].toSorted(), defences.toSorted());
      assert.equal((await browser.request("GET", `${dashboard}/settings`)).statusCode, 200);
    } finally {
      isFull = false;
    }
  });

  it("are not what signing out is for whoever invents a cookie: nothing is written [threat: write-flood]", async () => {
    const { accountId, browser } = await makePerson();
    const invented = injectBrowser(opened);
    const signOut = (from: InjectedBrowser) => from.request("POST", `${dashboard}/auth/sign-out`);
    const writesBefore = storeWrites;
    for (let round = 0; round < 20; round += 1) {
      invented.cookies.set("__Host-assay_session", `invented-${round}`);
      const answer = await signOut(invented);
      assert.equal(answer.statusCode, 200);
      assert.equal(invented.cookies.has("__Host-assay_session"), false, "the browser forgets it all the same");
    }
    assert.equal(storeWrites, writesBefore);
    const copied = new Map(browser.cookies);
    assert.equal((await signOut(browser)).statusCode, 200);
    assert.equal(storeWrites, writesBefore + 1);
    for (const [name, value] of copied) browser.cookies.set(name, value);
    assert.equal((await browser.request("GET", `${dashboard}/settings`)).statusCode, 401, accountId);
  });

  it("fill neither the audit log nor anybody's events, however many are sent [threat: write-flood]", async () => {
    const { accountId, browser } = await makePerson();
    const { accountId: otherId, browser: other } = await makePerson();
    const { findingId } = await plantFinding(store, { accountId, nowMs: opened.deps.nowMs(), calls: 2 });
    const waitingId = await plantWaiting(accountId);
    const notesBefore = await countNotes(accountId);
    let taken = 0;
    let refused = 0;
    for (let round = 0; round < 500; round += 1) {
      const answers = await Promise.all([
        browser.request("POST", `${dashboard}/tier-requests`, { body: { tier: round % 2 === 0 ? "Growth" : "Scale" } }),
        browser.request("POST", `${dashboard}/findings/${findingId}/answer`, { body: { text: `answer ${round}` } }),
        browser.request("PATCH", `${dashboard}/settings`, { body: { house_ads: round % 2 === 0 } }),
        browser.request("POST", `${dashboard}/waiting/${waitingId}/statement`, { body: { text: `statement ${round}` } }),
        browser.request("POST", `${dashboard}/auth/change-email`, { body: { newEmail: `stranger-${round}@example.com`, password: goodPassword } }),
      ]);
      // Not beside the others: it gives this browser another token, and ends what was begun with the one before.
      answers.push(await browser.request("POST", `${dashboard}/auth/revoke-other-sessions`));
      taken += answers.filter(({ statusCode }) => statusCode === 200).length;
      refused += answers.filter(({ statusCode }) => statusCode === 429).length;
    }
    assert.equal(taken + refused, 3_000);
    // Each change counts, also one that is refused for another reason, as most of the addresses are.
    assert(taken >= perMinute / 2 + defencesPerMinute && taken <= 1_200, `${taken} were taken`);
    assert((await countNotes(accountId)) - notesBefore <= taken);
    assert.equal((await readEvents(operators, "tier.requested")).length, 1);
    assert.equal((await readEvents(operators, "finding.answered")).length, 1);
    assert.equal((await readEvents(accountId, "finding.answered")).length, 1);
    assert.deepEqual(await readTypes(operators), ["finding.answered", "tier.requested"], "nobody is told of a statement, nor of an address");
    assert.equal((await store.db.selectFrom("mails").select("id").where("recipient", "like", "stranger-%").execute()).length, addressesPerHour);
    assert.equal((await other.request("PATCH", `${dashboard}/settings`, { body: { house_ads: false } })).statusCode, 200, otherId);
  });

  it("with a stolen cookie leave the owner room to end it: neither its own window nor the account's holds back another session [threat: write-flood]", async () => {
    const account = await makeSignInAccount(store);
    const stolen = await injectSignIn(opened, account);
    const { id: stolenId } = await store.db.selectFrom("sign_ins").select("id").where("account_id", "=", account.accountId).executeTakeFirstOrThrow();
    const owner = await injectSignIn(opened, account);
    const post = (browser: InjectedBrowser, path: string, body: object = {}) => browser.request("POST", dashboard + path, { body });
    const made = await Promise.all([1, 2].map((number) => post(owner, "/keys", { name: `key ${number}`, mode: "test" })));
    const keyIds = made.map((answer) => answer.json<{ key: { key_id: string } }>().key.key_id);
    const flood = async (send: () => Promise<{ statusCode: number }>) => {
      for (let sent = 0; sent <= perMinute; sent += 1) if ((await send()).statusCode === 429) return sent;
      return undefined;
    };
    assert.equal(await flood(() => stolen.request("PATCH", `${dashboard}/settings`, { body: { house_ads: true } })), perMinute - made.length);
    assert.equal((await owner.request("PATCH", `${dashboard}/settings`, { body: { house_ads: true } })).statusCode, 429);
    assert.equal(await flood(() => post(stolen, "/auth/revoke-session", { id: "none" })), defencesPerMinute);
    assert.equal((await stolen.request("DELETE", `${dashboard}/keys/${keyIds[0]}`)).statusCode, 429, "one window for all of these");

    assert.equal((await owner.request("DELETE", `${dashboard}/keys/${keyIds[0]}`)).statusCode, 200);
    assert.equal((await post(owner, "/auth/revoke-session", { id: stolenId })).statusCode, 200);
    assert.equal((await post(owner, "/auth/revoke-other-sessions")).statusCode, 200);
    assert.equal((await post(owner, "/auth/change-password", { currentPassword: account.password, newPassword: "eleven loud sparrows" })).statusCode, 200);
    assert.equal((await post(owner, "/auth/two-factor/enable", { password: "eleven loud sparrows" })).statusCode, 200);
    assert.equal((await stolen.request("GET", `${dashboard}/me`)).statusCode, 401);
  });

  it("that change nothing are not noted again, and one pending request is one row [threat: write-flood]", async () => {
    const { accountId, browser } = await makePerson();
    const { findingId } = await plantFinding(store, { accountId, nowMs: opened.deps.nowMs(), calls: 2 });
    const waitingId = await plantWaiting(accountId);
    const created = await browser.request("POST", `${dashboard}/keys`, { body: { name: "a key", mode: "test" } });
    const { key_id: keyId } = created.json<{ key: { key_id: string } }>().key;
    const site = (await browser.request("POST", `${dashboard}/sites`, { body: { name: "a site", origins: ["https://shop.example"] } })).json<{ site_id: string }>();
    const same: [method: string, path: string, body: object][] = [
      ["PATCH", "/settings", { house_ads: false, session_retention_days: 30 }],
      ["PATCH", `/keys/${keyId}`, { name: "renamed" }],
      ["PATCH", `/sites/${site.site_id}`, { name: "renamed", origins: ["https://shop.example"] }],
      ["POST", "/tier-requests", { tier: "Growth" }],
      ["POST", `/findings/${findingId}/answer`, { text: "a school class" }],
      ["PUT", "/notices", { topic: "limits", wanted: true }],
      ["POST", `/waiting/${waitingId}/statement`, { text: "a load test" }],
    ];
    for (const [method, path, body] of same) {
      const notesBefore = await countNotes(accountId);
      for (let round = 0; round < 5; round += 1) {
        const answer = await browser.request(method, dashboard + path, { body });
        assert.equal(answer.statusCode, 200, `${path} ${answer.body}`);
      }
      assert.equal((await countNotes(accountId)) - notesBefore, 1, path);
    }
    assert.equal((await store.db.selectFrom("tier_requests").select("id").where("account_id", "=", accountId).execute()).length, 1);
  });
});
