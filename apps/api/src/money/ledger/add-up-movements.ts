import type { MovementHourRow } from "../../store/schema-dashboard.ts";
import type { Payer } from "../../store/schema.ts";

type MovementSums = Pick<MovementHourRow, "kind" | "payer" | "gross_micro" | "developer_micro" | "platform_micro">;

/** Calls are paid for by the platform or the developer, clicks by advertisers; so are their reversals. */
export const callPayers: readonly Payer[] = ["platform", "developer"];
export const clickPayers: readonly Payer[] = ["advertiser"];
const allPayers: readonly Payer[] = [...callPayers, ...clickPayers];

/** Adds up the movements of a kind that some payers paid for. */
export function addUpMovements(rows: readonly MovementSums[], kind: MovementHourRow["kind"], payers = allPayers) {
  const sums = { gross_micro: 0, developer_micro: 0, platform_micro: 0 };
  for (const row of rows) {
    if (row.kind !== kind || !payers.includes(row.payer)) continue;
    sums.gross_micro += row.gross_micro;
    sums.developer_micro += row.developer_micro;
    sums.platform_micro += row.platform_micro;
  }
  return sums;
}
