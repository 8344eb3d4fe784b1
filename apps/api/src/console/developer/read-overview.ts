import type { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import { countWorkingKeys, selectKeysSeenInBrowser } from "../../access/keys/keys.table.ts";
import type { Quota, WindowCount } from "../../access/limits/limiter.ts";
import { firstSummedDay } from "../../attestation/sites/describe-site.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay, msPerHour, type Span, startOfDay, startOfHour } from "../../formats/time.ts";
import { selectHead, sumAttestedCalls, sumCallsByRate } from "../../money/ledger/ledger.table.ts";
import { sumMovements } from "../../money/ledger/movements.table.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectPayee } from "../../register/payees.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { selectAnyOutcome, selectLatestSession } from "../../scoring/sessions/sessions.table.ts";
import { describeSummary } from "../../scoring/traffic/describe-summary.ts";
import { addSummary, type SessionSummary } from "../../scoring/traffic/session-summary.ts";
import { completeHoursEndMs, summariseWindow } from "../../scoring/traffic/summarise-window.ts";
import type { Store } from "../../store/store.ts";
import type { DeveloperContext } from "./developer-context.ts";

const sessionDays = 7;
/** Session records read per view, beside the hourly summaries. */
const sessionRowsMax = 5_000;
/** Cached accounts; a week is a few thousand numbers. */
const settledWeeksMax = 500;
/** Test keys have this tier's limits: see keys.table.ts. */
const testTier = "Starter";

const hourAfter = (atMs: number) => startOfHour(atMs) + msPerHour;

/** Today so far, and yesterday up to the end of the same hour. Whole hours in UTC, like the rollups. */
export function todayAndYesterday(nowMs: number): { present: Span; previous: Span } {
  const fromMs = startOfDay(nowMs);
  const toMs = hourAfter(nowMs);
  return { present: { fromMs, toMs }, previous: { fromMs: fromMs - msPerDay, toMs: toMs - msPerDay } };
}

/** This month so far, and last month up to the same day and hour, or to its end if it is shorter. */
export function monthAndLastMonth(nowMs: number): { present: Span; previous: Span } {
  const now = new Date(nowMs);
  const fromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const previousFromMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1);
  const toMs = hourAfter(nowMs);
  return {
    present: { fromMs, toMs },
    previous: { fromMs: previousFromMs, toMs: Math.min(fromMs, previousFromMs + (toMs - fromMs)) },
  };
}

async function earnedIn(store: Store, accountId: string, span: Span) {
  const [calls, movements] = await Promise.all([
    sumCallsByRate(store.db, { accountId, ...span }).execute(),
    sumMovements(store.db, { accountId, ...span }).execute(),
  ]);
  const ads = movements.filter(({ kind }) => kind === "click" || kind === "reversal");
  return {
    calls: calls.reduce((sum, row) => sum + row.calls, 0),
    revenue_usd: usdOf([...calls, ...ads].reduce((sum, row) => sum + row.developer_micro, 0)),
  };
}

async function comparePeriods(store: Store, accountId: string, { present, previous }: { present: Span; previous: Span }) {
  const [now, before] = await Promise.all([earnedIn(store, accountId, present), earnedIn(store, accountId, previous)]);
  return { from: isoTime(present.fromMs), ...now, previous: before };
}

type SettledWeek = { fromMs: number; toMs: number; summary: SessionSummary };

/** Hours that can no longer change, summed by account: adding up a week is done once an hour, not per view. */
const settledWeeks = new WeakMap<Store, Map<string, SettledWeek>>();

async function sumUpWeek(context: DeveloperContext, accountId: string, span: Span & { nowMs: number }) {
  const weeks = settledWeeks.get(context.store) ?? new Map<string, SettledWeek>();
  settledWeeks.set(context.store, weeks);
  const known = weeks.get(accountId);
  if (known?.fromMs === span.fromMs && known.toMs === span.toMs) return { summary: known.summary, complete: true };
  const retainedFromMs = span.nowMs - context.retentionDays * msPerDay;
  const read = { nowMs: span.nowMs, retainedFromMs, budget: { rowsLeft: sessionRowsMax } };
  const { summary, complete } = await summariseWindow(context.store, { accountId, fromMs: span.fromMs, toMs: span.toMs }, read);
  if (complete) {
    // Evicts the oldest: a Map iterates in insertion order.
    if (weeks.size >= settledWeeksMax) weeks.delete(weeks.keys().next().value!);
    weeks.set(accountId, { fromMs: span.fromMs, toMs: span.toMs, summary });
  }
  return { summary, complete };
}

