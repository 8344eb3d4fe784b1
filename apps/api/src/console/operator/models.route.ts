import { OperatorComparison, OperatorComparisonQuery, OperatorModels, SetShadowRequest } from "@assay/contract/dashboard/models.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { countPinnedModels } from "../../register/accounts.table.ts";
import { compareForOperator, parseComparedSpan } from "../../scoring/models/compare-models.ts";
import { describeModels } from "../../scoring/models/describe-models.ts";
import { findReleased, readShadow, setShadow } from "../../scoring/models/shadow-model.ts";
import type { OperatorContext } from "./operator-context.ts";

async function readModels({ store, models, nowMs }: OperatorContext): Promise<OperatorModels> {
  const [pinned, shadow] = await Promise.all([countPinnedModels(store.db).execute(), readShadow(store)]);
  const counts = new Map(pinned.map(({ model_version: version, count }) => [version, count]));
  // The choice of an account that was there before everything.
  const { why, untilMs } = models.explainChoice({ pinnedModel: null, accountCreatedMs: 0 }, nowMs());
  return {
    models: describeModels(models).map((each, index) => {
      const { beganMs } = models.lives[index]!;
      return { ...each, began: beganMs === undefined ? null : isoTime(beganMs), pinned_by: counts.get(each.version) ?? 0 };
    }),
    grace_until: why === "kept" && untilMs !== undefined ? isoTime(untilMs) : null,
    shadow: shadow ? { version: shadow.version, since: isoTime(shadow.sinceMs) } : null,
  };
}

/** The models of the installation, and what another one would have answered. */
export function addModelRoutes(app: TypedApp, context: OperatorContext): void {
  const { store, models, nowMs } = context;
  app.get("/models", { schema: { hide: true, response: { 200: OperatorModels } }, handler: () => readModels(context) });
  app.put("/models/shadow", {
    schema: { hide: true, body: SetShadowRequest, response: { 200: OperatorModels } },
    async handler({ signedIn, body: { version } }) {
      if (version !== null) findReleased(models, version);
      await setShadow(store, { version, actorAccountId: signedIn.accountId, nowMs: nowMs() });
      return readModels(context);
    },
  });
  app.get("/models/comparison", {
    schema: { hide: true, querystring: OperatorComparisonQuery, response: { 200: OperatorComparison } },
    async handler({ query }) {
      const version = query.version ?? (await readShadow(store))?.version;
      if (version === undefined) throw new Failure("invalid_request", "No shadow model is set: name a version.");
      const other = findReleased(models, version).model;
      return compareForOperator(store, { ...parseComparedSpan(query, nowMs()), other, accountId: query.account_id });
    },
  });
}
