import type { Model } from "@assay/scoring/model.ts";
import { issueKey } from "../../access/keys/issue-key.ts";
import { createRequestGatherer } from "../../access/requests/gather-requests.ts";
import { writeRequests } from "../../access/requests/record-requests.ts";
import { reverseClicks } from "../../ads/clicks/reverse-clicks.ts";
import { msPerDay, msPerMinute, startOfDay } from "../../formats/time.ts";
import { idAt } from "../../ids/time-ordered-id.ts";
import type { ReverseCalls, ReverseCallsOutcome } from "../../money/days/reverse-calls.work.ts";
import { type Charger, createCharger } from "../../money/ledger/charge-call.ts";
import { demoMoney } from "../../money/ledger/pools.ts";
import { lastPayableMonth, payableFromMs } from "../../money/payable-months.ts";
import { fundPlatform } from "../../money/payouts/platform-money.ts";
import { createAccount } from "../../people/create-account.ts";
import { markDemo, selectAccountByEmail } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import { upsertPayee } from "../../register/payees.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { judgeSession } from "../../scoring/score-session.ts";
import { recordOutcome } from "../../scoring/sessions/find-session.ts";
import type { CallPayer } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { promised } from "../../store/waiter.ts";
import { type DemoPages, openDemoPages } from "./attest-demo-calls.ts";
import { type DemoCall, type DemoDay, listDays } from "./draw-demo-traffic.ts";
import { daysOfDemo, type DemoSite, planSites } from "./plan-demo.ts";
import { type PastSettings, payPastMonth, runPastJobs } from "./run-past-jobs.ts";
import { openDemoAds } from "./show-demo-ads.ts";

const reverseModule = new URL("../../money/days/reverse-calls.work.ts", import.meta.url);
const tier = "Growth";
/** As many as one account may have in a commit batch. */
const callsPerBatch = 250;
const fundingMicroUsd = 5_000_000_000;
/** The service keeps newer requests one by one. */
const loggedDays = 3;
const failedShare = 0.01;
/** The shop has had the collector on its pages for this long. */
const attestedDays = 14;
const accidentalClick = "The advertiser reported the click as accidental.";

export type DemoOptions = PastSettings & {
  days: number;
  password: string;
  model: Model;
  payer: CallPayer;
  retentionDays: number;
  nowMs: number;
  size: number;
  random: () => number;
  onProgress: (calls: number) => void;
};

export type DemoOutcome =
  | { kind: "made"; emails: string[]; password: string; calls: number; outcomes: number; fromMs: number }
  | { kind: "exists"; email: string };

type DemoAccount = DemoSite & { accountId: string; keyId: string; shareBps: number };

/** A flagged account with a live and a test key. */
async function makeAccount(store: Store, site: DemoSite, options: DemoOptions): Promise<DemoAccount> {
  const { email, fromMs } = site;
  const created = await createAccount(store, { email, tier, verified: true, operator: false, password: options.password }, fromMs);
  if (created.kind !== "created") throw new Error(`the demo account ${email} could not be made: ${created.kind}`);
  const accountId = created.account.id;
  const note = { actorAccountId: null, action: "account.demo", subject: accountId, detail: { days: options.days }, nowMs: options.nowMs };
  await store.write([markDemo(store.db, accountId), noteAction(store.db, note)]);
  const { share_bps: shareBps } = await selectTierByName(store.db, tier).executeTakeFirstOrThrow();
  const { keyId } = await issueKey(store, { accountId, mode: "live", name: site.keyName, nowMs: fromMs });
  await issueKey(store, { accountId, mode: "test", name: "Staging", nowMs: fromMs });
  return { ...site, accountId, keyId, shareBps };
}

/** Nobody else names this address, so that no real account is ever linked to a demo account. */
const namePayee = (store: Store, { accountId, legalName }: DemoAccount, nowMs: number) =>
  upsertPayee(store.db, {
    account_id: accountId,
    legal_name: legalName,
    address: "1 Example Street, Exampleton",
    country: "GB",
    tax_id: null,
    method: "paypal",
    account: `${accountId.toLowerCase()}@demo.invalid`,
    bank_code: null,
    updated_at: nowMs,
    usable_from: 0,
    marked_at: 0,
  }).execute();

const withoutPages: DemoPages["visit"] = ({ signals }) => ({ signals, attestation: undefined });

/** Scores and bills a day's calls like any others, at their own times. The ledger's time never runs backwards, so they come in order. */
async function chargeDay(charger: Charger, clock: { nowMs: number }, day: { account: DemoAccount; calls: readonly DemoCall[]; model: Model; visit: DemoPages["visit"] }): Promise<Map<string, DemoCall>> {
  const { account, calls, model, visit } = day;
  const charged = new Map<string, DemoCall>();
  for (let from = 0; from < calls.length; from += callsPerBatch) {
    const part = calls.slice(from, from + callsPerBatch);
    clock.nowMs = part.at(-1)!.atMs;
    await Promise.all(
      part.map((call) => {
        const ref = idAt("sess", call.atMs);
        charged.set(ref, call);
        const { accountId, shareBps } = account;
        const { signals, attestation } = visit(call);
        const verdict = { signals, score: judgeSession(model, signals, undefined), processingTimeMs: call.processingTimeMs, modelVersion: model.version, calibration: null };
        const charge = { accountId, mode: "live", ref, endpoint: call.endpoint, atMs: call.atMs, shareBps, verdict, attestation, idempotency: undefined } as const;
        return promised((waiter) => charger.charge(charge, waiter));
      }),
    );
  }
  return charged;
}

