import type { Model } from "@assay/scoring/model.ts";
import type { ReleasedModel } from "@assay/scoring/released-models.ts";
import type { OwnCalibration } from "../../access/keys/own-calibration.ts";
import { msPerDay } from "../../formats/time.ts";
import { createCalibratedModels, type ScoringModel } from "./calibrated-models.ts";

/** How long accounts that a new model found keep the one before it. */
export const graceDays = 30;
/** How long a replaced model can still be pinned. */
export const sunsetDays = 365;

/** A model, and since when and until when it scores here. */
export type ModelLife = {
  model: Model;
  /** The day of its release, as YYYY-MM-DD. */
  released: string;
  /** When it began to score in this installation; undefined if it never did. */
  beganMs: number | undefined;
  /** When it ends for those who have pinned it: some time after a newer one began here. Undefined for the newest. */
  sunsetMs: number | undefined;
};

/** What the choice depends on besides the time. A caller has it. */
export type ModelChooser = {
  /** Null if the account has pinned none. */
  pinnedModel: string | null;
  accountCreatedMs: number;
};

/** `untilMs`: when the choice changes by itself; undefined if no such time is known. */
export type ModelChoice = { model: Model; why: "pinned" | "kept" | "newest"; untilMs: number | undefined };

export type Models = {
  /** Oldest first. */
  lives: readonly ModelLife[];
  newest: Model;
  /** What scores the caller's sessions at a time. Synchronous, from what the caller's cached row says: every call asks. */
  choose(chooser: ModelChooser & { calibration: OwnCalibration | null }, atMs: number): ScoringModel;
  /** The same choice, with its reason. */
  explainChoice(chooser: ModelChooser, atMs: number): ModelChoice;
  /** Undefined for a version that is not shipped. */
  find(version: string): ModelLife | undefined;
};

/** Since when which version scores here. Versions that this release does not know are left out. */
export type ModelDates = readonly { version: string; beganMs: number }[];

function readLives(released: readonly ReleasedModel[], dates: ModelDates): ModelLife[] {
  const began = new Map(dates.map(({ version, beganMs }) => [version, beganMs]));
  return released.map(({ model, released: day }, index) => {
    const newer = released.slice(index + 1).flatMap((each) => began.get(each.model.version) ?? []);
    const sunsetMs = newer.length === 0 ? undefined : Math.min(...newer) + sunsetDays * msPerDay;
    return { model, released: day, beganMs: began.get(model.version), sunsetMs };
  });
}

/** The one place that decides which model scores a session. `released`: oldest first. */
export function createModels(released: readonly ReleasedModel[], dates: ModelDates): Models {
  const lives = readLives(released, dates);
  const newest = lives.at(-1)!;
  // A model that never scored here is nobody's: in a new installation nobody waits.
  const before = lives.slice(0, -1).findLast(({ beganMs }) => beganMs !== undefined);
  const kept = before && newest.beganMs !== undefined ? { life: before, beforeMs: newest.beganMs, untilMs: newest.beganMs + graceDays * msPerDay } : undefined;
  const byVersion = new Map(lives.map((life) => [life.model.version, { life, scoring: { model: life.model, calibration: null } }]));
  const scoringOf = ({ model }: ModelLife): ScoringModel => byVersion.get(model.version)!.scoring;
  const newestScoring = scoringOf(newest);
  const keptScoring = kept && scoringOf(kept.life);
  const calibrated = createCalibratedModels();

  /** Undefined for a version that has ended, or that only newer nodes know: both are scored by the newest. */
  function findPinned(version: string, atMs: number) {
    const pinned = byVersion.get(version);
    return pinned && (pinned.life.sunsetMs === undefined || atMs < pinned.life.sunsetMs) ? pinned : undefined;
  }
  const keeps = ({ accountCreatedMs }: ModelChooser, atMs: number): boolean => kept !== undefined && accountCreatedMs < kept.beforeMs && atMs < kept.untilMs;

  function chooseShipped(chooser: ModelChooser, atMs: number): ScoringModel {
    if (chooser.pinnedModel !== null) return findPinned(chooser.pinnedModel, atMs)?.scoring ?? newestScoring;
    return keeps(chooser, atMs) ? keptScoring! : newestScoring;
  }

  return {
    lives,
    newest: newest.model,
    choose(chooser, atMs) {
      const shipped = chooseShipped(chooser, atMs);
      return chooser.calibration === null ? shipped : calibrated(shipped, chooser.calibration);
    },
    explainChoice(chooser, atMs) {
      const pinned = chooser.pinnedModel === null ? undefined : findPinned(chooser.pinnedModel, atMs);
      if (pinned) return { model: pinned.life.model, why: "pinned", untilMs: pinned.life.sunsetMs };
      if (chooser.pinnedModel === null && keeps(chooser, atMs)) return { model: kept!.life.model, why: "kept", untilMs: kept!.untilMs };
      return { model: newest.model, why: "newest", untilMs: undefined };
    },
    find: (version) => byVersion.get(version)?.life,
  };
}
