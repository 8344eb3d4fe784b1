import type { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { selectHead, sumCallsByRate } from "../../money/ledger/ledger.table.ts";
import { sumMovements } from "../../money/ledger/movements.table.ts";
import { countWorkingKeys, selectKeysSeenInBrowser } from "../../access/keys/keys.table.ts";
import type { Quota, WindowCount } from "../../access/limits/limiter.ts";
import type { Store } from "../../store/store.ts";
import { describeSummary } from "../../scoring/traffic/describe-summary.ts";
import { addSummary, type SessionSummary } from "../../scoring/traffic/session-summary.ts";
import { settledUntil, summariseWindow } from "../../scoring/traffic/summarise-window.ts";
import { monthAndLastMonth, type Span, todayAndYesterday } from "./compare-spans.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectPayee } from "../../register/payees.table.ts";
import { selectAnyOutcome, selectLatestSession } from "../../scoring/sessions/sessions.table.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import { usdOf } from "../../formats/money.ts";

const sessionDays = 7;
/** Sessions read one by one, beside stored sums of hours: the page must not wait for more. */
const sessionRowsMax = 5_000;
/** Accounts whose week is remembered; a week is a few thousand numbers. */
const settledWeeksMax = 500;
/** Test keys have this tier's windows: see keys.table.ts. */
const testTier = "Starter";

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

/** Sums of hours that can no longer change, by account: adding a week of them up is work for once an hour, not for every view. */
const settledWeeks = new WeakMap<Store, Map<string, SettledWeek>>();

async function sumUpSettled(context: DeveloperContext, accountId: string, span: Span & { nowMs: number }) {
  const weeks = settledWeeks.get(context.store) ?? new Map<string, SettledWeek>();
  settledWeeks.set(context.store, weeks);
  const known = weeks.get(accountId);
  if (known?.fromMs === span.fromMs && known.toMs === span.toMs) return { summary: known.summary, complete: true };
  const retainedFromMs = span.nowMs - context.retentionDays * msPerDay;
  const read = { nowMs: span.nowMs, retainedFromMs, budget: { rowsLeft: sessionRowsMax } };
  const { summary, complete } = await summariseWindow(context.store, { accountId, fromMs: span.fromMs, toMs: span.toMs }, read);
  if (complete) {
    // The oldest makes room: a Map remembers the order of insertion.
    if (weeks.size >= settledWeeksMax) weeks.delete(weeks.keys().next().value!);
    weeks.set(accountId, { fromMs: span.fromMs, toMs: span.toMs, summary });
  }
  return { summary, complete };
}

/** The last seven days: hours that are settled, and the sessions since, one by one. */
async function sumUpSessions(context: DeveloperContext, accountId: string, nowMs: number): Promise<OverviewReply["sessions"]> {
  const settledMs = settledUntil(nowMs);
  const fromMs = settledMs - sessionDays * msPerDay;
  const recent = { accountId, fromMs: settledMs, toMs: nowMs + 1 };
  const [settled, edge] = await Promise.all([
    sumUpSettled(context, accountId, { fromMs, toMs: settledMs, nowMs }),
    summariseWindow(context.store, recent, { nowMs, retainedFromMs: 0, budget: { rowsLeft: sessionRowsMax } }),
  ]);
  const total = edge.summary;
  addSummary(total, settled.summary);
  const { sessions, score, levels } = describeSummary(total);
  return {
    from: isoTime(fromMs),
    to: isoTime(nowMs),
    sessions,
    mean_score: sessions === 0 ? null : score.mean,
    levels,
    histogram: score.histogram,
    complete: settled.complete && edge.complete,
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
  const [today, month, sessions, liveLimits, testLimits] = await Promise.all([
    comparePeriods(store, accountId, todayAndYesterday(nowMs)),
    comparePeriods(store, accountId, monthAndLastMonth(nowMs)),
    sumUpSessions(context, accountId, nowMs),
    lookAtLimits(context, accountId, { perHour: account.per_hour, perMinute: account.per_minute }),
    lookAtLimits(context, `${accountId}:test`, { perHour: test.per_hour, perMinute: test.per_minute }),
  ]);
  const latestMs = Math.max(latest?.at ?? 0, head.seq > 0 ? head.at : 0);
  return {
    now: isoTime(nowMs),
    today,
    month,
    sessions,
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
