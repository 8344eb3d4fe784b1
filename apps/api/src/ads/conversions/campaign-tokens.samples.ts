import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./campaign-tokens.table.ts";

export const samples = {
  selectToken: ["camp_sample"],
  upsertToken: [{ campaign_id: "camp_sample", token_hash: "hash", created_at: nowMs }],
} satisfies SamplesOf<typeof table>;
