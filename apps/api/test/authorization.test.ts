// A process of its own: every app of the process says which route has answered.
/** Who may do what: every route, as everybody who may not use it, with requests that succeed for somebody who may. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { issueKey } from "../src/access/keys/issue-key.ts";
import { revokeKey } from "../src/access/keys/revoke-key.ts";
import { createSite } from "../src/attestation/sites/manage-sites.ts";
import { msPerDay, msPerMinute } from "../src/formats/time.ts";
import { dayText } from "../src/money/days/day-refs.ts";
import { fundPlatform } from "../src/money/payouts/platform-money.ts";
import { proposePayouts } from "../src/money/payouts/propose-payouts.ts";
import { resetPassword, suspendAccount } from "../src/people/change-account.ts";
import type { Store } from "../src/store/store.ts";
import { operators } from "../src/webhooks/events/write-events.ts";
import { createEndpoint } from "../src/webhooks/manage/manage-endpoints.ts";
import { extend } from "./log/log-context.ts";
import { fillOutcomes } from "./scoring/fill-outcomes.ts";
import { developerSamples, keyedSamples, methodOf, operatorSamples, pathOf, type Sample, sampleHook, type SampleIds, type Samples, type WebhookIds } from "./access/route-samples.ts";
import { findNoteFaults, notesOfRoutes } from "./access/noted-changes.ts";
import { makeCampaignToken } from "../src/ads/conversions/campaign-token.ts";
import { makeCampaign } from "./ads/serving/make-campaign.ts";
import { makeOffer } from "./ads/serving/make-offers.ts";
import { browserAgent } from "./ads/serving/send-tracking.ts";
import { readTables } from "./dump-database.ts";
import { collectRoutes } from "./faults/fuzz/run-fuzz.ts";
import { makeAccount, type TestAccount, vastTier } from "./make-account.ts";
import { growthLimits } from "./money/growth-limits.ts";
import { makeEarner, settleDayOf } from "./money/make-earner.ts";
import { plantFinding } from "./money/plant-finding.ts";
import { makeCharge, makeCharger } from "./make-charge.ts";
import { openApp, type OpenedApp } from "./open-app.ts";
import { goodPassword, makeSignInAccount } from "./people/browser.ts";
import { tokenIn } from "./people/confirm-address.ts";
import { injectBrowser, type InjectedBrowser, injectSignIn } from "./people/inject-browser.ts";
import { codeOf } from "./people/totp.ts";
import { goodBody, waitUntil } from "./send.ts";

/** The routes that take anybody's requests, and what keeps that safe. */
const publicRoutes: Record<string, string> = {
  "GET /": "a page without data",
  "GET /model-card": "a page about the model",
  "GET /favicon.ico": "a picture",
  "GET /docs": "the reference of the API",
  "GET /clients": "a page about the clients",
  "GET /clients/*": "the clients, which package managers fetch",
  "GET /clients/php/packages.json": "the list that Composer fetches",
  "GET /openapi.json": "the description of the API",
  "GET /health/live": "for supervisors",
  "GET /health/ready": "for load balancers",
  "GET /api/status": "version, price and tiers",
  "GET /t/i/:token": "for visitors, with a signed token",
  "GET /t/c/:token": "for visitors, with a signed token",
  "GET /cdn/:file": "pictures of ads, for visitors",
  "OPTIONS /c/v1/start": "what a browser asks before a page sends JSON",
  "OPTIONS /c/v1/beat": "what a browser asks before a page sends JSON",
  "POST /c/v1/start": "for pages, with a site's id, which is public",
  "POST /c/v1/beat": "for pages, with a sealed token",
  "GET /c/v1/collector.js": "the script that pages load",
  "GET /unsubscribe": "with a signed token from a mail; changes nothing",
  "POST /unsubscribe": "with a signed token from a mail, which names the account",
  "GET /dashboard": "pages without data",
  "GET /dashboard/*": "pages without data",
  "GET /dashboard/assets/*": "scripts and styles of the pages",
  "GET /dashboard/logo.svg": "a picture",
  "GET /dashboard/licences.txt": "the licences of what the pages contain",
  "GET /dashboard/color-scheme.js": "a script of the pages",
  "GET /dashboard/api/auth/options": "which fields the sign-in page shows",
  "POST /dashboard/api/auth/sign-up/email": "sign-up",
  "POST /dashboard/api/auth/send-verification-email": "sign-up; the answer does not depend on the address",
  "GET /dashboard/api/auth/verify-email": "leads to the page, whatever the token",
  "POST /dashboard/api/auth/verify-email": "with a mailed token",
  "GET /dashboard/api/auth/confirm-email": "leads to the page, whatever the token",
  "POST /dashboard/api/auth/sign-in/email": "with a password",
  "POST /dashboard/api/auth/two-factor/verify-totp": "with the cookie of a password, and a code",
  "POST /dashboard/api/auth/two-factor/verify-backup-code": "with the cookie of a password, and a recovery code",
  "POST /dashboard/api/auth/request-password-reset": "the answer does not depend on the address",
  "POST /dashboard/api/auth/reset-password": "with a mailed token",
  "POST /dashboard/api/auth/sign-out": "ends only the session of its own cookie",
};

