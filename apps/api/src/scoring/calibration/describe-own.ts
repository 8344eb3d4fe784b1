import type { CalibrationState, CalibrationVersion, OwnCalibrationReply } from "@assay/contract/dashboard/calibration.ts";
import { fitDefaults, recalibrateScore, type Reliability } from "@assay/scoring/fit-calibration.ts";
import { isoTime } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import type { Models } from "../models/choose-model.ts";
import { selectCalibrations, selectSwitch } from "./calibrations.table.ts";
import { fitOwn, type OwnFit } from "./fit-own.ts";

const versionsShown = 20;

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

type Row = Awaited<ReturnType<ReturnType<typeof selectCalibrations>["execute"]>>[number];

const describeVersion = ({ outcomes_to: outcomesToMs, fitted_at: fittedAtMs, error_before: before, error_after: after, ...row }: Row): CalibrationVersion => ({
  ...row,
  error_before: rounded(before),
  error_after: rounded(after),
  outcomes_to: isoTime(outcomesToMs),
  fitted_at: isoTime(fittedAtMs),
});

const describeReliability = ({ error, chanceError, bins, levels }: Reliability) => ({
  error: rounded(error),
  chance_error: rounded(chanceError),
  bins: bins.map(({ said, seen, weight }) => ({ said: rounded(said), seen: rounded(seen), weight: rounded(weight) })),
  levels,
});

function describePreview({ outcomesToMs, sessions, complete, fit, comparison }: OwnFit): OwnCalibrationReply["preview"] {
  const counts = { outcomes_to: isoTime(outcomesToMs), sessions, complete, good: fit.good, bad: fit.bad };
  if (fit.kind === "refused" || !comparison) return { ...counts, refused: fit.kind === "refused" ? fit.reason : "contradicted", fitted: null };
  return {
    ...counts,
    refused: null,
    fitted: {
      ...fit.calibration,
      points: Array.from({ length: 11 }, (_, step) => ({ score: step * 10, calibrated: Math.round(recalibrateScore(step * 10, fit.calibration) * 10) / 10 })),
      before: describeReliability(comparison.before),
      after: describeReliability(comparison.after),
      changed_levels: comparison.changedLevels,
    },
  };
}

const stateOf = (active: Row | undefined, modelVersion: string): CalibrationState => (!active ? "off" : active.model_version === modelVersion ? "on" : "waiting");

/** What is switched on, and what the outcomes up to now would give. */
export async function describeOwnCalibration(store: Store, { accountId, models, nowMs }: { accountId: string; models: Models; nowMs: number }): Promise<OwnCalibrationReply> {
  const [account, rows] = await Promise.all([
    selectSwitch(store.db, accountId).executeTakeFirstOrThrow(),
    selectCalibrations(store.db, { accountId, limit: versionsShown }).execute(),
  ]);
  const { model } = models.explainChoice({ pinnedModel: account.pinned_model, accountCreatedMs: account.created_at }, nowMs);
  const active = rows.find(({ version }) => version === account.calibration_version);
  const preview = await fitOwn(store, { accountId, model, outcomesToMs: nowMs });
  return {
    state: stateOf(active, model.version),
    model_version: model.version,
    minimum_outcomes: fitDefaults.outcomesMin,
    active: active ? describeVersion(active) : null,
    versions: rows.map(describeVersion),
    preview: describePreview(preview),
  };
}
