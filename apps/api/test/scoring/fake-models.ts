import { currentModel } from "@assay/scoring/current-model.ts";
import type { Model } from "@assay/scoring/model.ts";
import type { ReleasedModel } from "@assay/scoring/released-models.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import { trustLevelOf } from "@assay/scoring/trust-level.ts";

/** A model of a test's own: `scoreOf` gives scores with one decimal. Without it, the scores of the current model under another name. */
export const fakeModel = (version: string, scoreOf?: (signals: Signals) => number): Model => ({
  version,
  score(signals) {
    const score = currentModel.score(signals);
    if (!scoreOf) return score;
    const serviceScore = scoreOf(signals);
    return { ...score, serviceScore, trustLevel: trustLevelOf(serviceScore) };
  },
  explain: currentModel.explain,
  calibrated: currentModel.calibrated,
});

export const releasedOf = (versions: readonly string[]): ReleasedModel[] => versions.map((version, index) => ({ model: fakeModel(version), released: `2026-0${index + 1}-01` }));
