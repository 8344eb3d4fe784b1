import { artefact } from "./artefacts/additive-1.ts";
import { compileModel } from "./compile-model.ts";
import type { Model } from "./model.ts";

/** How the signals of the training people are spread, by the artefact in force. */
export const currentPeople = artefact.people;

/** The model in force. Older artefacts stay beside this one, so that old records can be scored again. */
export const currentModel: Model = compileModel(artefact);
