import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./sending-endpoints.table.ts";

export const samples = {
  lockEndpoint: ["wh_sample"],
  lockEndpointsOfAudience: [accountId],
  setEndpointHealth: [{ id: "wh_sample", failingSince: nowMs, lastSuccessMs: null, nowMs }],
  disableEndpoint: [{ id: "wh_sample", reason: "gone", nowMs }],
  selectEndpointsOfOthers: [{ currentPrefix: "v1.sample.", afterId: "", limit: 100 }],
  replaceSecrets: [{ id: "wh_sample", before: { secret: "v1.old.sealed", secret_previous: null }, after: { secret: "v1.sample.sealed", secret_previous: null } }],
  deleteEndpointsOfAudience: [accountId],
} satisfies SamplesOf<typeof table>;
