import type { ReleasedModelItem } from "@assay/contract/operations.ts";
import { isoTime } from "../../formats/time.ts";
import type { Models } from "./choose-model.ts";

/** As everybody may read it. */
export const describeModels = (models: Pick<Models, "lives">): ReleasedModelItem[] =>
  models.lives.map(({ model, released, sunsetMs }) => ({ version: model.version, released, sunset: sunsetMs === undefined ? null : isoTime(sunsetMs) }));
