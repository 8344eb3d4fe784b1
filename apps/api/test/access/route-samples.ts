/**
 * One request for every route that needs somebody's permission, with real ids, in an order in which all of them succeed
 * for somebody who has it. A route without a sample fails the test that reads this file.
 */
import { releasedModels } from "@assay/scoring/released-models.ts";
import { goodBody, goodSignals } from "../send.ts";
import { goodPassword } from "../people/browser.ts";
import type { Injected } from "../people/inject-browser.ts";

export type SampleIds = {
  accountId: string;
  email: string;
  sessionId: string;
  keyId: string;
  siteId: string;
  requestId: string;
  /** A further session of the account's owner in the dashboard. */
  signInId: string;
  /** An account that named the same bank account before. */
  earlierAccountId: string;
  payoutId: string;
  /** A payout of another account. */
  otherPayoutId: string;
  otherAccountId: string;
  findingId: string;
  /** A finding that the owner can accept, once it is opened again. */
  acceptableId: string;
  tierRequestId: string;
  advertiserId: string;
  campaignId: string;
  creativeId: string;
  offerId: string;
  /** A month with calls, as YYYY-MM. */
  month: string;
  /** A day with calls that can be reversed, as YYYY-MM-DD. */
  pendingDay: string;
  /** Of the account, and of the operators, each with an event that was sent to it. */
  webhook: WebhookIds;
  operatorWebhook: WebhookIds;
};

export type WebhookIds = { endpointId: string; eventId: string };

/** `names`: the request names something of one account, so that any other account gets 404. */
export type Sample = Injected & { params?: Record<string, string>; query?: string; names?: "own" };
export type Samples = Record<string, Sample>;

const creative = { format: "banner", headline: "Build faster", description: "", cta_text: "Try it", landing_url: "https://shop.example/" };

