import type { OutgoingHttpHeaders } from "node:http";
import { hasToken, makeCampaignToken } from "../../../src/ads/conversions/campaign-token.ts";
import { addSite, sealSession } from "../../attestation/seal-session.ts";
import { makeCampaign } from "../../ads/serving/make-campaign.ts";
import { makeOffers } from "../../ads/serving/make-offers.ts";
import { browserAgent } from "../../ads/serving/send-tracking.ts";
import { makeSignInAccount } from "../../people/browser.ts";
import { makeKey } from "../../../src/access/keys/key-format.ts";
import { makeAccount, vastTier } from "../../make-account.ts";
import type { OpenedApp } from "../../open-app.ts";
import type { Identity } from "./draw-request.ts";

/** Fewer requests than this are made before identities are renewed. */
const perMinuteMin = 100_000;

export type FuzzIdentities = {
  headersOf(identity: Identity): Record<string, string>;
  /** The advertiser's campaign and its clicked ads; the site of the account with the keys, and tokens of sessions there. Renewed like the rest. */
  readonly planted: Readonly<Record<string, readonly string[]>>;
  /** Replaces identities that requests have made unusable by sign-out, revocation or suspension. */
  renew(): Promise<void>;
};

const clickedAds = 10;

/** A campaign with a token and ads whose clicks were paid. */
async function makeAdvertiser({ app, deps }: OpenedApp) {
  const { store } = deps;
  const { accountId } = await makeAccount(store);
  const campaign = await makeCampaign(store);
  const offers = await makeOffers(store, { accountId, campaign, atMs: Date.now() - 5_000 }, clickedAds);
  for (const { clickPath } of offers) await app.inject({ url: clickPath, headers: { "user-agent": browserAgent } });
  const { campaignId } = campaign;
  const advertiser = {
    campaignId,
    adIds: offers.map(({ id }) => id),
    token: "",
    /** An operator's request may have replaced the token. */
    async renew() {
      if (advertiser.token !== "" && (await hasToken(store, campaignId, advertiser.token))) return;
      advertiser.token = (await makeCampaignToken(store, campaignId, { actorAccountId: null, nowMs: Date.now() }))!.token;
    },
  };
  return advertiser;
}

const msPerMinute = 60_000;

/** Tokens of sessions that can be scored, of some that cannot, and of another account's. A session is used up by its first call. */
function makeSessionTokens({ deps }: OpenedApp, { accountId, siteId }: { accountId: string; siteId: string }): string[] {
  const nowMs = Date.now();
  const seal = (session: Partial<Parameters<typeof sealSession>[1]>) => sealSession(deps.attestation.tokens, { accountId, siteId, nowMs, ...session });
  return [
    ...Array.from({ length: 12 }, () => seal({})),
    seal({ startedAgoMs: 1_000, lastBeatAgoMs: 1_000 }),
    seal({ startedAgoMs: 2_500, lastBeatAgoMs: 100 }),
    seal({ issues: ["crowded_network"] }),
    seal({ issues: ["late_beats", "proxied", "origin_mismatch"] }),
    seal({ startedAgoMs: 40 * msPerMinute, lastBeatAgoMs: 31 * msPerMinute }),
    seal({ startedAgoMs: 24 * 60 * msPerMinute + 1, lastBeatAgoMs: 1 }),
    seal({ startedAgoMs: 4 * 24 * 60 * msPerMinute, lastBeatAgoMs: 4 * 24 * 60 * msPerMinute }),
    seal({ accountId: "acct_0000000000000000000000" }),
    seal({ siteId: `site_${"0".repeat(20)}` }),
  ];
}

/** Creates one account with keys and two that are signed in to the dashboard. */
export async function createFuzzIdentities(opened: OpenedApp): Promise<FuzzIdentities> {
  const { app, deps, publicUrl } = opened;
  const cookies = { developer: "", operator: "" };
  const keys = { live: "", test: "" };
  const page = { accountId: "", siteId: "" };
  let signedIn = 0;

  const cookieOf = (headers: OutgoingHttpHeaders) => [headers["set-cookie"] ?? []].flat().map((line) => line.split(";")[0]!).join("; ");

  async function signIn(who: "developer" | "operator"): Promise<void> {
    const { email, password } = await makeSignInAccount(deps.store, { operator: who === "operator" });
    signedIn += 1;
    const { headers, statusCode, body } = await app.inject({
      method: "POST",
      url: "/dashboard/api/auth/sign-in/email",
      headers: { origin: publicUrl },
      payload: { email, password },
      // From another network each time, to avoid throttling.
      remoteAddress: `10.${signedIn >> 8}.${signedIn & 255}.1`,
    });
    if (statusCode !== 200) throw new Error(`sign-in failed: ${body}`);
    cookies[who] = cookieOf(headers);
    if (who === "developer") return;
    const confirmed = await app.inject({ method: "POST", url: "/dashboard/api/auth/step-up", headers: { origin: publicUrl, cookie: cookies[who] }, payload: { password } });
    if (confirmed.statusCode !== 200) throw new Error(`confirming failed: ${confirmed.body}`);
    cookies[who] = cookieOf(confirmed.headers);
  }

  const isSignedIn = async (who: "developer" | "operator") => {
    const path = who === "operator" ? "/dashboard/api/operator/system" : "/dashboard/api/me";
    return (await app.inject({ url: path, headers: { cookie: cookies[who] } })).statusCode === 200;
  };

  const advertiser = await makeAdvertiser(opened);

  const planted: Record<string, readonly string[]> = { campaign_id: [advertiser.campaignId], ad_id: advertiser.adIds };

  async function renewKeys(): Promise<void> {
    const [live, test] = await Promise.all([keys.live, keys.test].map(async (key) => deps.authenticator.authenticate(key, { ip: "127.0.0.1" })));
    // An operator request may also have moved the account to a lower tier.
    if (live && test && live.quota.perMinute >= perMinuteMin) return;
    const { accountId, liveKey, testKey } = await makeAccount(deps.store, { tier: vastTier });
    Object.assign(keys, { live: liveKey, test: testKey });
    Object.assign(page, { accountId, siteId: await addSite(deps.store, { accountId, origins: [publicUrl], nowMs: Date.now() }) });
    await deps.attestation.sites.refresh();
  }

  const identities: FuzzIdentities = {
    planted,
    headersOf(identity) {
      switch (identity) {
        case "live":
        case "test":
          return { "x-api-key": keys[identity] };
        case "wrong_key":
          return { "x-api-key": makeKey("live") };
        case "developer":
        case "operator":
          return { cookie: cookies[identity] };
        case "forged_cookie":
          return { cookie: cookies.operator.replace(/.{8}(?=;|$)/, "AAAAAAAA") };
        case "monitor":
          return { authorization: `Bearer ${deps.config.metricsToken}` };
        case "advertiser":
          return { authorization: `Bearer ${advertiser.token}` };
        case "anonymous":
          return {};
      }
    },
    async renew() {
      await advertiser.renew();
      for (const who of ["developer", "operator"] as const) if (!(await isSignedIn(who))) await signIn(who);
      await renewKeys();
      const tokens = makeSessionTokens(opened, page);
      Object.assign(planted, { site: [page.siteId], token: tokens, session_token: tokens });
    },
  };
  await identities.renew();
  return identities;
}
