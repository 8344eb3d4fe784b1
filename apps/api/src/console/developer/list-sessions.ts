import { type SessionDetailReply, type SessionItem, sessionsPageMax, type SessionsQuery, type SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import type { SessionData } from "@assay/contract/scoring.ts";
import type { Outcome } from "@assay/contract/sessions.ts";
import { type Recommendation, type TrustLevel, trustLevelOf, trustThresholds } from "@assay/scoring/trust-level.ts";
import { Failure } from "../../failure/failure.ts";
import { explainSession } from "../../scoring/score-session.ts";
import { findSession, signalsOf } from "../../scoring/sessions/find-session.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { parsePageLimit } from "./parse-page.ts";
import { selectOutcomes, selectReceipt, selectScanEnd, selectSessions, type SessionFilter } from "../../scoring/sessions/session-list.table.ts";
import { isoTime, msPerDay, parseTime } from "../../formats/time.ts";

const limitDefault = 50;
/** Sessions that one filtered page looks at. */
const scanMax = 5_000;
const outcomesShownMax = 20;
const cursorPattern = /^sess_[0-9A-Za-z]{8,40}$/;

const scoresOf: Record<TrustLevel, { from: number; to: number }> = {
  high: { from: trustThresholds.high, to: Number.POSITIVE_INFINITY },
  medium: { from: trustThresholds.medium, to: trustThresholds.high },
  low: { from: Number.NEGATIVE_INFINITY, to: trustThresholds.medium },
};
/** Beyond every score: infinity is no number to a database. */
const beyondScores = { from: -1, to: 1_000 };

function filterOf(query: SessionsQuery): SessionFilter {
  const scores = query.level && scoresOf[query.level];
  return {
    mode: query.mode,
    scores: scores && { from: Math.max(scores.from, beyondScores.from), to: Math.min(scores.to, beyondScores.to) },
    outcome: query.outcome,
  };
}

/** Ids are ordered by time, so a span of time is a span of ids. Retention holds to the millisecond. */
function idRangeOf(query: SessionsQuery, nowMs: number, retentionDays: number): { fromId: string; toId: string } {
  const retainedFromMs = nowMs - retentionDays * msPerDay;
  const fromMs = query.from === undefined ? retainedFromMs : Math.max(retainedFromMs, parseTime(query.from, "from"));
  const toId = query.to === undefined ? "sess_~" : lowestIdAt("sess", parseTime(query.to, "to"));
  if (query.cursor !== undefined && !cursorPattern.test(query.cursor)) throw new Failure("invalid_request", "cursor must be a next_cursor of this list");
  const isBelow = query.cursor !== undefined && query.cursor < toId;
  return { fromId: lowestIdAt("sess", fromMs), toId: isBelow ? query.cursor! : toId };
}

type ListedSession = Awaited<ReturnType<ReturnType<typeof selectSessions>["execute"]>>[number];

const describeSession = (row: ListedSession): SessionItem => ({
  session_id: row.id,
  timestamp: isoTime(row.at),
  mode: row.mode,
  endpoint: row.endpoint as SessionItem["endpoint"],
  service_score: row.service_score,
  trust_level: trustLevelOf(row.service_score),
  confidence: row.confidence,
  recommendation: row.recommendation as Recommendation,
  signals: signalsOf(row),
  outcome: row.outcome as Outcome | null,
});

export async function listSessions(context: DeveloperContext, accountId: string, query: SessionsQuery): Promise<SessionsReply> {
  const { db } = context.store;
  const limit = parsePageLimit(query.limit, { fallback: limitDefault, max: sessionsPageMax });
  const filter = filterOf(query);
  const isFiltered = filter.mode !== undefined || filter.scores !== undefined || filter.outcome !== undefined;
  const scan = isFiltered ? scanMax : limit;
  const page = { accountId, ...idRangeOf(query, context.nowMs(), context.retentionDays), scan };
  const rows = await selectSessions(db, { ...page, limit, filter }).execute();
  const last = rows.length === limit ? rows.at(-1)!.id : (await selectScanEnd(db, page).executeTakeFirst())?.id;
  return { sessions: rows.map(describeSession), next_cursor: last ?? null };
}

/** Why the score is what it is, as analyze would say it; only where this model gives that very score. */
function explain(context: DeveloperContext, session: Awaited<ReturnType<typeof findSession>>): Pick<SessionDetailReply, "explanation" | "unexplained"> {
  if (session.model_version !== context.model.version) return { explanation: null, unexplained: "other_model" };
  // Stored signals passed the same schema when they came.
  const explained = explainSession(context.model, session.signals as SessionData, undefined);
  if (explained.serviceScore !== session.service_score) return { explanation: null, unexplained: "forced_by_test" };
  const { baseValue, contributions, unroundedScore, interval, reasons } = explained;
  return {
    explanation: { base_value: baseValue, contributions, unrounded_score: unroundedScore, interval, reasons, thresholds: trustThresholds },
    unexplained: null,
  };
}

export async function readSession(context: DeveloperContext, wish: { accountId: string; sessionId: string }): Promise<SessionDetailReply> {
  const session = await findSession(context.store, { ...wish, nowMs: context.nowMs(), retentionDays: context.retentionDays });
  const [outcomes, billed] = await Promise.all([
    selectOutcomes(context.store.db, { ...wish, limit: outcomesShownMax }).execute(),
    selectReceipt(context.store.db, wish).executeTakeFirst(),
  ]);
  return {
    ...session,
    ...explain(context, session),
    receipt: billed?.receipt ?? null,
    outcomes: outcomes.map(({ outcome, at }) => ({ outcome: outcome as Outcome, recorded_at: isoTime(at) })),
  };
}
