/**
 * `GET /dashboard/api/models/comparison` (a developer's own sessions), and the operator's `GET /models`, `PUT /models/shadow`
 * and `GET /models/comparison` under `/dashboard/api/operator`.
 */
import Type, { type Static } from "typebox";
import { ReleasedModelItem } from "../operations.ts";

const time = () => Type.String({ format: "date-time" });
const version = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
const counts = (description: string) => Type.Object({ high: Type.Integer(), medium: Type.Integer(), low: Type.Integer() }, { description });

const comparedFields = {
  sessions: Type.Integer({ description: "Live sessions that both have scored." }),
  same_level: Type.Union([Type.Number(), Type.Null()], { description: "Share of the sessions with the same trust level; null without sessions." }),
  mean_difference: Type.Union([Type.Number(), Type.Null()], { description: "Mean score of the other model, less the mean score before." }),
};

/** Two scores of the same sessions: before, and by another model. */
export const ModelComparison = Type.Object({
  from: time(),
  to: time(),
  before: Type.String({ description: "`answered`: the scores that callers got. Otherwise the version of the model." }),
  other: Type.String({ description: "Version of the other model, on the calibration that it ships with." }),
  is_sample: Type.Boolean({ description: "Whether there are more sessions than were compared." }),
  ...comparedFields,
  levels: Type.Object(
    { high: counts("Sessions that are high."), medium: counts("Sessions that are medium."), low: counts("Sessions that are low.") },
    { description: "Sessions by their level before, and in each by the level that the other model gives." },
  ),
  difference: Type.Union(
    [Type.Object({ mean: Type.Number(), p5: Type.Number(), p25: Type.Number(), p50: Type.Number(), p75: Type.Number(), p95: Type.Number() }), Type.Null()],
    { description: "By how many points the other model's score is higher; null without sessions." },
  ),
  days: Type.Array(
    Type.Object({ day: Type.String({ format: "date" }), sessions: Type.Integer(), mean_before: Type.Number(), mean_other: Type.Number() }),
    { description: "Mean scores by day in UTC; days without sessions are left out." },
  ),
});

export type ModelComparison = Static<typeof ModelComparison>;

export const ComparisonQuery = Type.Object({
  version: version("The other model."),
  from: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC. Default: 7 days before `to`." })),
  to: Type.Optional(Type.String({ description: "ISO 8601 date or time in UTC, exclusive. Default: now." })),
});

export type ComparisonQuery = Static<typeof ComparisonQuery>;

export const OperatorComparisonQuery = Type.Object({
  version: Type.Optional(version("The other model. Default: the shadow model.")),
  account_id: Type.Optional(Type.String({ maxLength: 64, description: "Only this account." })),
  from: ComparisonQuery.properties.from,
  to: ComparisonQuery.properties.to,
});

export const OperatorComparison = Type.Object({
  total: ModelComparison,
  accounts: Type.Array(Type.Object({ account_id: Type.String(), email: Type.String(), ...comparedFields }), {
    description: "Of those compared, the account with the most calls first.",
  }),
  is_all: Type.Boolean({ description: "False if accounts with fewer calls were left out." }),
});

export type OperatorComparison = Static<typeof OperatorComparison>;

export const OperatorModels = Type.Object({
  models: Type.Array(
    Type.Object({
      ...ReleasedModelItem.properties,
      began: Type.Union([time(), Type.Null()], { description: "Since when it scores in this installation; null if it never did." }),
      pinned_by: Type.Integer({ description: "Accounts that have pinned it." }),
    }),
  ),
  grace_until: Type.Union([time(), Type.Null()], { description: "Until when accounts from before the newest model keep the one before it; null if none does." }),
  shadow: Type.Union([Type.Object({ version: Type.String(), since: time() }), Type.Null()]),
});

export type OperatorModels = Static<typeof OperatorModels>;

export const SetShadowRequest = Type.Object({ version: Type.Union([version("The model to compare with."), Type.Null()], { description: "Null: none." }) }, { additionalProperties: false });

/** In the settings of an account. */
export const ModelSettings = Type.Object({
  version: Type.String({ description: "The model that scores the account's sessions now." }),
  why: Type.Enum(["pinned", "kept", "newest"], { description: "pinned: chosen by the account. kept: the account is from before the newest model. newest: the default." }),
  until: Type.Union([time(), Type.Null()], { description: "When the newest model takes over by itself; null if no such time is known." }),
  newest: Type.String(),
  models: Type.Array(ReleasedModelItem, { description: "The models that can be pinned, the oldest first." }),
});

export type ModelSettings = Static<typeof ModelSettings>;