/** Routes that need a campaign's token; without it nobody learns whether the campaign exists. */
const tokenRoutes = ["POST /api/campaigns/:campaign_id/conversions"];

/** For this machine only, unless a token is set; other machines are refused. */
const localRoutes: Record<string, number> = {
  "GET /metrics": 403,
  "GET /dashboard/mailbox": 404,
  "GET /dashboard/mailbox/:id": 404,
  "GET /dashboard/mailbox/:id/html": 404,
};

/** Written by background work or by counting requests, also refused ones. */
const notCompared = new Set(["jobs", "request_hours", "request_logs", "throttles", "logs", "log_runs", "log_tiles", "log_checkpoints", "log_cosignatures", "webhook_deliveries", "webhook_attempts", "live_offer_sums"]);
/** Written some time after a call, or an attempt to deliver an event. */
const lastUse = /"(last_used_at|last_attempt_at|last_success_at|failing_since)":\w+,?/g;

type Owner = TestAccount & { password: string; keyName: string; payeeName: string };

/** Postpones the jobs by less than the period of each: a later time would count as a clock's mistake. */
async function postponeJobs(store: Store): Promise<void> {
  await store.db.updateTable("jobs").set({ next_run_at: Date.now() + 9 * msPerMinute }).execute();
  const isRunning = async () => (await store.db.selectFrom("jobs").select("name").where("leased_until", ">", Date.now()).execute()).length > 0;
  await waitUntil(async () => !(await isRunning()), "no job runs");
}

/** An endpoint with an event that was sent to it. */
async function plantWebhook({ deps }: OpenedApp, audience: string): Promise<WebhookIds> {
  const { store, sealer, egress } = deps;
  const { endpointId, eventId } = await createEndpoint({ store, sealer, readUrl: egress.readUrl }, { audience, actorAccountId: null, nowMs: deps.nowMs(), url: sampleHook, types: null });
  await store.db.updateTable("webhook_deliveries").set({ state: "delivered", done_at: 1 }).where("endpoint_id", "=", endpointId).execute();
  return { endpointId, eventId };
}

