import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./holds.table.ts";

export const samples = {
  openHold: [{ accountId, kind: "operator", reason: "Under review.", openedBy: accountId, nowMs }],
  liftHold: [{ accountId, kind: "operator", reason: "Reviewed.", liftedBy: accountId, nowMs }],
  selectHolds: [{ accountId, limit: 100 }],
  selectAccountsOnHold: [{ afterId: "", limit: 500 }],
  selectOpenHolds: [[accountId]],
  selectAccountsWithFindings: [[accountId]],
  selectHoldsOpenAt: [{ accountId, atMs: nowMs }],
} satisfies SamplesOf<typeof table>;
