/**
 * The model that the operator watches. It answers no call: its scores are computed from the stored signals when somebody
 * reads a report (compare-models.ts), so that it costs calls nothing and a report may reach back to before it was set.
 */
import { Failure } from "../../failure/failure.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import type { ModelLife, Models } from "./choose-model.ts";
import { deleteSetting, selectSetting, upsertSetting } from "./models.table.ts";

/** Refuses a version that is not shipped, and names those that are. */
export function findReleased(models: Pick<Models, "find" | "lives">, version: string): ModelLife {
  const life = models.find(version);
  if (!life) throw new Failure("invalid_request", `No model has the version ${version}. There are: ${models.lives.map(({ model }) => model.version).join(", ")}`);
  return life;
}

export async function readShadow(store: Store): Promise<{ version: string; sinceMs: number } | undefined> {
  const row = await selectSetting(store.db, "shadow_model").executeTakeFirst();
  return row && { version: row.value, sinceMs: row.at };
}

/** `version`: null for none. The caller has checked that it is shipped. */
export async function setShadow(store: Store, { version, actorAccountId, nowMs }: { version: string | null; actorAccountId: string | null; nowMs: number }): Promise<void> {
  await store.write([
    version === null ? deleteSetting(store.db, "shadow_model") : upsertSetting(store.db, { name: "shadow_model", value: version, nowMs }),
    noteAction(store.db, { actorAccountId, action: "model.shadow", subject: version ?? "off", detail: { version }, nowMs }),
  ]);
}
