import type { ReleasedModel } from "@assay/scoring/released-models.ts";
import { insertDate, selectModelDates } from "../../money/corrections/corrections.table.ts";
import type { Store } from "../../store/store.ts";
import { createModels, type ModelDates, type Models } from "./choose-model.ts";

const prefix = "model:";

/** The latest first. Of all nodes, the first one that had a version decides since when it scores. */
export async function readModelDates(store: Store): Promise<ModelDates> {
  const rows = await selectModelDates(store.db).execute();
  return rows.map(({ name, at }) => ({ version: name.slice(prefix.length), beganMs: at }));
}

/** Writes down that the newest model scores from now on, before it scores the first session, and reads since when each does. */
export async function openModels(store: Store, { released, nowMs }: { released: readonly ReleasedModel[]; nowMs: number }): Promise<Models> {
  await store.write([insertDate(store.db, { name: `${prefix}${released.at(-1)!.model.version}`, at: nowMs })]);
  return createModels(released, await readModelDates(store));
}
