import type { AdReply } from "@assay/contract/ads.ts";
import type { CampaignTokenReply } from "@assay/contract/dashboard/campaigns.ts";
import type { CallDaysReply, FindingsReply, OwnFindingsReply } from "@assay/contract/dashboard/integrity.ts";
import type { AccountsReply, ProposeReply } from "@assay/contract/dashboard/operator.ts";
import type { NewEndpointReply } from "@assay/contract/dashboard/webhooks.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { issueKey } from "../../../api/src/access/keys/issue-key.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { follow, requestAd } from "../../../api/test/ads/serving/send-tracking.ts";
import { type Browser as Person, signIn } from "../../../api/test/people/browser.ts";
import { send, waitUntil } from "../../../api/test/send.ts";
import { type Dashboard, openDashboard } from "./open-dashboard.ts";
import { openReceiver, type Receiver } from "./open-receiver.ts";
import { password } from "./page-actions.ts";
import { predict } from "./predict.ts";
import { seedAccounts } from "./seed-accounts.ts";
import { seedAttestation } from "./seed-attestation.ts";
import { seedCalibration } from "./seed-calibration.ts";
import { seedDrift } from "./seed-drift.ts";
import { integrityPeople, seedIntegrity } from "./seed-integrity.ts";
import { addPerson, makeFilledFolder, operatorEmail } from "./seed-people.ts";

const api = "/dashboard/api";
const picture = join(import.meta.dirname, "../../../../docs/pictures/dashboard.png");
const sessionCount = 12;
/** Clicks less than half a second after the offer are ignored. */
const clickDelayMs = 700;

export const developerEmail = "developer@example.com";

export type FilledDashboard = Dashboard & {
  /** Who act without a browser. */
  operator: Person;
  seeded: { earner: string; suspect: string };
  /** Serves, with a click and a conversion. */
  campaignPath: string;
  /** Has no creative. */
  draftPath: string;
};

/** In order of time: what is dated back must not come after what happens now. */
async function fillStore(store: Store): Promise<{ liveKey: string; seeded: FilledDashboard["seeded"] }> {
  await addPerson(store, { email: operatorEmail });
  // Its receiver on this machine may be read from.
  const accountId = await addPerson(store, { email: developerEmail, isFirstStart: true });
  await seedIntegrity(store);
  await seedAttestation(store);
  await seedDrift(store);
  const seeded = await seedAccounts(store);
  await seedCalibration(store);
  const { key: liveKey } = await issueKey(store, { accountId, mode: "live", name: "First live key", nowMs: Date.now() });
  return { liveKey, seeded };
}