/** An account with something of every kind that another account could ask for. */
async function makeOwner(opened: OpenedApp): Promise<{ owner: Owner; ids: Omit<SampleIds, "signInId"> }> {
  const { app, deps } = opened;
  const { store } = deps;
  const earnedMs = Date.now() - 90 * msPerDay;
  const account = await makeAccount(store, { tier: vastTier, nowMs: earnedMs });
  const { accountId, email, liveKey } = account;
  await resetPassword(store, { accountId, password: goodPassword, nowMs: Date.now() });
  const charger = makeCharger(store, { nowMs: earnedMs });
  await Promise.all(Array.from({ length: 20 }, () => charger.charge(makeCharge({ accountId, atMs: earnedMs }))));
  await settleDayOf(store, accountId, earnedMs);
  const pendingMs = Date.now() - 2 * msPerDay;
  await charger.charge(makeCharge({ accountId, atMs: pendingMs }));
  const [keyName, payeeName] = ["the owner's own key", "Planted Payee"];
  const { keyId } = await issueKey(store, { accountId, mode: "live", name: keyName, nowMs: Date.now() });
  const payee = { legal_name: payeeName, address: "London", country: "GB", tax_id: null, method: "paypal" as const, account: "else@example.com", bank_code: null };
  await store.db.insertInto("payee_profiles").values({ account_id: accountId, ...payee, updated_at: earnedMs }).execute();
  const { accountId: earlierAccountId } = await makeAccount(store);
  const mark = { kind: "tax" as const, mark: "planted mark" };
  await store.db.insertInto("payee_marks").values([{ ...mark, account_id: earlierAccountId, entered_at: 1 }, { ...mark, account_id: accountId, entered_at: 2 }]).execute();
  await fundPlatform(store, { microUsd: 10_000_000, nowMs: earnedMs, actorAccountId: null });
  const other = await makeEarner(store, { atMs: earnedMs, calls: 20 });
  const { proposed } = await proposePayouts(store, { ...growthLimits, nowMs: Date.now(), minimumMicroUsd: 500_000, actorAccountId: null });
  const payoutOf = (id: string) => proposed.find((payout) => payout.account_id === id)!.id;
  const { findingId: acceptableId } = await plantFinding(store, { accountId, nowMs: Date.now(), calls: 2 });
  await store.db.updateTable("findings").set({ closed_at: 1, decision: "dismissed", resolution: "a test" }).where("id", "=", acceptableId).execute();
  const call = await app.inject({ method: "POST", url: "/api/ml/predict", headers: { "x-api-key": liveKey }, payload: goodBody });
  const requestId = String(call.headers["x-request-id"]);
  await waitUntil(async () => (await store.db.selectFrom("request_logs").select("id").where("request_id", "=", requestId).execute()).length === 1, "the call is logged");
  const [tierRequestId, findingId] = ["treq_planted", "find_planted"];
  await store.db.insertInto("tier_requests").values({ id: tierRequestId, account_id: accountId, tier: "Scale", state: "pending", requested_at: 1, decided_at: null }).execute();
  const finding = { code: "clicks_too_regular", detail: "d", opened_at: 1, closed_at: null, resolution: null };
  await store.db.insertInto("findings").values({ id: findingId, account_id: accountId, ...finding }).execute();
  const waits = { account_id: accountId, reason: "crowded_network", items: 1, developer_micro: 1, detail: JSON.stringify({ kind: "crowded_network", clicks: 40, settled: 10 }), at: 1 } as const;
  await store.db.insertInto("waiting_earnings").values([{ ...waits, id: "wait_decided", day: 0 }, { ...waits, id: "wait_stated", day: 86_400_000 }]).execute();
  const campaign = await makeCampaign(store);
  const { campaignId } = campaign;
  const { advertiser_id: advertiserId } = await store.db.selectFrom("campaigns").select("advertiser_id").where("id", "=", campaignId).executeTakeFirstOrThrow();
  const creativeId = "crea_pending";
  const pending = { format: "banner" as const, status: "pending" as const, headline: "h", description: "", cta_text: "c", landing_url: "https://shop.example/" };
  await store.db.insertInto("creatives").values({ id: creativeId, campaign_id: campaignId, ...pending, created_at: 1 }).execute();
  await deps.inventory.refresh();
  const offer = await makeOffer(store, { accountId, campaign, atMs: Date.now() - 5_000 });
  await app.inject({ url: offer.clickPath, headers: { "user-agent": browserAgent } });
  await waitUntil(async () => (await store.db.selectFrom("clicks").select("offer_id").where("network_order", "is not", null).execute()).length === 1, "the click is paid, and its network counted");
  const sessionId = call.json<{ session_id: string }>().session_id;
  const month = new Date(earnedMs).toISOString().slice(0, "YYYY-MM".length);
  const { siteId } = await createSite(store, { accountId, actorAccountId: null, name: "the owner's own site", origins: ["https://shop.example"], nowMs: deps.nowMs() });
  const ids = { accountId, email, sessionId, keyId, siteId, requestId, earlierAccountId, payoutId: payoutOf(accountId), otherPayoutId: payoutOf(other.accountId), otherAccountId: other.accountId, findingId, acceptableId, tierRequestId, advertiserId, campaignId, creativeId, offerId: offer.id, month, pendingDay: dayText(pendingMs), webhook: await plantWebhook(opened, accountId), operatorWebhook: await plantWebhook(opened, operators) };
  return { owner: { ...account, password: goodPassword, keyName, payeeName }, ids };
}

