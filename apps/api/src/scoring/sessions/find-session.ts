import type { Outcome, SessionReply } from "@assay/contract/sessions.ts";
import { type SignalName, type Signals, signalNames } from "@assay/scoring/signals.ts";
import { type Recommendation, trustLevelOf } from "@assay/scoring/trust-level.ts";
import { Failure } from "../../failure/failure.ts";
import type { SessionRecordRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { insertOutcome, selectSession } from "./sessions.table.ts";
import { msPerDay } from "../../formats/time.ts";
import { usdOf } from "../../formats/money.ts";

const idPattern = /^sess_[0-9A-Za-z]{20,40}$/;
/** Two nodes that number the same session's outcomes at once: one of them tries again. */
const numberingTriesMax = 5;

export type SessionWish = { accountId: string; sessionId: string; nowMs: number; retentionDays: number };

/** The same for a session that never was, one of another account and one past retention: none is told apart. */
const unknownSession = () => new Failure("not_found", "No session of this account has this id, or it is past retention.");

/** What is no id is not looked up. Retention holds from the very millisecond, whenever upkeep comes by to delete. */
function refuseLostSessions(wish: SessionWish): void {
  const oldestId = lowestIdAt("sess", wish.nowMs - wish.retentionDays * msPerDay);
  if (!idPattern.test(wish.sessionId) || wish.sessionId < oldestId) throw unknownSession();
}

type SignalColumns = Pick<SessionRecordRow, SignalName>;

/** The signals that were sent; absent ones are left out. */
export function signalsOf(row: SignalColumns): Signals {
  const seen = signalNames.filter((name) => row[name] !== null);
  return Object.fromEntries(seen.map((name) => [name, name === "return_visitor" ? row[name] === 1 : row[name]]));
}

export async function findSession(store: Store, wish: SessionWish): Promise<SessionReply> {
  refuseLostSessions(wish);
  const row = await selectSession(store.db, wish).executeTakeFirst();
  if (!row) throw unknownSession();
  return {
    service_score: row.service_score,
    trust_level: trustLevelOf(row.service_score),
    confidence: row.confidence,
    revenue_attribution: usdOf(row.developer_micro ?? 0),
    processing_time_ms: row.processing_time_ms,
    session_id: row.id,
    timestamp: new Date(row.at).toISOString(),
    attribution_confidence: row.confidence,
    recommendation: row.recommendation as Recommendation,
    model_version: row.model_version,
    signals: signalsOf(row),
    endpoint: row.endpoint as SessionReply["endpoint"],
    outcome: row.outcome as Outcome | null,
    mode: row.mode,
  };
}

const isTaken = (error: unknown) => (error as { code?: string }).code === "23505";

/** Resolves with the time at which the outcome was recorded. */
export async function recordOutcome(store: Store, wish: SessionWish & { outcome: Outcome }): Promise<number> {
  refuseLostSessions(wish);
  for (let tries = 1; ; tries += 1) {
    try {
      const recorded = await insertOutcome(store.db, wish).executeTakeFirst();
      if (!recorded) throw unknownSession();
      return recorded.at;
    } catch (error) {
      if (!isTaken(error) || tries >= numberingTriesMax) throw error;
    }
  }
}
