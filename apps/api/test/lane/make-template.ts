import { issueKey } from "../../src/access/keys/issue-key.ts";
import { makeKey } from "../../src/access/keys/key-format.ts";
import { revokeKey } from "../../src/access/keys/revoke-key.ts";
import { msPerDay, msPerMinute } from "../../src/formats/time.ts";
import { bookCorrection } from "../../src/money/corrections/book-correction.ts";
import { callPriceMicroUsd } from "../../src/money/price.ts";
import { addSite, sealSession, type SealedSession } from "../attestation/seal-session.ts";
import { makeCampaign } from "../ads/serving/make-campaign.ts";
import { makeAccount, type TestAccount, vastTier } from "../make-account.ts";
import { openApp, type OpenedApp } from "../open-app.ts";
import { goodBody } from "../send.ts";
import type { CallKeys, SessionTokens } from "./draw-call.ts";
import type { StoppedClock } from "./twins.ts";

export const goodSessionBody = JSON.stringify(goodBody);
export const goodAdBody = '{"format":"native","user_context":{"app_category":"gaming"}}';
/** Of the starter account, where developers pay. */
export const prepaidCalls = 2;

export const expiringKeyMs = 10 * msPerMinute;

export type Template = {
  dataDir: string;
  /** Each with limits that no test reaches, at least for its live key. */
  accounts: { account: TestAccount; keys: CallKeys; tokens: SessionTokens }[];
  /** 50 calls a minute. */
  starter: TestAccount;
  expiringKey: string;
};

const sessionsPerAccount = 12;

/** Tokens of sessions that are attested, and of some that are not. Both twins open them: they have the same key. */
async function makeTokens({ deps: { store, attestation } }: OpenedApp, accountId: string, nowMs: number): Promise<SessionTokens> {
  const siteId = await addSite(store, { accountId, origins: ["https://shop.example"], nowMs });
  const seal = (session: Partial<SealedSession> = {}) => sealSession(attestation.tokens, { accountId, siteId, nowMs, ...session });
  return {
    good: Array.from({ length: sessionsPerAccount }, () => seal()),
    doubtful: [
      seal({ startedAgoMs: 2_000 }),
      seal({ startedAgoMs: 0, lastBeatAgoMs: 0 }),
      seal({ issues: ["crowded_network", "proxied"] }),
      seal({ startedAgoMs: 60 * msPerMinute, lastBeatAgoMs: 30 * msPerMinute + 1 }),
      seal({ startedAgoMs: 4 * msPerDay, lastBeatAgoMs: 4 * msPerDay }),
      seal({ accountId: "acct_of_somebody_else" }),
    ],
  };
}

/** An installation with accounts, keys and campaigns, closed again, from which twins are copied. */
export async function makeTemplate(clock: StoppedClock, { accounts: count }: { accounts: number }): Promise<Template> {
  const opened = await openApp({}, { nowMs: clock.nowMs });
  const { store } = opened.deps;
  const nowMs = clock.nowMs();
  const starter = await makeAccount(store, { nowMs });
  const issue = (name: string, expiresAtMs?: number) => issueKey(store, { accountId: starter.accountId, mode: "live", name, nowMs, expiresAtMs });
  const [revoked, expired, expiring] = [await issue("revoked"), await issue("expired", nowMs), await issue("expiring", nowMs + expiringKeyMs)];
  await bookCorrection(store, { accountId: starter.accountId, kind: "deposit", on: "prepaid", microUsd: prepaidCalls * callPriceMicroUsd, reason: undefined, actorAccountId: "acct_operator", mayCorrectOwn: false, nowMs });
  await revokeKey(store, { keyId: revoked.keyId, nowMs, channel: undefined });
  for (const format of ["banner", "native", "interstitial"] as const) {
    await makeCampaign(store, { format, headline: "Schneller bauen — für alle 大", budget_micro: 1_000_000_000_000 });
    await makeCampaign(store, { format, budget_micro: 1_000_000_000_000, bid_micro: 300_000, min_trust: 40 });
  }
  const invalid = { unknown: makeKey("live"), revoked: revoked.key, expired: expired.key };
  const accounts: Template["accounts"] = [];
  while (accounts.length < count) {
    const account = await makeAccount(store, { tier: vastTier, nowMs });
    const keys = { live: account.liveKey, test: account.testKey, ...invalid };
    accounts.push({ account, keys, tokens: await makeTokens(opened, account.accountId, nowMs) });
  }
  await opened.close();
  return { dataDir: opened.dataDir, accounts, starter, expiringKey: expiring.key };
}
