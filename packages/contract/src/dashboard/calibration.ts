/** `GET`, `PUT` and `DELETE /dashboard/api/calibration`: the account's own calibration. */
import Type, { type Static } from "typebox";

const share = { minimum: 0, maximum: 1 };
const Levels = Type.Object({ high: Type.Integer(), medium: Type.Integer(), low: Type.Integer() });

const Reliability = Type.Object(
  {
    error: Type.Number({ ...share, description: "Calibration error, good and bad outcomes weighing one half each." }),
    chance_error: Type.Number({ minimum: 0, description: "What perfect scores would show on so few sessions, on average." }),
    bins: Type.Array(
      Type.Object({
        said: Type.Number({ ...share, description: "Mean score / 100." }),
        seen: Type.Number({ ...share, description: "Share of good outcomes at a prior of one half." }),
        weight: Type.Number({ ...share, description: "Among all bins." }),
      }),
    ),
    levels: Levels,
  },
  { description: "Scores against outcomes." },
);

const CalibrationVersion = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  model_version: Type.String({ description: "The model that it is for." }),
  shift: Type.Number(),
  slope: Type.Number({ exclusiveMinimum: 0 }),
  good: Type.Integer({ minimum: 0 }),
  bad: Type.Integer({ minimum: 0 }),
  error_before: Type.Number({ ...share, description: "Out of sample." }),
  error_after: Type.Number({ ...share, description: "Out of sample." }),
  outcomes_to: Type.String({ format: "date-time", description: "Outcomes reported later had no part in it." }),
  fitted_by: Type.Enum(["developer", "job"], { description: "`job`: fitted again to the same outcomes, because the model had changed." }),
  fitted_at: Type.String({ format: "date-time" }),
});

export type CalibrationVersion = Static<typeof CalibrationVersion>;

const calibrationStates = ["off", "on", "waiting"] as const;
export type CalibrationState = (typeof calibrationStates)[number];

const Fitted = Type.Object({
  shift: Type.Number(),
  slope: Type.Number({ exclusiveMinimum: 0 }),
  points: Type.Array(Type.Object({ score: Type.Number(), calibrated: Type.Number() }), { description: "The map at scores from 0 to 100, before the plausibility gate." }),
  before: Reliability,
  after: Reliability,
  changed_levels: Type.Integer({ minimum: 0, description: "Sessions whose level would be another." }),
});

const Preview = Type.Object(
  {
    outcomes_to: Type.String({ format: "date-time", description: "To be sent back to switch on exactly this." }),
    sessions: Type.Integer({ minimum: 0, description: "Live sessions with an outcome." }),
    complete: Type.Boolean({ description: "False when only the latest outcomes were read." }),
    good: Type.Integer({ minimum: 0, description: "Good outcomes that take part in the fit." }),
    bad: Type.Integer({ minimum: 0, description: "Bad outcomes that take part in the fit." }),
    refused: Type.Union([Type.Enum(["too_few", "contradicted"]), Type.Null()]),
    fitted: Type.Union([Fitted, Type.Null()]),
  },
  { description: "What the outcomes up to now give, measured on outcomes that each fit had not seen." },
);

export const OwnCalibrationReply = Type.Object({
  state: Type.Enum([...calibrationStates], { description: "`waiting`: switched on for another model; answers are on the shipped calibration until it is fitted again." }),
  model_version: Type.String({ description: "The model that scores the account's sessions now." }),
  minimum_outcomes: Type.Integer({ description: "Of each kind." }),
  active: Type.Union([CalibrationVersion, Type.Null()]),
  versions: Type.Array(CalibrationVersion, { description: "The newest first." }),
  preview: Preview,
});

export type OwnCalibrationReply = Static<typeof OwnCalibrationReply>;

export const SwitchCalibrationRequest = Type.Object({
  outcomes_to: Type.String({ format: "date-time", description: "`preview.outcomes_to` of what was looked at: outcomes reported since then have no part in it." }),
});

export type SwitchCalibrationRequest = Static<typeof SwitchCalibrationRequest>;
