import type { Store } from "../../store/store.ts";
import type { Models } from "../models/choose-model.ts";
import { selectCalibratedAccounts } from "./calibrations.table.ts";
import { fitAgain } from "./switch-calibration.ts";

const accountsPerPage = 200;

/**
 * For accounts whose model has changed since their calibration was fitted: a calibration is for one model, and until
 * there is one for the new model their answers are on the shipped one.
 */
export async function fitAllAgain(
  store: Store,
  { models, nowMs, isOver }: { models: Pick<Models, "explainChoice">; nowMs: number; isOver: () => boolean },
): Promise<{ fitted: number; refused: number; isMore: boolean }> {
  const sum = { fitted: 0, refused: 0 };
  for (let afterId = ""; ; ) {
    const accounts = await selectCalibratedAccounts(store.db, { afterId, limit: accountsPerPage }).execute();
    for (const account of accounts) {
      if (isOver()) return { ...sum, isMore: true };
      afterId = account.id;
      const { model } = models.explainChoice({ pinnedModel: account.pinned_model, accountCreatedMs: account.created_at }, nowMs);
      if (model.version === account.model_version) continue;
      const done = await fitAgain(store, { accountId: account.id, on: account.version, outcomesToMs: account.outcomes_to }, { model, nowMs });
      if (done !== "switched_off") sum[done] += 1;
    }
    if (accounts.length < accountsPerPage) return { ...sum, isMore: false };
  }
}
