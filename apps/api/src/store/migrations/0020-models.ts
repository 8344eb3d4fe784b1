import { chargeCallsFunction } from "../../money/ledger/charge-calls.function.ts";
import { type Dialect, sqlWordsOf } from "./migration.ts";

/** Which model an account has pinned, which calibration a score is on, and what the operator compares. */
export function models(dialect: Dialect): string[] {
  const { whole, end } = sqlWordsOf(dialect);
  return [
    `ALTER TABLE accounts ADD COLUMN model_version TEXT`,
    `ALTER TABLE session_records ADD COLUMN calibration ${whole}`,
    `CREATE TABLE installation_settings (
      name TEXT NOT NULL PRIMARY KEY,
      value TEXT NOT NULL,
      at ${whole} NOT NULL
    ) ${end}`,
    // What scored here until now. A release that did not write it down yet may have made these accounts.
    `INSERT INTO installation_dates (name, at) SELECT 'model:additive-1-62b6fa6a', min(created_at) FROM accounts WHERE true HAVING count(*) > 0
      ON CONFLICT (name) DO NOTHING`,
    ...(dialect === "postgres" ? [chargeCallsFunction] : []),
  ];
}
