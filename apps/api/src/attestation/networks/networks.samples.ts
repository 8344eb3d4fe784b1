import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./networks.table.ts";

export const samples = {
  insertSalt: [{ day: nowMs, salt: "salt" }],
  selectSalts: [],
  selectDaysBefore: [nowMs],
  blankSaltsBefore: [nowMs],
  deleteSaltsBefore: [nowMs],
  setNetworkDays: [[{ account_id: accountId, day: nowMs, part: "part", calls: 3, networks: 2, top_calls: 2 }]],
  selectNetworkDays: [{ accountId, fromDay: nowMs }],
  deleteNetworkDaysBefore: [{ day: nowMs, limit: 500 }],
} satisfies SamplesOf<typeof table>;
