import { judgeSignals, recalibrateScore } from "@assay/scoring/fit-calibration.ts";
import { currentModel } from "@assay/scoring/current-model.ts";
import type { Calibration, Model } from "@assay/scoring/model.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import type { Mode, SessionOutcomeRow, SessionRecordRow } from "../../src/store/schema.ts";
import type { Store } from "../../src/store/store.ts";
import { idAt } from "../id-at.ts";
import { createDraws, type Draws } from "./draw-sessions.ts";

const rowsPerInsert = 100;

export type FilledSession = { sessionId: string; signals: Signals; isGood: boolean };

/** Sessions over the whole range of scores. */
const drawSignals = (draws: Draws): Signals & { user_engagement: number; session_duration: number; page_views: number } => ({
  user_engagement: Math.round(draws.next() * 100) / 100,
  session_duration: 20 + Math.round(600 * draws.next() ** 2),
  page_views: 1 + Math.floor(8 * draws.next()),
});

export type Filling = {
  accountId: string;
  good: number;
  bad: number;
  /** How outcomes follow the model's scores; "contrary": the worst sessions are the good ones. */
  truth?: Calibration | "contrary";
  model?: Model;
  mode?: Mode;
  /** When the sessions were recorded and their outcomes reported. */
  atMs: number;
  seed?: number;
  /** The version of a calibration that the records name. */
  calibration?: number | null;
};

/** Records and outcomes as if an account had made so many calls and reported on all of them. */
export async function fillOutcomes(store: Store, filling: Filling): Promise<FilledSession[]> {
  const { accountId, truth = { shift: 0, slope: 1 }, model = currentModel, mode = "live", atMs, seed = 1, calibration = null } = filling;
  const draws = createDraws(seed);
  const left = { good: filling.good, bad: filling.bad };
  const records: Omit<SessionRecordRow, "attested" | "attestation_issues">[] = [];
  const outcomes: SessionOutcomeRow[] = [];
  const filled: FilledSession[] = [];
  while (left.good + left.bad > 0) {
    const signals = drawSignals(draws);
    const { openScore, openness } = judgeSignals(model, { signals, isGood: true });
    // Sessions that the gate closes would not count.
    if (openness < 1) continue;
    const share = truth === "contrary" ? 100 - openScore : recalibrateScore(openScore, truth);
    const isGood = draws.next() < share / 100;
    if (left[isGood ? "good" : "bad"] === 0) continue;
    left[isGood ? "good" : "bad"] -= 1;
    const id = idAt(atMs);
    const score = model.score(signals);
    records.push({
      account_id: accountId,
      id,
      mode,
      endpoint: "predict",
      at: atMs,
      ...signals,
      scroll_depth: null,
      interaction_count: null,
      return_visitor: null,
      service_score: score.serviceScore,
      confidence: score.confidence,
      recommendation: score.recommendation,
      model_version: model.version,
      processing_time_ms: 0.1,
      ledger_seq: null,
      calibration,
    });
    outcomes.push({ account_id: accountId, session_id: id, seq: 1, mode, outcome: isGood ? "converted" : "fraud", service_score: score.serviceScore, at: atMs });
    filled.push({ sessionId: id, signals, isGood });
  }
  for (let from = 0; from < records.length; from += rowsPerInsert) {
    await insertRecords(store, records.slice(from, from + rowsPerInsert));
    await store.db.insertInto("session_outcomes").values(outcomes.slice(from, from + rowsPerInsert)).execute();
  }
  return filled;
}

/** A service that has just started makes the day's partition meanwhile: PostgreSQL then refuses the row once. */
async function insertRecords(store: Store, records: readonly Omit<SessionRecordRow, "attested" | "attestation_issues">[]): Promise<void> {
  const insert = () => store.db.insertInto("session_records").values(records).execute();
  await insert().catch((error: { code?: string }) => {
    if (error.code !== "23514") throw error;
    return insert();
  });
}
