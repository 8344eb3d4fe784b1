import { type OwnCalibration, toOwnCalibration } from "../../access/keys/own-calibration.ts";
import type { Store } from "../../store/store.ts";
import { selectActiveCalibration } from "./calibrations.table.ts";

/** As the authenticator reads it with a key. */
export async function readActiveCalibration(store: Store, accountId: string): Promise<OwnCalibration | null> {
  const row = await selectActiveCalibration(store.db, accountId).executeTakeFirst();
  return row ? toOwnCalibration({ version: row.version, modelVersion: row.model_version, shift: row.shift, slope: row.slope }) : null;
}