/** Does what a page does when a button is pressed. */
async function act<Reply>(person: Person, method: string, path: string, body?: unknown): Promise<Reply> {
  const answer = await person.request(method, `${api}/${path}`, body);
  assert(answer.status >= 200 && answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return (answer.headers["content-type"]?.includes("json") ? answer.json() : {}) as Reply;
}

async function makeCalls(url: string, liveKey: string): Promise<void> {
  for (let index = 0; index < sessionCount; index += 1) {
    const share = index / sessionCount;
    const answer = await predict(url, liveKey, { user_engagement: share, session_duration: Math.round(4 + 300 * share), interaction_count: index, page_views: 1 + (index % 7) });
    assert.equal(answer.status, 200);
  }
  assert.equal((await predict(url, liveKey, { user_engagement: 7 })).status, 400);
}

const terms = { budget_usd: 10, bid_usd: 0.25, daily_budget_usd: null, starts: null, ends: null, categories: [], placements: [], min_trust: 0, min_attestation: null, pacing: "asap" };

async function addCreative({ url }: { url: string }, operator: Person, campaignId: string): Promise<string> {
  const form = new FormData();
  const texts = { format: "banner", headline: "Build faster", description: "", cta_text: "Try it", landing_url: "https://shop.example/landing" };
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  form.set("image", new Blob([readFileSync(picture)], { type: "image/png" }), "ad.png");
  const cookie = [...operator.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const answer = await fetch(`${url}${api}/operator/campaigns/${campaignId}/creatives`, { method: "POST", body: form, headers: { cookie, origin: url, "sec-fetch-site": "same-origin" } });
  assert.equal(answer.status, 201, await answer.clone().text());
  return ((await answer.json()) as { id: string }).id;
}

/** A campaign that served once, was clicked twice and converted, and a draft. */
async function runCampaign(service: { url: string }, operator: Person, liveKey: string): Promise<{ campaignPath: string; draftPath: string }> {
  const advertiser = await act<{ id: string }>(operator, "POST", "operator/advertisers", { name: "Acme" });
  const create = async (name: string) => (await act<{ id: string }>(operator, "POST", "operator/campaigns", { ...terms, name, advertiser_id: advertiser.id })).id;
  const [campaignId, draftId] = [await create("Spring"), await create("Autumn")];
  const creativeId = await addCreative(service, operator, campaignId);
  await act(operator, "PATCH", `operator/creatives/${creativeId}`, { status: "approved" });
  await act(operator, "POST", `operator/campaigns/${campaignId}/state`, { status: "active" });
  const answer = await requestAd(service, liveKey, { format: "banner", placement: "feed" });
  assert.equal(answer.status, 200, answer.text);
  const ad = answer.json() as AdReply;
  assert.equal(ad.house, false);
  await sleep(clickDelayMs);
  await follow(service, ad.impression_tracking_url);
  for (let clicks = 0; clicks < 2; clicks += 1) assert.equal((await follow(service, ad.creative.click_url)).status, 302);
  const { token } = await act<CampaignTokenReply>(operator, "POST", `operator/campaigns/${campaignId}/token`);
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  await waitUntil(async () => (await send(service, `/api/campaigns/${campaignId}/conversions`, { method: "POST", headers, body: { ad_id: ad.ad_id } })).status === 200, "the conversion of the click is taken");
  return { campaignPath: `/dashboard/operator/campaigns/${campaignId}`, draftPath: `/dashboard/operator/campaigns/${draftId}` };
}

/** One payout was cancelled, and the same money was paid later. */
async function payOut(operator: Person): Promise<void> {
  await act(operator, "POST", "operator/funding", { usd: 25.5 });
  const propose = async () => (await act<ProposeReply>(operator, "POST", "operator/payouts/propose")).proposed[0]!.id;
  await act(operator, "POST", `operator/payouts/${await propose()}/cancel`, { reason: "a rehearsal" });
  const payoutId = await propose();
  await act(operator, "POST", "operator/payouts/approve", { ids: [payoutId] });
  await act(operator, "POST", "operator/payouts/export", {});
  await act(operator, "POST", `operator/payouts/${payoutId}/paid`, { note: "bank 17" });
}

/** The hourly job opens the finding when the service starts. The developer answers it, and a day is reversed. */
async function answerFinding(service: { url: string }, operator: Person): Promise<void> {
  const scripted = await signIn(service, { email: integrityPeople.scripted, password });
  const list = () => act<OwnFindingsReply>(scripted, "GET", "findings");
  await waitUntil(async () => (await list()).findings.length > 0, "the job has opened the finding");
  await act(scripted, "POST", `findings/${(await list()).findings[0]!.id}/answer`, { text: "A monitor of ours calls with a live key." });
  const { accounts } = await act<AccountsReply>(operator, "GET", `operator/accounts?search=${encodeURIComponent(integrityPeople.scripted)}`);
  const account = `operator/accounts/${accounts[0]!.id}`;
  const { days } = await act<CallDaysReply>(operator, "GET", `${account}/call-days`);
  const pending = days.find(({ state }) => state === "pending");
  await act(operator, "POST", `${account}/reverse-calls`, { day: pending!.day, reason: "one body, 200 times" });
}

/** A delivery that arrived and one that failed, and a secret that is being replaced. */
async function fillWebhooks(person: Person, receiver: Receiver, path: string): Promise<void> {
  const sent = receiver.received.length;
  receiver.answer = { status: 200, body: "thank you" };
  const { endpoint } = await act<NewEndpointReply>(person, "POST", path, { url: receiver.url });
  await waitUntil(() => receiver.received.length > sent, "the first test event arrives");
  await act(person, "POST", `${path}/${endpoint.endpoint_id}/rotate`);
  receiver.answer = { status: 500, body: "the database is away\nsecond line" };
  await act(person, "POST", `${path}/${endpoint.endpoint_id}/test`);
  await waitUntil(() => receiver.received.length > sent + 1, "the second test event arrives");
}

/** A service of whose pages none is empty, after a month in the life of everybody whom the seeds make. */
export async function openFilledDashboard(): Promise<FilledDashboard> {
  const { dataDir, filled } = await makeFilledFolder(fillStore);
  const dashboard = await openDashboard({ dataDir, env: { UNREVIEWED_MONTHLY_USD: "1", PAYOUT_MINIMUM_USD: "0.5", TIER_UPGRADES: "review", WEBHOOK_LOOPBACK: "on" } });
  const receiver = await openReceiver();
  const close = async () => {
    await dashboard.close();
    receiver.server.close();
  };
  try {
    const { service } = dashboard;
    const operator = await signIn(service, { email: operatorEmail, password, operator: true });
    const developer = await signIn(service, { email: developerEmail, password });
    await makeCalls(service.url, filled.liveKey);
    await payOut(operator);
    const paths = await runCampaign(service, operator, filled.liveKey);
    await fillWebhooks(developer, receiver, "webhooks");
    await fillWebhooks(operator, receiver, "operator/webhooks");
    await answerFinding(service, operator);
    await act(developer, "PATCH", "settings", { model_version: releasedModels[0]!.model.version });
    await act(operator, "PUT", "operator/models/shadow", { version: releasedModels[0]!.model.version });
    return { ...dashboard, ...paths, operator, seeded: filled.seeded, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closes every open finding. */
export async function dismissFindings(operator: Person): Promise<void> {
  const { findings } = await act<FindingsReply>(operator, "GET", "operator/findings");
  for (const { id } of findings.filter(({ closed_at }) => closed_at === null)) await act(operator, "POST", `operator/findings/${id}/decide`, { decision: "dismissed", reason: "a demo at a fair" });
}
