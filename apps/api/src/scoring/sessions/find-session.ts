import type { Outcome, SessionReply } from "@assay/contract/sessions.ts";
import { type SignalName, type Signals, signalNames } from "@assay/scoring/signals.ts";
import { type Recommendation, trustLevelOf } from "@assay/scoring/trust-level.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { findCallSettlement } from "../../money/days/find-settlement.ts";
import type { SessionRecordRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { describeAttestation } from "./describe-attestation.ts";
import { calibrationOf } from "./describe-calibration.ts";
import { insertOutcome, selectSession } from "./sessions.table.ts";

const idPattern = /^sess_[0-9A-Za-z]{20,40}$/;
/** Of two nodes that number outcomes of the same session concurrently, one retries. */
const numberingTriesMax = 5;

export type SessionLookup = { accountId: string; sessionId: string; nowMs: number; retentionDays: number };

/** The same for an unknown session, another account's and one past retention. */
const unknownSession = () => new Failure("not_found", "No session of this account has this id, or it is past retention.");

/** Refuses malformed ids, and sessions past retention even before they are deleted. */
function checkRetained({ sessionId, nowMs, retentionDays }: SessionLookup): void {
  if (!idPattern.test(sessionId) || sessionId < lowestIdAt("sess", nowMs - retentionDays * msPerDay)) throw unknownSession();
}

/** Only the signals that were sent. */
export function signalsOf(row: Pick<SessionRecordRow, SignalName>): Signals {
  const seen = signalNames.filter((name) => row[name] !== null);
  return Object.fromEntries(seen.map((name) => [name, name === "return_visitor" ? row[name] === 1 : row[name]]));
}

type Billing = { billed_at: number | null; payer: string | null };

async function readSettlement(store: Store, { accountId, sessionId }: SessionLookup, { billed_at: billedAtMs, payer }: Billing): Promise<SessionReply["settlement"]> {
  if (billedAtMs === null) return null;
  return payer === "platform" ? findCallSettlement(store, { accountId, sessionId, billedAtMs }) : "confirmed";
}

export async function findSession(store: Store, lookup: SessionLookup): Promise<SessionReply> {
  checkRetained(lookup);
  const row = await selectSession(store.db, lookup).executeTakeFirst();
  if (!row) throw unknownSession();
  return {
    service_score: row.service_score,
    trust_level: trustLevelOf(row.service_score),
    confidence: row.confidence,
    revenue_attribution: usdOf(row.developer_micro ?? 0),
    processing_time_ms: row.processing_time_ms,
    session_id: row.id,
    timestamp: isoTime(row.at),
    attribution_confidence: row.confidence,
    recommendation: row.recommendation as Recommendation,
    model_version: row.model_version,
    calibration: calibrationOf(row.calibration),
    ...describeAttestation(row),
    signals: signalsOf(row),
    endpoint: row.endpoint as SessionReply["endpoint"],
    outcome: row.outcome as Outcome | null,
    mode: row.mode,
    settlement: await readSettlement(store, lookup, row),
  };
}

/** Resolves with the time at which the outcome was recorded. */
export async function recordOutcome(store: Store, report: SessionLookup & { outcome: Outcome }): Promise<number> {
  checkRetained(report);
  for (let tries = 1; ; tries += 1) {
    try {
      const recorded = await insertOutcome(store.db, report).executeTakeFirst();
      if (!recorded) throw unknownSession();
      return recorded.at;
    } catch (error) {
      const isNumberTaken = (error as { code?: string }).code === "23505";
      if (!isNumberTaken || tries >= numberingTriesMax) throw error;
    }
  }
}
