import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./calibrations.table.ts";

export const samples = {
  selectCalibrations: [{ accountId, limit: 20 }],
  selectSwitch: [accountId],
  selectActiveCalibration: [accountId],
  selectCalibrationOfSession: [{ accountId, sessionId: "sess_sample" }],
  insertCalibration: [
    { accountId, on: 1 },
    {
      model_version: "1.0.0",
      shift: 0.5,
      slope: 1.5,
      good: 300,
      bad: 400,
      error_before: 0.2,
      error_after: 0.03,
      outcomes_to: nowMs,
      fitted_by: "developer",
      fitted_at: nowMs,
    },
  ],
  switchToNewest: [{ accountId, on: 1 }],
  switchOff: [accountId],
  selectCalibratedAccounts: [{ afterId: "", limit: 200 }],
} satisfies SamplesOf<typeof table>;