describe("authorization", () => {
  const routes = collectRoutes();
  let opened: OpenedApp;
  let owner: Owner;
  let ids: SampleIds;
  let samples: Record<"keyed" | "developer" | "operator", Samples>;
  let ownerBrowser: InjectedBrowser;
  let operatorBrowser: InjectedBrowser;
  let operatorId: string;
  let developerBrowser: InjectedBrowser;
  /** Two accounts that an operator has suspended: a developer and another operator. */
  let suspendedBrowser: InjectedBrowser;
  let suspendedOperatorBrowser: InjectedBrowser;
  /** An operator with a second factor, who has given only the password. */
  let halfSignedIn: InjectedBrowser;
  let strangerKey: string;
  let unusableKeys: (string | undefined)[];

  async function makeSuspended(account: { accountId: string; email: string; password: string }): Promise<InjectedBrowser> {
    const browser = await injectSignIn(opened, account);
    await suspendAccount(opened.deps.store, { accountId: account.accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    return browser;
  }

  async function makeHalfSignedIn(): Promise<InjectedBrowser> {
    const account = await makeSignInAccount(opened.deps.store, { operator: true });
    const browser = await injectSignIn(opened, account);
    const enabled = await browser.request("POST", "/dashboard/api/auth/two-factor/enable", { body: { password: account.password } });
    const code = codeOf(enabled.json<{ totp_uri: string }>().totp_uri, Date.now());
    assert.equal((await browser.request("POST", "/dashboard/api/auth/two-factor/verify-totp", { body: { code } })).statusCode, 200);
    const half = await injectSignIn(opened, account);
    assert(half.cookies.size > 0);
    return half;
  }

  before(async () => {
    opened = await openApp({ PAYOUT_MINIMUM_USD: "0.5", PAYOUT_FOUR_EYES: "off" });
    const { store } = opened.deps;
    await postponeJobs(store);
    const made = await makeOwner(opened);
    ({ owner } = made);
    await fillOutcomes(store, { accountId: owner.accountId, good: 220, bad: 220, truth: { shift: 0, slope: 2 }, atMs: Date.now() - msPerDay });
    await extend(store);
    ownerBrowser = await injectSignIn(opened, owner);
    const { id: signInId } = await store.db.selectFrom("sign_ins").select("id").where("account_id", "=", owner.accountId).executeTakeFirstOrThrow();
    // The first session is the one that samples revoke.
    ownerBrowser = await injectSignIn(opened, owner);
    ids = { ...made.ids, signInId };
    samples = { keyed: keyedSamples(ids), developer: developerSamples(ids), operator: operatorSamples(ids) };
    const operator = await makeSignInAccount(store, { operator: true });
    operatorId = operator.accountId;
    operatorBrowser = await injectSignIn(opened, operator);
    suspendedOperatorBrowser = await makeSuspended(await makeSignInAccount(store, { operator: true }));
    suspendedBrowser = await makeSuspended(await makeSignInAccount(store));
    const developer = await makeSignInAccount(store);
    developerBrowser = await injectSignIn(opened, developer);
    strangerKey = (await issueKey(store, { accountId: developer.accountId, mode: "live", name: "k", nowMs: Date.now() })).key;
    halfSignedIn = await makeHalfSignedIn();
    const revoked = await makeAccount(store);
    await revokeKey(store, { keyId: revoked.liveKeyId, nowMs: Date.now(), channel: undefined });
    const suspended = await makeAccount(store);
    await suspendAccount(store, { accountId: suspended.accountId, reason: "a test", actorAccountId: null, nowMs: Date.now(), channel: undefined });
    unusableKeys = [undefined, "", "assay_live_nonsense", revoked.liveKey, suspended.liveKey, suspended.testKey];
    // What happened so far is old enough for notices by mail, and this job cannot be postponed for long.
    await store.db.updateTable("webhook_heads").set((eb) => ({ noticed_sequence: eb.ref("sequence") })).execute();
    await waitUntil(async () => (await store.db.selectFrom("mails").select("id").where("state", "=", "queued").execute()).length === 0, "the mails are sent");
  });
  after(() => opened.close());

  const ask = (browser: InjectedBrowser, route: string, sample: Sample, more: Record<string, string> = {}) =>
    browser.request(methodOf(route), pathOf(route, sample), { body: sample.body, headers: { ...sample.headers, ...more } });

  /** Every row, or the rows that name one of the owner's things. */
  async function readRows(of: "all" | "owner"): Promise<Record<string, string[]>> {
    const own = [ids.accountId, ids.sessionId, ids.keyId, ids.siteId, ids.signInId, owner.liveKeyId, ids.webhook.endpointId, ids.operatorWebhook.endpointId];
    const tables = [...(await readTables({ store: opened.deps.store, dataDir: opened.dataDir }))].filter(([name]) => !notCompared.has(name));
    const compared = (row: string) => of === "all" || own.some((id) => row.includes(id));
    return Object.fromEntries(tables.map(([name, rows]) => [name, rows.filter(compared).map((row) => row.replace(lastUse, ""))]));
  }

  async function assertUnchanged(of: "all" | "owner", work: () => Promise<void>): Promise<void> {
    const earlier = await readRows(of);
    await work();
    const later = await readRows(of);
    const changes = Object.keys(later).flatMap((table) => {
      const [was, is] = [new Set(earlier[table]), new Set(later[table])];
      return [...[...was].filter((row) => !is.has(row)).map((row) => `${table} - ${row}`), ...[...is].filter((row) => !was.has(row)).map((row) => `${table} + ${row}`)];
    });
    assert.deepEqual(changes, []);
  }

  const plantedIn = (text: string) => [owner.email, owner.accountId, owner.keyName, owner.payeeName, ids.sessionId, ids.keyId, ids.siteId, ids.requestId, ids.signInId, ids.webhook.endpointId, ids.operatorWebhook.endpointId].filter((each) => text.includes(each));

  it("has a rule for every route", () => {
    const ruled = [publicRoutes, localRoutes, samples.keyed, samples.developer, samples.operator, { "POST /dashboard/api/auth/confirm-email": "below" }].flatMap((each) => Object.keys(each)).concat(tokenRoutes);
    assert.deepEqual(routes.map(({ method, url }) => `${method} ${url}`).toSorted(), ruled.toSorted());
    const operatorPrefix = / \/dashboard\/api\/operator\//;
    assert.deepEqual(Object.keys(samples.operator).filter((route) => !operatorPrefix.test(route)), []);
    assert.deepEqual([publicRoutes, samples.developer].flatMap((each) => Object.keys(each)).filter((route) => operatorPrefix.test(route)), []);
  });

  it("refuses other machines what is for this machine only", async () => {
    for (const [route, status] of Object.entries(localRoutes)) {
      const answer = await injectBrowser(opened).request(methodOf(route), pathOf(route, { params: { id: "mail_x" } }));
      assert.equal(answer.statusCode, status, route);
    }
  });

  it("gives nobody without a session anything of the dashboard, not even with a key or only a password", async () => {
    await assertUnchanged("all", async () => {
      for (const [route, sample] of Object.entries({ ...samples.developer, ...samples.operator })) {
        const answers = [
          await ask(injectBrowser(opened), route, sample),
          await ask(injectBrowser(opened), route, sample, { "x-api-key": owner.liveKey }),
          await ask(halfSignedIn, route, sample),
        ];
        for (const answer of answers) assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [401, "sign_in_required"], route);
      }
    });
  });

  it("gives a developer nothing of the operator's console", async () => {
    await assertUnchanged("all", async () => {
      for (const [route, sample] of Object.entries(samples.operator)) {
        for (const browser of [developerBrowser, ownerBrowser, suspendedBrowser]) assert.equal((await ask(browser, route, sample)).statusCode, 404, route);
      }
    });
  });

  it("gives a suspended operator nothing of the operator's console", async () => {
    await assertUnchanged("all", async () => {
      for (const [route, sample] of Object.entries(samples.operator)) assert.equal((await ask(suspendedOperatorBrowser, route, sample)).statusCode, 403, route);
    });
  });

  it("lets a suspended account look at itself and change nothing but its sign-in", async () => {
    /** A suspended account may secure itself, and may leave. */
    const allowed = new Set(["revoke-session", "revoke-other-sessions", "change-password", "close-account"].map((name) => `POST /dashboard/api/auth/${name}`));
    await assertUnchanged("all", async () => {
      for (const [route, sample] of Object.entries(samples.developer).filter(([each]) => !allowed.has(each))) {
        const { statusCode } = await ask(suspendedBrowser, route, sample);
        if (!route.startsWith("GET")) assert.equal(statusCode, 403, route);
        else assert.equal(statusCode, sample.names === "own" ? 404 : 200, route);
      }
    });
  });

  it("refuses a call without a key, with a wrong or revoked one, and with one of a suspended account", async () => {
    await assertUnchanged("all", async () => {
      for (const [route, sample] of Object.entries(samples.keyed)) {
        for (const key of unusableKeys) {
          const answer = await ask(injectBrowser(opened), route, sample, key === undefined ? {} : { "x-api-key": key });
          assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [401, "invalid_api_key"], `${route} ${key}`);
        }
        assert.equal((await ask(ownerBrowser, route, sample)).statusCode, 401, `${route} with a session instead of a key`);
      }
    });
  });

  it("takes conversions with the campaign's own token only, and tells nobody else whether there is such a campaign [threat: advertiser-token]", async () => {
    const { store } = opened.deps;
    const other = await makeCampaign(store);
    const made = await Promise.all([ids.campaignId, other.campaignId].map((id) => makeCampaignToken(store, id, { actorAccountId: null, nowMs: Date.now() })));
    const [token, otherToken] = made.map((each) => each!.token);
    const report = (campaignId: string, headers: Record<string, string>) =>
      injectBrowser(opened).request("POST", `/api/campaigns/${campaignId}/conversions`, { body: { ad_id: ids.offerId }, headers });
    const wrong = [{}, { authorization: "Bearer" }, { authorization: token! }, { authorization: `Bearer ${otherToken}` }, { authorization: `Bearer ${token!.slice(0, -1)}${token!.endsWith("x") ? "y" : "x"}` }, { authorization: `Bearer ${owner.liveKey}` }, { "x-api-key": owner.liveKey }, { "x-api-key": token! }];
    await assertUnchanged("all", async () => {
      const texts = new Set<string>();
      for (const headers of wrong as Record<string, string>[]) {
        for (const campaignId of [ids.campaignId, "camp_none", "%00"]) {
          const answer = await report(campaignId, headers);
          assert.equal(answer.statusCode, 401, `${campaignId} ${JSON.stringify(headers)}`);
          texts.add(answer.body);
        }
        assert.equal((await ownerBrowser.request("POST", `/api/campaigns/${ids.campaignId}/conversions`, { body: { ad_id: ids.offerId }, headers })).statusCode, 401);
      }
      assert.equal(texts.size, 1, "the same answer for every campaign");
      assert.equal((await report(other.campaignId, { authorization: `Bearer ${otherToken}` })).statusCode, 404, "another campaign's ad");
    });
    assert.equal((await report(ids.campaignId, { authorization: `Bearer ${token}` })).statusCode, 200);
  });

  it("shows one account nothing of another, by key or by session, and lets it change nothing there", async () => {
    await assertUnchanged("owner", async () => {
      const kinds = [
        { of: samples.keyed, headers: { "x-api-key": strangerKey } },
        { of: samples.developer, headers: {} },
      ];
      for (const { of, headers } of kinds) {
        for (const [route, sample] of Object.entries(of)) {
          const answer = await ask(developerBrowser, route, sample, headers);
          if (sample.names === "own") assert.equal(answer.statusCode, 404, route);
          else assert(answer.statusCode < 500 && answer.statusCode !== 401, `${route} ${answer.statusCode} ${answer.body}`);
          assert.deepEqual(plantedIn(answer.body), [], route);
        }
      }
    });
  });

  it("confirms a new address only for the account that asked for it, and only with its session", async () => {
    const { store } = opened.deps;
    const stranger = await injectSignIn(opened, await makeSignInAccount(store));
    await ownerBrowser.request("POST", "/dashboard/api/auth/change-email", { body: { newEmail: "moved@example.com", password: owner.password } });
    const { body_text: text } = await store.db.selectFrom("mails").select("body_text").where("recipient", "=", "moved@example.com").executeTakeFirstOrThrow();
    const token = tokenIn(/\/dashboard\/confirm-email\?token=\S+/.exec(text)![0]);
    await waitUntil(async () => (await store.db.selectFrom("mails").select("id").where("state", "=", "queued").execute()).length === 0, "the mail is sent");
    await assertUnchanged("all", async () => {
      for (const [browser, status] of [[injectBrowser(opened), 401], [halfSignedIn, 401], [stranger, 400], [suspendedBrowser, 403]] as const) {
        assert.equal((await browser.request("POST", "/dashboard/api/auth/confirm-email", { body: { token } })).statusCode, status);
      }
    });
  });

  it("notes what a mailed link does, in the name of the account whose link it is [threat: unnoted-change]", async () => {
    const { store } = opened.deps;
    const browser = injectBrowser(opened);
    const auth = "/dashboard/api/auth";
    const [email, later] = ["links@example.com", "links-later@example.com"];
    const { seq } = await store.db.selectFrom("audit_head").select("seq").executeTakeFirstOrThrow();
    const linkTo = async (to: string, path: string) => {
      const { body_text: text } = await store.db.selectFrom("mails").select("body_text").where("recipient", "=", to).where("body_text", "like", `%${path}?token=%`).executeTakeFirstOrThrow();
      return new RegExp(`${path}\\?token=\\S+`).exec(text)![0];
    };
    assert.equal((await browser.request("POST", `${auth}/sign-up/email`, { body: { email, password: goodPassword } })).statusCode, 200);
    const verify = tokenIn(await linkTo(email, "/dashboard/verify-email"));
    // Used twice, verified once.
    assert.equal((await browser.request("POST", `${auth}/verify-email`, { body: { token: verify, newPassword: goodPassword } })).statusCode, 200);
    assert.equal((await browser.request("POST", `${auth}/verify-email`, { body: { token: verify, newPassword: goodPassword } })).statusCode, 400);
    assert.equal((await browser.request("POST", `${auth}/change-email`, { body: { newEmail: later, password: goodPassword } })).statusCode, 200);
    const moved = tokenIn(await linkTo(later, "/dashboard/confirm-email"));
    assert.equal((await browser.request("POST", `${auth}/confirm-email`, { body: { token: moved } })).statusCode, 200);
    await browser.request("POST", `${auth}/request-password-reset`, { body: { email: later } });
    const token = new URL(await linkTo(later, "/dashboard/reset-password"), opened.publicUrl).searchParams.get("token");
    assert.equal((await browser.request("POST", `${auth}/reset-password`, { body: { token, newPassword: `${goodPassword} too` } })).statusCode, 200);
    const rows = await store.db.selectFrom("audit_log").select(["action", "actor_account_id", "account_id"]).where("seq", ">", seq).orderBy("seq").execute();
    assert.deepEqual(rows.map(({ action }) => action), ["account.create", "account.verify", "account.email", "account.password"]);
    const { id } = await store.db.selectFrom("accounts").select("id").where("email", "=", later).executeTakeFirstOrThrow();
    assert(rows.every((row) => row.actor_account_id === id && row.account_id === id));
  });

  it("lets those who may do all of it, and notes every change of money, tier, status, key or setting in the audit log [threat: unnoted-change]", async () => {
    const { db } = opened.deps.store;
    const failed: string[] = [];
    /** Asks, and compares what was noted with noted-changes.ts. */
    async function askNoted(browser: InjectedBrowser, route: string, sample: Sample, { actor, headers = {} }: { actor: string; headers?: Record<string, string> }) {
      const { seq } = await db.selectFrom("audit_head").select("seq").executeTakeFirstOrThrow();
      const answer = await ask(browser, route, sample, headers);
      if (answer.statusCode >= 300) failed.push(`${route} ${answer.statusCode} ${answer.body}`);
      const rows = await db.selectFrom("audit_log").select(["action", "actor_account_id", "account_id"]).where("seq", ">", seq).execute();
      if (methodOf(route) !== "GET") failed.push(...findNoteFaults(route, notesOfRoutes[route], rows, { actor, owner: ids.accountId }));
      else if (rows.length > 0) failed.push(`${route} wrote ${rows.length} notes`);
      return answer;
    }
    const totpRoute = "POST /dashboard/api/auth/two-factor/verify-totp";
    let payoutId = ids.payoutId;
    for (const route of Object.keys(samples.operator)) {
      const answer = await askNoted(operatorBrowser, route, operatorSamples({ ...ids, payoutId })[route]!, { actor: operatorId });
      if (route.endsWith("/payouts/propose")) payoutId = answer.json<{ proposed: { id: string }[] }>().proposed[0]?.id ?? payoutId;
    }
    const actor = ids.accountId;
    for (const [route, sample] of Object.entries(samples.keyed)) await askNoted(injectBrowser(opened), route, sample, { actor, headers: { "x-api-key": owner.liveKey } });
    let codes: string[] = [];
    for (const [route, sample] of Object.entries(samples.developer)) {
      const needsCode = route.includes("/two-factor/") && codes.length > 0;
      const answer = await askNoted(ownerBrowser, route, needsCode ? { body: { password: goodPassword, code: codes.pop() } } : sample, { actor });
      if (route.includes("/two-factor/")) codes = answer.json<{ recovery_codes?: string[] }>().recovery_codes ?? codes;
      if (!route.endsWith("/two-factor/enable")) continue;
      await askNoted(ownerBrowser, totpRoute, { body: { code: codeOf(answer.json<{ totp_uri: string }>().totp_uri, Date.now()) } }, { actor });
    }
    assert.deepEqual(failed, []);
    const changing = routes.map(({ method, url }) => `${method} ${url}`).filter((route) => !route.startsWith("GET "));
    assert.deepEqual(changing.toSorted(), Object.keys(notesOfRoutes).toSorted());
  });
});
