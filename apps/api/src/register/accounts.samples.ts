import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./accounts.table.ts";

export const samples = {
  insertAccount: [
    {
      id: accountId,
      email: "sample@example.com",
      password_hash: null,
      tier: "Starter",
      status: "active",
      verified_at: null,
      operator: 0,
      demo: 0,
      created_at: nowMs,
    },
  ],
  selectAccountByEmail: ["sample@example.com"],
  selectAccounts: [{ afterId: "", limit: 500 }],
  selectActiveOperators: [{ limit: 2 }],
  lockActiveOperators: [],
  clearOperator: [accountId],
  countAccounts: [],
  selectFirstAccount: [],
  setAccountTier: [{ accountId, tier: "Growth" }],
  moveAccountStatus: [{ accountId, from: "active", to: "suspended" }],
  setPasswordHash: [{ accountId, passwordHash: "salt:key" }],
  setVerified: [{ accountId, email: "sample@example.com", nowMs }],
  setEmail: [{ accountId, from: "sample@example.com", to: "other@example.com", nowMs }],
  markDemo: [accountId],
  selectOwnAccount: [accountId],
  setHouseAds: [{ accountId, houseAds: false }],
  setSessionRetention: [{ accountId, days: 30 }],
  selectShorterRetentions: [{ afterId: "", limit: 500 }],
  selectEmails: [[accountId]],
  selectDemoIds: [[accountId]],
  closeAccountStatus: [accountId],
  eraseAccountRow: [accountId],
} satisfies SamplesOf<typeof table>;
