import { accountId, nowMs, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./keys.table.ts";

export const samples = {
  selectCallerByHash: ["hash"],
  insertKey: [
    {
      id: "key_sample",
      account_id: accountId,
      mode: "live",
      name: "sample",
      key_hash: "hash",
      last_four: "abcd",
      created_at: nowMs,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
    },
  ],
  selectKeysOfAccount: [accountId],
  selectKeyOfAccount: [{ accountId, keyId: "key_sample" }],
  countWorkingKeys: [{ accountId, nowMs }],
  renameKey: [{ accountId, keyId: "key_sample", name: "renamed" }],
  replaceKey: [{ accountId, keyId: "key_sample", replacedBy: "key_new", untilMs: nowMs, nowMs }],
  insertReplacement: [{ id: "key_new", oldKeyId: "key_sample", keyHash: "hash", lastFour: "abcd", nowMs }],
  noteBrowserUse: [{ keyId: "key_sample", atMs: nowMs }],
  selectKeyById: ["key_sample"],
  selectExpiringKeys: [{ fromMs: nowMs, toMs: nowMs + 86_400_000, afterId: "", limit: 200 }],
  revokeKeyById: [{ keyId: "key_sample", nowMs }],
  touchKey: [{ keyId: "key_sample", atMs: nowMs }],
  announceChange: [{ subject: "key:hash", nowMs }],
  selectEpoch: [],
  selectChangesAfter: [{ seq: 0, limit: 1_000 }],
  deleteChangesBefore: [nowMs],
  selectKeysSeenInBrowser: [{ accountId, nowMs }],
  revokeKeysOfAccount: [{ accountId, nowMs }],
  eraseKeyNames: [accountId],
} satisfies SamplesOf<typeof table>;
