import { nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./sealed-keys.table.ts";

export const samples = {
  selectSealedKey: ["marks"],
  insertSealedKey: [{ name: "marks", sealed: "v1.sample.sealed", created_at: nowMs }],
  selectSealedKeysOfOthers: [{ currentPrefix: "v1.sample.", afterName: "", limit: 100 }],
  replaceSealedKey: [{ name: "marks", before: "v1.old.sealed", after: "v1.sample.sealed" }],
  selectKeyNames: ["log-signing-"],
} satisfies SamplesOf<typeof table>;
