import { fitDefaults } from "@assay/scoring/fit-calibration.ts";
import type { Model } from "@assay/scoring/model.ts";
import { announceChange } from "../../access/keys/keys.table.ts";
import { Failure } from "../../failure/failure.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { CalibrationRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { insertCalibration, switchOff, switchToNewest } from "./calibrations.table.ts";
import { fitOwn, type OwnFit } from "./fit-own.ts";

/** Of two that are numbered at the same time, one retries. */
const numberingTriesMax = 5;

const refusals: Record<"too_few" | "contradicted", (fit: { good: number; bad: number }) => string> = {
  too_few: ({ good, bad }) =>
    `A calibration needs at least ${fitDefaults.outcomesMin} good and ${fitDefaults.outcomesMin} bad outcomes of live sessions that the plausibility gate leaves open; there are ${good} and ${bad}`,
  contradicted: () => "The outcomes do not rise with the scores, so no calibration fits them",
};

type NewCalibration = Omit<CalibrationRow, "account_id" | "version">;

function toRow({ fit, comparison, outcomesToMs }: OwnFit, made: Pick<CalibrationRow, "fitted_by" | "fitted_at" | "model_version">): NewCalibration | undefined {
  if (fit.kind === "refused" || !comparison) return undefined;
  return {
    ...made,
    ...fit.calibration,
    good: fit.good,
    bad: fit.bad,
    error_before: comparison.before.error,
    error_after: comparison.after.error,
    outcomes_to: outcomesToMs,
  };
}

/** Appends a calibration and switches to it. False if `on` was not switched on any more. */
async function append(store: Store, { accountId, on }: { accountId: string; on: number | "any" }, row: NewCalibration, actorAccountId: string | null): Promise<boolean> {
  const { db } = store;
  const nowMs = row.fitted_at;
  const { shift, slope, model_version, good, bad } = row;
  const action = row.fitted_by === "developer" ? "calibration.switch_on" : "calibration.fit_again";
  for (let tries = 1; ; tries += 1) {
    try {
      const [inserted] = await store.write(
        [
          insertCalibration(db, { accountId, on }, row),
          switchToNewest(db, { accountId, on }),
          // Nodes cache the calibration with the account's keys.
          ...announceChange(db, { subject: `account:${accountId}`, nowMs }),
          noteAction(db, { actorAccountId, action, subject: accountId, detail: { shift, slope, model_version, good, bad }, nowMs }),
        ],
        { guards: 1 },
      );
      return inserted === 1;
    } catch (error) {
      const isNumberTaken = (error as { code?: string }).code === "23505";
      if (!isNumberTaken || tries >= numberingTriesMax) throw error;
    }
  }
}

/** Fits to the outcomes reported before a time, and switches the result on. */
export async function switchCalibrationOn(store: Store, { accountId, model, outcomesToMs, nowMs }: { accountId: string; model: Model; outcomesToMs: number; nowMs: number }): Promise<void> {
  const own = await fitOwn(store, { accountId, model, outcomesToMs });
  const row = toRow(own, { fitted_by: "developer", fitted_at: nowMs, model_version: model.version });
  if (!row) throw new Failure("invalid_request", refusals[own.fit.kind === "refused" ? own.fit.reason : "contradicted"](own.fit));
  await append(store, { accountId, on: "any" }, row, accountId);
}

export async function switchCalibrationOff(store: Store, { accountId, nowMs }: { accountId: string; nowMs: number }): Promise<"switched_off" | "already_off"> {
  const { db } = store;
  const [changed] = await store.write(
    [
      switchOff(db, accountId),
      ...announceChange(db, { subject: `account:${accountId}`, nowMs }),
      noteAction(db, { actorAccountId: accountId, action: "calibration.switch_off", subject: accountId, detail: {}, nowMs }),
    ],
    { guards: 1 },
  );
  return changed === 1 ? "switched_off" : "already_off";
}

type CalibratedAccount = { accountId: string; on: number; outcomesToMs: number };

/**
 * Fits again for another model, to the outcomes that the account approved: those reported since, maybe with a stolen
 * key, have no part in it until the developer looks at them.
 */
export async function fitAgain(store: Store, { accountId, on, outcomesToMs }: CalibratedAccount, { model, nowMs }: { model: Model; nowMs: number }): Promise<"fitted" | "refused" | "switched_off"> {
  const own = await fitOwn(store, { accountId, model, outcomesToMs });
  const row = toRow(own, { fitted_by: "job", fitted_at: nowMs, model_version: model.version });
  if (!row) return "refused";
  return (await append(store, { accountId, on }, row, null)) ? "fitted" : "switched_off";
}
