import { evidenceThreshold, type IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import { selectNetworkDays } from "../../attestation/networks/networks.table.ts";
import { msPerDay, msPerHour, msPerMinute, startOfHour } from "../../formats/time.ts";
import { dayText } from "../../money/days/day-refs.ts";
import { type CheckName, weighChecks } from "../../money/evidence/e-process.ts";
import { selectEvidenceFrom, selectNotices } from "../../money/evidence/evidence.table.ts";
import { selectFindings } from "../../money/findings/findings.table.ts";
import type { Standing } from "../../money/payouts/list-reviews.ts";
import { selectActiveAccounts } from "../../money/ledger/ledger.table.ts";
import { readAttestedShare } from "../../money/ledger/read-attested-share.ts";
import type { Store } from "../../store/store.ts";
import { readLatest } from "./analyze-traffic.ts";
import { addSummary, emptySummary, readSummary, type SessionSummary } from "./session-summary.ts";
import { sumUpNetworks } from "./sum-up-networks.ts";
import { selectHours, selectSomeHours } from "./traffic.table.ts";

const evidenceDays = 92;
const noticesShown = 100;
const duplicatesShown = 5;
const findingsRead = 500;
const windowDays = 7;
const reviewedDays = 30;
/** The others are a sample, read at most once in ten minutes: so many accounts, and so many hours of each, spread over week and day. */
const othersMax = 200;
const hoursOfOthers = 12;
const othersKeptMs = 10 * msPerMinute;

const rounded = (share: number) => Math.round(share * 1_000_000) / 1_000_000;

/** The evidence after each day. A decision ends what was found before it. */
async function readEvidence(store: Store, accountId: string, nowMs: number): Promise<IntegrityReply["evidence"]> {
  const rows = await selectEvidenceFrom(store.db, { accountId, fromDay: nowMs - evidenceDays * msPerDay }).execute();
  const decisions = (await selectFindings(store.db, { accountId, limit: findingsRead }).execute()).flatMap(({ closed_at: closedAt }) => closedAt ?? []);
  const latest = new Map<CheckName, (typeof rows)[number]>();
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, checks]) => {
    for (const row of checks) latest.set(row.check_name as CheckName, row);
    const evaluatedAtMs = Math.max(...checks.map(({ at }) => at));
    const decidedAtMs = Math.max(0, ...decisions.filter((closedAt) => closedAt <= evaluatedAtMs));
    const current = [...latest].filter(([, row]) => row.at >= decidedAtMs);
    return {
      day: dayText(day),
      total: Math.exp(weighChecks(new Map(current.map(([check, row]) => [check, row.log_evidence])))),
      checks: checks.map((row) => ({
        check: row.check_name,
        evidence: Math.exp(row.log_evidence),
        factor: Math.exp(row.log_factor),
        tested: row.tested,
        hits: row.hits,
      })),
    };
  });
}

/** What a review looks at: the evidence by now, and the codes of the last month's notices. */
export async function readStanding(store: Store, place: { accountId: string; nowMs: number }): Promise<Standing> {
  const { accountId, nowMs } = place;
  const [evidence, notices] = await Promise.all([readEvidence(store, accountId, nowMs), selectNotices(store.db, { accountId, limit: noticesShown }).execute()]);
  const recent = notices.filter(({ day }) => day >= nowMs - reviewedDays * msPerDay);
  return { evidence: evidence.at(-1)?.total ?? 1, notices: [...new Set(recent.map(({ code }) => code))] };
}

const fractionEdges = Array.from({ length: 11 }, (_, index) => index / 10);
const countEdges = [0, 1, 2, 3, 5, 10, 20, 50, 100, 1_000_000];
const edgesOf: Record<SignalName, readonly number[]> = {
  user_engagement: fractionEdges,
  scroll_depth: fractionEdges,
  return_visitor: [0, 0.5, 1],
  session_duration: [0, 1, 10, 30, 60, 120, 300, 600, 1_800, 100_000_000],
  interaction_count: countEdges,
  page_views: countEdges,
};
const scoreEdges = Array.from({ length: 11 }, (_, index) => index * 10);

