import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./tracking-keys.table.ts";

export const samples = {
  selectTrackingKeys: [],
  insertTrackingKey: [{ id: "0123456789", salt: "salt", sealed: null, created_at: nowMs, retired_at: null }],
  selectTrackingKeysOfOthers: [{ currentPrefix: "v1.sample.", afterId: "", limit: 100 }],
  sealTrackingKey: [{ id: "0123456789", before: "v1.old.sealed", after: "v1.sample.sealed" }],
  retireTrackingKeys: [nowMs],
  deleteTrackingKeysRetiredBefore: [nowMs],
} satisfies SamplesOf<typeof table>;
