import { nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./models.table.ts";

export const samples = {
  selectSetting: ["shadow_model"],
  upsertSetting: [{ name: "shadow_model", value: "1.0.0", nowMs }],
  deleteSetting: ["shadow_model"],
} satisfies SamplesOf<typeof table>;