function formOf(fields: Record<string, string>): Injected {
  const boundary = "sample-boundary";
  const parts = Object.entries(fields).map(([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  return { headers: { "content-type": `multipart/form-data; boundary=${boundary}` }, body: `${parts.join("")}--${boundary}--\r\n` };
}

/** The public API: needs a key. */
export const keyedSamples = ({ sessionId, month }: SampleIds): Samples => ({
  "POST /api/ml/predict": { body: goodBody },
  "POST /ml/predict": { body: goodBody },
  "POST /api/ml/score": { body: goodBody },
  "POST /api/ml/analyze": { body: goodBody },
  "POST /api/servicescore/analyze": { body: {} },
  "GET /api/sessions/:session_id": { params: { session_id: sessionId }, names: "own" },
  "POST /api/sessions/:session_id/outcome": { params: { session_id: sessionId }, body: { outcome: "converted" }, names: "own" },
  "GET /api/calibration": {},
  "GET /api/usage": {},
  "GET /api/statements/:month": { params: { month } },
  "GET /api/balance": {},
  "POST /api/ads/request": { body: { user_context: { session_id: sessionId } } },
  "GET /api/ads/report": { query: "group_by=placement" },
  "GET /api/ledger/entries": {},
  "GET /api/ledger/proof": { query: "seq=1" },
  "GET /log/checkpoint": {},
  "GET /log/key": {},
  "GET /log/tile/*": { params: { "*": "0/000.p/1" } },
  "GET /log/:log/checkpoint": { params: { log: "1" } },
  "GET /log/:log/key": { params: { log: "1" } },
  "GET /log/:log/tile/*": { params: { log: "1", "*": "0/000.p/1" } },
});

const dashboard = "/dashboard/api";

/** Nobody resolves names that end in `.invalid`. */
export const sampleHook = "https://hooks.invalid/assay";

/** The same routes for developers and for operators. */
const webhookSamples = (prefix: string, ids: WebhookIds, chosen: string): Samples => {
  const endpoint = { params: { endpoint_id: ids.endpointId }, names: "own" as const };
  const delivery = { params: { endpoint_id: ids.endpointId, event_id: ids.eventId }, names: "own" as const };
  return {
    [`GET ${prefix}/webhooks`]: {},
    [`POST ${prefix}/webhooks`]: { body: { url: sampleHook, types: [chosen] } },
    [`PATCH ${prefix}/webhooks/:endpoint_id`]: { ...endpoint, body: { types: [chosen] } },
    [`POST ${prefix}/webhooks/:endpoint_id/rotate`]: endpoint,
    [`POST ${prefix}/webhooks/:endpoint_id/test`]: endpoint,
    [`POST ${prefix}/webhooks/:endpoint_id/replay`]: { ...endpoint, body: { from: new Date(Date.now() - 60_000).toISOString() } },
    [`GET ${prefix}/webhooks/deliveries`]: {},
    [`GET ${prefix}/webhooks/:endpoint_id/deliveries/:event_id`]: delivery,
    [`POST ${prefix}/webhooks/:endpoint_id/deliveries/:event_id/redeliver`]: delivery,
    [`DELETE ${prefix}/webhooks/:endpoint_id`]: endpoint,
  };
};

/** The developer's dashboard: needs a session, and shows and changes only the account of the session. */
export const developerSamples = ({ email, sessionId, keyId, siteId, requestId, signInId, month, acceptableId, webhook }: SampleIds): Samples => ({
  [`GET ${dashboard}/me`]: {},
  [`GET ${dashboard}/overview`]: {},
  [`GET ${dashboard}/live`]: {},
  [`GET ${dashboard}/usage`]: {},
  [`GET ${dashboard}/usage.csv`]: {},
  [`GET ${dashboard}/logs`]: { query: `request_id=${requestId}` },
  [`GET ${dashboard}/ads/groups`]: { query: "group_by=placement" },
  [`GET ${dashboard}/ads/report`]: {},
  [`GET ${dashboard}/revenue`]: {},
  [`GET ${dashboard}/corrections`]: {},
  [`GET ${dashboard}/call-days`]: {},
  [`GET ${dashboard}/waiting`]: {},
  [`POST ${dashboard}/waiting/:waiting_id/statement`]: { params: { waiting_id: "wait_stated" }, body: { text: "a test" }, names: "own" },
  [`GET ${dashboard}/findings`]: {},
  [`POST ${dashboard}/findings/:finding_id/answer`]: { params: { finding_id: acceptableId }, body: { text: "a test" }, names: "own" },
  [`POST ${dashboard}/findings/:finding_id/accept`]: { params: { finding_id: acceptableId }, body: {}, names: "own" },
  [`GET ${dashboard}/statements`]: {},
  [`GET ${dashboard}/statements/:month`]: { params: { month } },
  [`GET ${dashboard}/statements/:month.csv`]: { params: { month } },
  [`GET ${dashboard}/statements/:month.pdf`]: { params: { month } },
  [`GET ${dashboard}/ledger`]: {},
  [`GET ${dashboard}/ledger/log`]: {},
  // Beyond the entries that a stranger's own calls make.
  [`GET ${dashboard}/ledger/proof`]: { query: "seq=15", names: "own" },
  [`GET ${dashboard}/ledger/consistency`]: { query: "from=1&to=1" },
  [`GET ${dashboard}/sessions`]: {},
  [`GET ${dashboard}/drift`]: {},
  [`GET ${dashboard}/sessions/:session_id`]: { params: { session_id: sessionId }, names: "own" },
  [`POST ${dashboard}/sessions/:session_id/outcome`]: { params: { session_id: sessionId }, body: { outcome: "fraud" }, names: "own" },
  [`GET ${dashboard}/calibration`]: {},
  [`PUT ${dashboard}/calibration`]: { body: { outcomes_to: new Date().toISOString() } },
  [`DELETE ${dashboard}/calibration`]: {},
  [`POST ${dashboard}/playground/send`]: { body: { session_data: goodSignals } },
  [`POST ${dashboard}/playground/ad`]: { body: { format: "banner", placement: "feed" } },
  [`GET ${dashboard}/models/comparison`]: { query: `version=${releasedModels[0]!.model.version}` },
  [`GET ${dashboard}/settings`]: {},
  [`PATCH ${dashboard}/settings`]: { body: { house_ads: false } },
  [`GET ${dashboard}/notices`]: {},
  [`PUT ${dashboard}/notices`]: { body: { topic: "limits", wanted: true } },
  [`GET ${dashboard}/payee`]: {},
  [`PUT ${dashboard}/payee`]: {
    body: { legal_name: "Somebody Else", address: "Elsewhere 1", country: "GB", tax_id: null, method: "paypal", account: "else@example.com", bank_code: null, password: goodPassword },
  },
  [`GET ${dashboard}/tiers`]: {},
  [`POST ${dashboard}/tier-requests`]: { body: { tier: "Growth" } },
  [`GET ${dashboard}/keys`]: {},
  [`POST ${dashboard}/keys`]: { body: { name: "another", mode: "test" } },
  [`PATCH ${dashboard}/keys/:key_id`]: { params: { key_id: keyId }, body: { name: "renamed" }, names: "own" },
  [`POST ${dashboard}/keys/:key_id/rotate`]: { params: { key_id: keyId }, body: { grace_hours: 1 }, names: "own" },
  [`DELETE ${dashboard}/keys/:key_id`]: { params: { key_id: keyId }, names: "own" },
  [`GET ${dashboard}/sites`]: {},
  [`POST ${dashboard}/sites`]: { body: { name: "another", origins: ["https://shop.example"] } },
  [`PATCH ${dashboard}/sites/:site_id`]: { params: { site_id: siteId }, body: { name: "renamed" }, names: "own" },
  [`DELETE ${dashboard}/sites/:site_id`]: { params: { site_id: siteId }, names: "own" },
  ...webhookSamples(dashboard, webhook, "payout.paid"),
  [`GET ${dashboard}/auth/list-sessions`]: {},
  [`POST ${dashboard}/auth/revoke-session`]: { body: { id: signInId }, names: "own" },
  [`POST ${dashboard}/auth/revoke-other-sessions`]: {},
  [`POST ${dashboard}/auth/change-email`]: { body: { newEmail: "new-address@example.com", password: goodPassword } },
  [`POST ${dashboard}/auth/change-password`]: { body: { currentPassword: goodPassword, newPassword: goodPassword } },
  [`POST ${dashboard}/auth/step-up`]: { body: { password: goodPassword } },
  [`POST ${dashboard}/auth/two-factor/enable`]: { body: { password: goodPassword } },
  [`POST ${dashboard}/auth/two-factor/generate-backup-codes`]: { body: { password: goodPassword } },
  [`POST ${dashboard}/auth/two-factor/disable`]: { body: { password: goodPassword } },
  [`POST ${dashboard}/auth/close-account`]: { body: { password: goodPassword, confirmEmail: email, forfeit: true } },
});

const operator = `${dashboard}/operator`;

/** The operator's console: needs an operator's session. After `propose`, `payoutId` is the new payout's. */
export const operatorSamples = (ids: SampleIds): Samples => {
  const account = { params: { account_id: ids.accountId } };
  const payout = { params: { payout_id: ids.payoutId }, body: {} };
  const campaign = { params: { id: ids.campaignId } };
  return {
    [`GET ${operator}/outbox`]: {},
    [`GET ${operator}/money`]: {},
    [`POST ${operator}/funding`]: { body: { usd: 5 } },
    [`GET ${operator}/findings`]: {},
    [`POST ${operator}/findings`]: { body: { account_id: ids.otherAccountId, reason: "a test" } },
    [`POST ${operator}/findings/:finding_id/decide`]: { params: { finding_id: ids.findingId }, body: { decision: "dismissed", reason: "a test" } },
    [`GET ${operator}/payouts`]: {},
    [`GET ${operator}/payouts/candidates`]: {},
    [`POST ${operator}/payouts/:payout_id/approve`]: payout,
    [`POST ${operator}/payouts/export`]: { body: {} },
    [`POST ${operator}/payouts/:payout_id/paid`]: payout,
    [`POST ${operator}/payouts/:payout_id/return`]: payout,
    [`POST ${operator}/payouts/propose`]: {},
    [`POST ${operator}/payouts/approve`]: { body: { ids: [ids.payoutId] } },
    [`POST ${operator}/payouts/:payout_id/cancel`]: { params: { payout_id: ids.otherPayoutId }, body: { reason: "a test" } },
    [`GET ${operator}/accounts`]: {},
    [`GET ${operator}/accounts/:account_id/integrity`]: account,
    [`GET ${operator}/accounts/:account_id`]: account,
    [`POST ${operator}/accounts/:account_id/suspend`]: { ...account, body: { reason: "a test" } },
    [`POST ${operator}/accounts/:account_id/resume`]: { ...account, body: { reason: "a test" } },
    [`POST ${operator}/accounts/:account_id/hold`]: { ...account, body: { reason: "a test" } },
    [`POST ${operator}/accounts/:account_id/lift-hold`]: { ...account, body: { reason: "a test" } },
    [`GET ${operator}/accounts/:account_id/holds`]: account,
    [`GET ${operator}/models`]: {},
    [`PUT ${operator}/models/shadow`]: { body: { version: null } },
    [`GET ${operator}/models/comparison`]: { query: `version=${releasedModels[0]!.model.version}` },
    [`GET ${operator}/waiting`]: {},
    [`POST ${operator}/waiting/:waiting_id/decide`]: { params: { waiting_id: "wait_decided" }, body: { decision: "settled", reason: "a test" } },
    [`POST ${operator}/accounts/:account_id/waiting-allowance`]: { ...account, body: { waiting_reason: "unexamined", daily_usd: 1, reason: "a test" } },
    [`GET ${operator}/reviews`]: {},
    [`POST ${operator}/accounts/:account_id/review`]: { ...account, body: { monthly_usd: 500, reason: "a test" } },
    [`GET ${operator}/accounts/:account_id/call-days`]: account,
    [`POST ${operator}/accounts/:account_id/reverse-calls`]: { ...account, body: { day: ids.pendingDay, reason: "a test" } },
    [`GET ${operator}/accounts/:account_id/payee-state`]: account,
    [`POST ${operator}/accounts/:account_id/unlink`]: { ...account, body: { from: ids.earlierAccountId, reason: "a test" } },
    [`POST ${operator}/accounts/:account_id/relink`]: { ...account, body: { from: ids.earlierAccountId, reason: "a test" } },
    [`GET ${operator}/payee-changes`]: {},
    [`POST ${operator}/accounts/:account_id/tier`]: { ...account, body: { tier: "Scale" } },
    [`GET ${operator}/accounts/:account_id/corrections`]: account,
    [`POST ${operator}/accounts/:account_id/deposits`]: { ...account, body: { usd: 5 } },
    [`POST ${operator}/accounts/:account_id/adjustments`]: { ...account, body: { usd: -1, reason: "a test" } },
    [`POST ${operator}/tier-requests/:request_id`]: { params: { request_id: ids.tierRequestId }, body: { approve: true } },
    [`GET ${operator}/accounts/:account_id/clicks`]: account,
    [`POST ${operator}/clicks/reverse`]: { body: { offer_ids: [ids.offerId], reason: "a test" } },
    [`GET ${operator}/system`]: {},
    [`GET ${operator}/audit`]: {},
    [`GET ${operator}/audit.csv`]: {},
    [`POST ${operator}/tracking-keys/rotate`]: {},
    [`GET ${operator}/advertisers`]: {},
    [`POST ${operator}/advertisers`]: { body: { name: "A new advertiser" } },
    [`PATCH ${operator}/advertisers/:id`]: { params: { id: ids.advertiserId }, body: { name: "A renamed advertiser" } },
    [`GET ${operator}/campaigns`]: {},
    [`POST ${operator}/campaigns`]: { body: { advertiser_id: ids.advertiserId, name: "Autumn", budget_usd: 10, bid_usd: 0.5 } },
    [`GET ${operator}/campaigns/:id`]: campaign,
    [`PATCH ${operator}/campaigns/:id`]: { ...campaign, body: { budget_usd: 1_000 } },
    [`POST ${operator}/campaigns/:id/state`]: { ...campaign, body: { status: "paused" } },
    [`GET ${operator}/campaigns/:id/serving`]: campaign,
    [`GET ${operator}/campaigns/:id/report`]: campaign,
    [`GET ${operator}/campaigns/:id/conversions`]: campaign,
    [`POST ${operator}/campaigns/:id/token`]: campaign,
    [`POST ${operator}/campaigns/:id/creatives`]: { ...campaign, ...formOf(creative) },
    [`PATCH ${operator}/creatives/:id`]: { params: { id: ids.creativeId }, body: { status: "rejected" } },
    [`POST ${operator}/creatives/preview`]: formOf(creative),
    ...webhookSamples(operator, ids.operatorWebhook, "payout.waiting"),
    // The last one: nothing of the owner's is paid from here on.
    [`POST ${operator}/findings/:finding_id/reopen`]: { params: { finding_id: ids.acceptableId }, body: { reason: "a test" } },
  };
};

/** The sample's path, with the values of its parameters. */
export function pathOf(route: string, { params = {}, query }: Sample): string {
  const path = route.replace(/^\w+ /, "").replaceAll(/:(\w+)|\*/g, (whole, name: string | undefined) => {
    const value = params[name ?? whole];
    if (value === undefined) throw new Error(`the sample of ${route} has no ${name ?? whole}`);
    return value;
  });
  return query === undefined ? path : `${path}?${query}`;
}

export const methodOf = (route: string): string => route.split(" ")[0]!;
