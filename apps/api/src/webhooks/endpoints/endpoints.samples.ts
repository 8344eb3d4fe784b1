import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./endpoints.table.ts";

const named = { endpointId: "wh_sample", audience: accountId };

export const samples = {
  selectEndpoints: [accountId],
  selectAllEndpoints: [{ afterId: "wh_sample", limit: 500 }],
  selectEndpoint: [named],
  lockOwnEndpoint: [named],
  selectAudienceOf: ["wh_sample"],
  countEndpoints: [accountId],
  insertEndpoint: [{ ...named, url: "https://hooks.example.com/", types: "*", secret: "sealed", nowMs }],
  updateEndpoint: [{ ...named, change: { url: "https://hooks.example.com/", types: ",payout.paid,", state: "paused" }, nowMs }],
  rotateSecret: [{ ...named, secret: "sealed", previousUntilMs: nowMs, nowMs }],
  deleteEndpoint: [named],
} satisfies SamplesOf<typeof table>;
