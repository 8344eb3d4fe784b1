import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "../../src/people/create-account.ts";
import { goodPassword, openBrowser } from "../people/browser.ts";
import { makeCampaignToken } from "../../src/ads/conversions/campaign-token.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../ads/serving/send-tracking.ts";
import { exportPayouts } from "../../src/money/payouts/export-payouts.ts";
import { movePayoutTo } from "../../src/money/payouts/move-payouts.ts";
import { fundPlatform } from "../../src/money/payouts/platform-money.ts";
import { proposePayouts } from "../../src/money/payouts/propose-payouts.ts";
import type { Store } from "../../src/store/store.ts";
import { makeAccount, type TestAccount } from "../make-account.ts";
import { makeCharge, makeCharger } from "../make-charge.ts";
import { growthLimits } from "../money/growth-limits.ts";
import { makeEarner, namePayee } from "../money/make-earner.ts";
import { type Answer, goodBody, predict, send, waitUntil } from "../send.ts";
import type { TestService } from "../start-service.ts";
import { msPerDay } from "../../src/formats/time.ts";
import { timeOrderedId } from "../../src/ids/time-ordered-id.ts";

const operator = { actorAccountId: null };
/** A click sooner than this after its offer counts as too fast for a person. */
const humanMs = 600;

export type FilledInstallation = {
  account: TestAccount;
  /** A billed call with its idempotency key. */
  replayable: { idempotencyKey: string; answer: Answer };
  /** Click URL of an offer without a click. */
  clickUrl: string;
  /** Cookies of a signed-in account. */
  cookies: Map<string, string>;
};

/** A session that is used for an attested call, with remarks on its token. */
async function useSession(store: Store, { accountId }: TestAccount): Promise<void> {
  const nowMs = Date.now();
  const attestation = { sessionId: timeOrderedId("vis", nowMs), signals: 31, issues: "late_beats,proxied" };
  assert.equal((await makeCharger(store, { nowMs }).charge(makeCharge({ accountId, atMs: nowMs, attestation }))).kind, "charged");
}

/** A closed month: earned, funded and paid out. Its session records are in older partitions. */
async function payForLastMonths(store: Store): Promise<void> {
  const [earned, paid] = [Date.now() - 62 * msPerDay, Date.now() - msPerDay];
  const { accountId } = await makeEarner(store, { atMs: earned, calls: 20, payee: false });
  await namePayee(store, accountId, { address: "12 St James's Square, \u{1F3E0} London", updated_at: earned });
  await fundPlatform(store, { microUsd: 10_000_000, nowMs: earned, ...operator });
  const { proposed } = await proposePayouts(store, { ...growthLimits, nowMs: paid, minimumMicroUsd: 500_000, ...operator });
  assert.equal(proposed.length, 1);
  const move = { ...growthLimits, payoutId: proposed[0]!.id, note: "ref 7", nowMs: paid, fourEyes: true, ...operator };
  await movePayoutTo(store, { ...move, to: "approved" });
  await exportPayouts(store, { ...growthLimits, nowMs: paid, fourEyes: true, ...operator });
  await movePayoutTo(store, { ...move, to: "paid" });
}

async function makeCalls(service: TestService, account: TestAccount) {
  const idempotencyKey = "once-and-for-all";
  const answer = await predict(service, account.liveKey, { headers: { "idempotency-key": idempotencyKey } });
  assert.equal(answer.status, 200);
  assert.equal((await predict(service, account.testKey)).status, 200);
  const post = (path: string, body: unknown) =>
    send(service, path, { method: "POST", headers: { "x-api-key": account.liveKey, "content-type": "application/json" }, body });
  for (const path of ["/api/ml/score", "/api/ml/analyze", "/api/servicescore/analyze"]) {
    assert.equal((await post(path, path.includes("ml") ? goodBody : {})).status, 200);
  }
  assert.equal((await post(`/api/sessions/${String(answer.json().session_id)}/outcome`, { outcome: "converted" })).status, 200);
  return { idempotencyKey, answer };
}

async function makeClicks(service: TestService, store: Store, account: TestAccount): Promise<string> {
  const { landingUrl, campaignId } = await makeCampaign(store);
  const ask = async () => {
    const ad = await requestAd(service, account.liveKey, {});
    return ad.status === 200 && ad.json().house === false ? ad : undefined;
  };
  let ad: Answer | undefined;
  await waitUntil(async () => (ad = await ask()) !== undefined, "the campaign is served");
  const left = await ask();
  assert.equal((await follow(service, impressionUrlOf(ad!))).status, 200);
  assert.equal((await follow(service, impressionUrlOf(left!))).status, 200);
  await sleep(humanMs);
  assert.equal((await follow(service, clickUrlOf(ad!))).headers["location"], landingUrl);
  assert.equal((await follow(service, clickUrlOf(ad!))).headers["location"], landingUrl);
  const { token } = (await makeCampaignToken(store, campaignId, { ...operator, nowMs: Date.now() }))!;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const report = () => send(service, `/api/campaigns/${campaignId}/conversions`, { method: "POST", headers, body: { ad_id: ad!.json().ad_id } });
  await waitUntil(async () => (await report()).status === 200, "the click is paid and its conversion reported");
  return clickUrlOf(left!);
}

/** Fills an installation with the records of typical use, as far as possible through the running service. */
export async function fillInstallation(service: TestService, store: Store): Promise<FilledInstallation> {
  const account = await makeAccount(store);
  const browser = openBrowser(service);
  const auth = "/dashboard/api/auth";
  assert.equal((await browser.post(`${auth}/sign-up/email`, { email: "müller@example.com", password: goodPassword })).status, 200);
  const owner = { email: "owner@example.com", password: goodPassword };
  assert.equal((await createAccount(store, { ...owner, tier: "Growth", verified: true, operator: false }, Date.now())).kind, "created");
  assert.equal((await browser.post(`${auth}/sign-in/email`, owner)).status, 200);
  assert.equal((await browser.request("PUT", "/dashboard/api/notices", { topic: "limits", wanted: true })).status, 200);
  await payForLastMonths(store);
  const replayable = await makeCalls(service, account);
  await useSession(store, account);
  const clickUrl = await makeClicks(service, store, account);
  return { account, replayable, clickUrl, cookies: browser.cookies };
}
