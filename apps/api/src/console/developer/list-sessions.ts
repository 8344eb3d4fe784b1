import { type SessionDetailReply, type SessionItem, sessionsPageMax, type SessionsQuery, type SessionsReply } from "@assay/contract/dashboard/sessions.ts";
import type { SessionData } from "@assay/contract/scoring.ts";
import type { Outcome } from "@assay/contract/sessions.ts";
import type { Calibration } from "@assay/scoring/model.ts";
import { type Recommendation, type TrustLevel, trustLevelOf, trustThresholds } from "@assay/scoring/trust-level.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, msPerDay, parseTime } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectCalibrationOfSession } from "../../scoring/calibration/calibrations.table.ts";
import { describeExplanation, explainSession } from "../../scoring/score-session.ts";
import { describeAttestation } from "../../scoring/sessions/describe-attestation.ts";
import { calibrationOf } from "../../scoring/sessions/describe-calibration.ts";
import { findSession, signalsOf } from "../../scoring/sessions/find-session.ts";
import { selectOutcomes, selectReceipt, selectScanEnd, selectSessions } from "../../scoring/sessions/session-list.table.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";
import type { DeveloperContext } from "./developer-context.ts";
import { parsePageLimit } from "./page-and-download.ts";

const limitDefault = 50;
/** Sessions scanned per filtered page. */
const scanMax = 5_000;
const outcomesShownMax = 20;
const cursorPattern = /^sess_[0-9A-Za-z]{8,40}$/;

/** The outer bounds lie beyond every score. */
const scoresOf: Record<TrustLevel, { from: number; to: number }> = {
  high: { from: trustThresholds.high, to: 1_000 },
  medium: { from: trustThresholds.medium, to: trustThresholds.high },
  low: { from: -1, to: trustThresholds.medium },
};

/** Ids are ordered by time, so a time span is an id range. Retention is exact to the millisecond. */
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
  calibration: calibrationOf(row.calibration),
  signals: signalsOf(row),
  outcome: row.outcome as Outcome | null,
  ...describeAttestation(row),
});

type ListContext = ReportSource & Pick<DeveloperContext, "nowMs" | "retentionDays">;

export async function listSessions(context: ListContext, accountId: string, query: SessionsQuery): Promise<SessionsReply> {
  const { db } = context;
  const limit = parsePageLimit(query.limit, { fallback: limitDefault, max: sessionsPageMax });
  const filter = { mode: query.mode, scores: query.level && scoresOf[query.level], outcome: query.outcome };
  const isFiltered = filter.mode !== undefined || filter.scores !== undefined || filter.outcome !== undefined;
  const scan = isFiltered ? scanMax : limit;
  const page = { accountId, ...idRangeOf(query, context.nowMs(), context.retentionDays), scan };
  const rows = await selectSessions(db, { ...page, limit, filter }).execute();
  const last = rows.length === limit ? rows.at(-1)!.id : (await selectScanEnd(db, page).executeTakeFirst())?.id;
  return { sessions: rows.map(describeSession), next_cursor: last ?? null };
}

/** The explanation that analyze gave, or would have given: by the model that scored it, only if that reproduces the stored score. */
function explain(context: DeveloperContext, session: Awaited<ReturnType<typeof findSession>>, own: Calibration | undefined): Pick<SessionDetailReply, "explanation" | "unexplained"> {
  const shipped = context.models.find(session.model_version)?.model;
  const model = own ? shipped?.calibrated(own) : shipped;
  if (!model) return { explanation: null, unexplained: "other_model" };
  // Stored signals passed the same schema.
  const explained = explainSession(model, session.signals as SessionData, undefined);
  if (explained.serviceScore !== session.service_score) return { explanation: null, unexplained: "forced_by_test" };
  return { explanation: describeExplanation(explained), unexplained: null };
}

export async function readSession(context: DeveloperContext, key: { accountId: string; sessionId: string }): Promise<SessionDetailReply> {
  const session = await findSession(context.store, { ...key, nowMs: context.nowMs(), retentionDays: context.retentionDays });
  const [outcomes, billed, own] = await Promise.all([
    selectOutcomes(context.store.db, { ...key, limit: outcomesShownMax }).execute(),
    selectReceipt(context.store.db, key).executeTakeFirst(),
    selectCalibrationOfSession(context.store.db, key).executeTakeFirst(),
  ]);
  return {
    ...session,
    ...explain(context, session, own),
    calibration_version: own?.version ?? null,
    receipt: billed?.receipt ?? null,
    outcomes: outcomes.map(({ outcome, at }) => ({ outcome: outcome as Outcome, recorded_at: isoTime(at) })),
  };
}
