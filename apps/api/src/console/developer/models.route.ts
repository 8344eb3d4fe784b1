import { ComparisonQuery, ModelComparison, type ModelSettings } from "@assay/contract/dashboard/models.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import type { ModelChooser, Models } from "../../scoring/models/choose-model.ts";
import { compareForAccount, parseComparedSpan } from "../../scoring/models/compare-models.ts";
import { describeModels } from "../../scoring/models/describe-models.ts";
import { findReleased } from "../../scoring/models/shadow-model.ts";
import type { DeveloperContext } from "./developer-context.ts";

/** What the settings say of the account's model. */
export function describeModelChoice({ models, nowMs }: Pick<DeveloperContext, "models" | "nowMs">, chooser: ModelChooser): ModelSettings {
  const { model, why, untilMs } = models.explainChoice(chooser, nowMs());
  return { version: model.version, why, until: untilMs === undefined ? null : isoTime(untilMs), newest: models.newest.version, models: describeModels(models) };
}

/** Refuses a version that is not shipped, or that has ended. */
export function checkPinnable(models: Models, version: string, nowMs: number): void {
  const { sunsetMs } = findReleased(models, version);
  if (sunsetMs !== undefined && nowMs >= sunsetMs) throw new Failure("invalid_request", `The model ${version} ended on ${isoTime(sunsetMs)} and can no longer be pinned.`);
}

/** What would change for the account's own sessions if it were on another model. */
export function addModelRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs, models } = context;
  app.get("/models/comparison", {
    schema: { hide: true, querystring: ComparisonQuery, response: { 200: ModelComparison } },
    async handler({ signedIn: { accountId }, query }) {
      const other = findReleased(models, query.version).model;
      const span = parseComparedSpan(query, nowMs());
      const account = await selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow();
      const { model: before } = models.explainChoice({ pinnedModel: account.model_version, accountCreatedMs: account.created_at }, nowMs());
      return compareForAccount(store, { accountId, ...span, before, other });
    },
  });
}
