import { artefact } from "./artefacts/additive-2.ts";
import { compileModel } from "./compile-model.ts";
import type { Model } from "./model.ts";

/** Distribution of the signals among the people in the training sessions, from the current artefact. */
export const currentPeople = artefact.people;

/** The current model. Older artefacts are kept next to it, so that old records can be scored again. */
export const currentModel: Model = compileModel(artefact);