/** Counts the requests of a day, and logs those of the last days, some of them refused. */
async function recordDay(store: Store, day: { account: DemoAccount; calls: readonly DemoCall[]; isLogged: boolean; random: () => number }): Promise<void> {
  const gatherer = createRequestGatherer((atMs) => idAt("log", atMs));
  for (const { atMs, endpoint, processingTimeMs } of day.calls) {
    const { accountId, keyId } = day.account;
    const request = { accountId, keyId, atMs, method: "POST", route: `/api/ml/${endpoint}`, durationMs: processingTimeMs + 1 };
    gatherer.add({ ...request, requestId: idAt("req", atMs), status: 200, failure: undefined });
    if (day.random() >= failedShare) continue;
    const failure = { code: "invalid_request", message: "session_data.user_engagement must be a number from 0 to 1." };
    gatherer.add({ ...request, requestId: idAt("req", atMs), status: 400, failure });
  }
  const { hours, logs } = gatherer.take(day.calls.at(-1)?.atMs ?? 0, true);
  await writeRequests(store, { hours, logs: day.isLogged ? logs : [] });
}

/**
 * Makes flagged accounts with a past, day by day: calls and clicks are billed by the code that bills real ones, at their
 * past times, and each night the service's jobs run with the clock of that night. What waits, what was found and what
 * is payable are therefore what the rules made of it.
 */
export async function makeDemo(store: Store, options: DemoOptions): Promise<DemoOutcome> {
  const { model, random, nowMs, size } = options;
  const days = listDays(daysOfDemo(options.days, nowMs), nowMs);
  const fromMs = days[0]!.startMs;
  const sites = planSites(days, { nowMs, size });
  for (const { email } of sites) if (await selectAccountByEmail(store.db, email).executeTakeFirst()) return { kind: "exists", email };
  const accounts: DemoAccount[] = [];
  for (const site of sites) accounts.push(await makeAccount(store, site, options));
  const [shop, game, script] = (["shop", "game", "script"] as const).map((role) => accounts.find((account) => account.role === role)!);
  await fundPlatform(store, { microUsd: fundingMicroUsd, actorAccountId: null, nowMs: fromMs }, demoMoney);
  await namePayee(store, shop!, fromMs);
  const ads = await openDemoAds(store, { fromMs, random });
  const pages = await openDemoPages(store, { accountId: shop!.accountId, fromMs: Math.max(fromMs, startOfDay(nowMs) - attestedDays * msPerDay), random });
  const accountIds = new Set(accounts.map(({ accountId }) => accountId));

  const lastPaydayMs = payableFromMs(lastPayableMonth(nowMs).endMs);
  const clock = { nowMs: fromMs };
  const charger = createCharger(store, { payer: options.payer, nowMs: () => clock.nowMs });
  const outcomes = new Map<string, DemoCall>();
  let calls = 0;
  let clicks: string[] = [];

  async function liveThrough(account: DemoAccount, day: DemoDay): Promise<void> {
    const drawn = account.draw(day, random);
    const visit = account === shop ? pages.visit : withoutPages;
    const charged = await chargeDay(charger, clock, { account, calls: drawn, model, visit });
    if (account === shop) {
      for (const [sessionId, call] of charged) if (call.outcome) outcomes.set(sessionId, call);
      const clicked = await ads.showOn(account, drawn);
      if (clicked.length > 0) clicks = clicked;
    }
    await recordDay(store, { account, calls: drawn, isLogged: day.startMs > nowMs - loggedDays * msPerDay, random });
    calls += drawn.length;
    options.onProgress(drawn.length);
  }

  for (const day of days) {
    for (const account of accounts.filter((each) => each.fromMs <= day.startMs)) await liveThrough(account, day);
    const nightMs = day.startMs + msPerDay + 10 * msPerMinute;
    if (nightMs > nowMs) continue;
    await runPastJobs(store, { ...options, accountIds, nowMs: nightMs });
    // Before the payout is proposed: a later reversal would make it larger than what the account can be paid.
    if (startOfDay(nightMs) === lastPaydayMs) await reverseClicks(store, { offerIds: clicks.slice(0, 1), reason: accidentalClick, actorAccountId: null, nowMs: nightMs });
    await payPastMonth(store, { ...options, pastMs: nightMs, nowMs });
  }
  await charger.drain();
  await pages.close();
  await ads.end(nowMs);
  await store.transact<ReverseCalls, ReverseCallsOutcome>(reverseModule, {
    accountId: script!.accountId,
    what: { day: script!.fromMs },
    reason: "One session was sent again and again, as the finding says.",
    actorAccountId: null,
    nowMs,
  });
  // After the last proposal: what the game earned is payable, and waits for somebody to propose it.
  for (const account of [game!, script!]) await namePayee(store, account, nowMs);
  for (const [sessionId, call] of outcomes) {
    await recordOutcome(store, { accountId: shop!.accountId, sessionId, outcome: call.outcome!, nowMs, retentionDays: options.retentionDays });
  }
  return { kind: "made", emails: accounts.map(({ email }) => email), password: options.password, calls, outcomes: outcomes.size, fromMs };
}