/** The last seven days: complete hours from their summaries, and the sessions since from their records. */
async function sumUpSessions(context: DeveloperContext, accountId: string, nowMs: number): Promise<OverviewReply["sessions"]> {
  const completeUntilMs = completeHoursEndMs(nowMs);
  const fromMs = completeUntilMs - sessionDays * msPerDay;
  const recent = { accountId, fromMs: completeUntilMs, toMs: nowMs + 1 };
  const [complete, edge] = await Promise.all([
    sumUpWeek(context, accountId, { fromMs, toMs: completeUntilMs, nowMs }),
    summariseWindow(context.store, recent, { nowMs, retainedFromMs: 0, budget: { rowsLeft: sessionRowsMax } }),
  ]);
  const total = edge.summary;
  addSummary(total, complete.summary);
  const { sessions, score, levels } = describeSummary(total);
  return {
    from: isoTime(fromMs),
    to: isoTime(nowMs),
    sessions,
    mean_score: sessions === 0 ? null : score.mean,
    levels,
    histogram: score.histogram,
    complete: complete.complete && edge.complete,
  };
}

async function lookAtLimits(context: DeveloperContext, subject: string, quota: Quota): Promise<OverviewReply["limits"]["live"]> {
  const { hour, burst } = await context.limiter.peek(subject, quota);
  const describe = (limit: number, { used, resetMs }: WindowCount) => ({
    limit,
    remaining: Math.max(0, limit - used),
    reset_seconds: Math.ceil(resetMs / 1_000),
  });
  return { hour: describe(quota.perHour, hour), burst: describe(quota.perMinute, burst) };
}

export async function readOverview(context: DeveloperContext, accountId: string): Promise<OverviewReply> {
  const { store } = context;
  const nowMs = context.nowMs();
  const [account, test, head, latest, outcome, payee, keys, seen] = await Promise.all([
    selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
    selectTierByName(store.db, testTier).executeTakeFirstOrThrow(),
    selectHead(store.db, accountId).executeTakeFirstOrThrow(),
    selectLatestSession(store.db, accountId).executeTakeFirst(),
    selectAnyOutcome(store.db, accountId).executeTakeFirst(),
    selectPayee(store.db, accountId).executeTakeFirst(),
    countWorkingKeys(store.db, { accountId, nowMs }).executeTakeFirstOrThrow(),
    selectKeysSeenInBrowser(store.db, { accountId, nowMs }).execute(),
  ]);
  const [today, month, sessions, attested, liveLimits, testLimits] = await Promise.all([
    comparePeriods(store, accountId, todayAndYesterday(nowMs)),
    comparePeriods(store, accountId, monthAndLastMonth(nowMs)),
    sumUpSessions(context, accountId, nowMs),
    // The same days as on the page of sites.
    sumAttestedCalls(store.db, { accountId, fromMs: firstSummedDay(nowMs), toMs: hourAfter(nowMs) }).executeTakeFirstOrThrow(),
    lookAtLimits(context, accountId, { perHour: account.per_hour, perMinute: account.per_minute }),
    lookAtLimits(context, `${accountId}:test`, { perHour: test.per_hour, perMinute: test.per_minute }),
  ]);
  const latestMs = Math.max(latest?.at ?? 0, head.seq > 0 ? head.at : 0);
  return {
    now: isoTime(nowMs),
    today,
    month,
    sessions,
    attested: { calls: attested.calls, attested_calls: attested.attested },
    tier: account.tier,
    limits: { live: liveLimits, test: testLimits },
    checklist: {
      verified: account.verified_at !== null,
      has_key: keys.count > 0,
      first_call: latest !== undefined || head.seq > 0,
      first_outcome: outcome !== undefined,
      payee_profile: payee !== undefined,
    },
    latest_call_at: latestMs === 0 ? null : isoTime(latestMs),
    payer: context.payer,
    payer_explained: context.payerExplained,
    keys_seen_in_browser: seen.length,
  };
}

export async function readLive(context: DeveloperContext, accountId: string): Promise<LiveReply> {
  const { store } = context;
  const nowMs = context.nowMs();
  const [month, head, latest] = await Promise.all([
    earnedIn(store, accountId, monthAndLastMonth(nowMs).present),
    selectHead(store.db, accountId).executeTakeFirstOrThrow(),
    selectLatestSession(store.db, accountId).executeTakeFirst(),
  ]);
  return {
    now: isoTime(nowMs),
    calls_month: month.calls,
    revenue_month_usd: month.revenue_usd,
    balance_usd: usdOf(head.balance_micro),
    ledger_seq: head.seq,
    last_session: latest
      ? {
          session_id: latest.id,
          at: isoTime(latest.at),
          mode: latest.mode,
          service_score: latest.service_score,
          trust_level: trustLevelOf(latest.service_score),
        }
      : null,
  };
}