/** The share of the counted values in each bin; the last bin includes its end. Null without values. */
function shareOut(counts: ReadonlyMap<number, number>, edges: readonly number[], scale = 1): (number | null)[] {
  const bins = Array.from({ length: edges.length - 1 }, () => 0);
  let total = 0;
  for (const [value, count] of counts) {
    const next = edges.findIndex((edge) => edge > value * scale);
    bins[next === -1 ? bins.length - 1 : Math.max(0, next - 1)]! += count;
    total += count;
  }
  return bins.map((count) => (total === 0 ? null : rounded(count / total)));
}

function compare(own: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>, edges: readonly number[], scale?: number) {
  const [ownShares, otherShares] = [shareOut(own, edges, scale), shareOut(others, edges, scale)];
  return ownShares.map((share, index) => ({ from: edges[index]!, to: edges[index + 1]!, own: share, others: otherShares[index]! }));
}

async function findDuplicates(store: Store, window: { accountId: string; fromMs: number; toMs: number }): Promise<IntegrityReply["duplicates"]> {
  const rows = await readLatest(store, window);
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = JSON.stringify(signalNames.map((name) => row[name]));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const most = [...counts].filter(([, count]) => count > 1).toSorted((left, right) => right[1] - left[1]).slice(0, duplicatesShown);
  return most.map(([key, sessions]) => {
    const values = JSON.parse(key) as (number | null)[];
    const present = signalNames.flatMap((name, index) => {
      const value = values[index] ?? null;
      return value === null ? [] : [[name, name === "return_visitor" ? value === 1 : value] as const];
    });
    return { signals: Object.fromEntries(present), sessions, share: rounded(sessions / rows.length) };
  });
}

export type ReadIntegrity = (accountId: string, nowMs: number) => Promise<Omit<IntegrityReply, "linked">>;

/** What an operator sees of an account's traffic. */
export function createIntegrityReader(store: Store): ReadIntegrity {
  let others: { untilMs: number; summaries: Promise<Map<string, SessionSummary>> } | undefined;

  async function readSummaries(nowMs: number): Promise<Map<string, SessionSummary>> {
    const endMs = startOfHour(nowMs);
    const stepMs = Math.floor((windowDays * 24) / hoursOfOthers) * msPerHour - msPerHour;
    const hours = Array.from({ length: hoursOfOthers }, (_, index) => endMs - (index + 1) * stepMs);
    const summaries = new Map<string, SessionSummary>();
    const accounts = await selectActiveAccounts(store.db, { sinceMs: endMs - windowDays * msPerDay, afterId: "", limit: othersMax }).execute();
    for (const { account_id: accountId } of accounts) {
      const summary = emptySummary();
      for (const row of await selectSomeHours(store.db, { accountId, hours }).execute()) addSummary(summary, readSummary(row.summary));
      summaries.set(accountId, summary);
    }
    return summaries;
  }

  function readOthers(nowMs: number): Promise<Map<string, SessionSummary>> {
    if (others && others.untilMs > nowMs) return others.summaries;
    const summaries = readSummaries(nowMs);
    others = { untilMs: nowMs + othersKeptMs, summaries };
    summaries.catch(() => (others = undefined));
    return summaries;
  }

  return async (accountId, nowMs) => {
    const fromMs = nowMs - windowDays * msPerDay;
    const own = emptySummary();
    for (const row of await selectHours(store.db, { accountId, fromMs, toMs: nowMs, limit: windowDays * 24 + 1 }).execute()) addSummary(own, readSummary(row.summary));
    const all = emptySummary();
    for (const [otherId, summary] of await readOthers(nowMs)) if (otherId !== accountId) addSummary(all, summary);
    const notices = await selectNotices(store.db, { accountId, limit: noticesShown }).execute();
    return {
      threshold: evidenceThreshold,
      evidence: await readEvidence(store, accountId, nowMs),
      notices: notices.map((notice) => ({ ...notice, day: dayText(notice.day) })),
      networks: sumUpNetworks(await selectNetworkDays(store.db, { accountId, fromDay: nowMs - reviewedDays * msPerDay }).execute()),
      scores: compare(own.shippedScores, all.shippedScores, scoreEdges, 0.1),
      signals: signalNames.map((name) => ({
        signal: name,
        present: own.sessions === 0 ? 0 : rounded(own.signals[name].present / own.sessions),
        bins: compare(own.signals[name].counts, all.signals[name].counts, edgesOf[name]),
      })),
      duplicates: await findDuplicates(store, { accountId, fromMs, toMs: nowMs }),
      attested_share: await readAttestedShare(store, { accountId, nowMs }),
    };
  };
}
