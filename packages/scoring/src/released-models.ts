import { artefact as first } from "./artefacts/additive-1.ts";
import { compileModel } from "./compile-model.ts";
import { currentModel } from "./current-model.ts";
import type { Model } from "./model.ts";

/** A model that is kept, so that accounts can stay with it and its records can be explained. */
export type ReleasedModel = {
  model: Model;
  /** The day of its release, as YYYY-MM-DD. */
  released: string;
};

/** Oldest first; the last one is the current model. */
export const releasedModels: readonly ReleasedModel[] = [
  { model: compileModel(first), released: "2026-11-15" },
  { model: currentModel, released: "2026-11-18" },
];

export const findModel = (version: string): Model | undefined =>
  releasedModels.find(({ model }) => model.version === version)?.model;
