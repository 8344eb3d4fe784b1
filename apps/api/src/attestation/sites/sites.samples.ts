import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./sites.table.ts";

const siteId = "site_sample";
const origins = '["https://shop.example"]';

export const samples = {
  insertSite: [{ id: siteId, account_id: accountId, name: "sample", origins, created_at: nowMs, changed_at: nowMs, deleted_at: null, last_seen_at: null }],
  selectSitesOfAccount: [accountId],
  selectAllSites: [{ afterId: siteId, limit: 500 }],
  selectSite: [siteId],
  countSites: [accountId],
  changeSite: [{ siteId, accountId, name: "renamed", origins, nowMs }],
  markSiteDeleted: [{ siteId, accountId, nowMs }],
  eraseSites: [{ accountId, nowMs }],
  selectChangedSites: [{ sinceMs: nowMs, limit: 500 }],
  markSitesSeen: [{ siteIds: [siteId], atMs: nowMs }],
  addToSiteDays: [[{ site_id: siteId, day: nowMs, sessions: 3, calls: 2, attested_calls: 1 }]],
  sumSiteDays: [{ accountId, fromDay: nowMs }],
  deleteSiteDaysBefore: [{ day: nowMs, limit: 500 }],
  deleteDaysOfDeletedSites: [{ deletedBeforeMs: nowMs, limit: 500 }],
  deleteDeletedSites: [{ deletedBeforeMs: nowMs, limit: 500 }],
} satisfies SamplesOf<typeof table>;
