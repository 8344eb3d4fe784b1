import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./links.table.ts";

const link = { tokenHash: "hash", kind: "reset", nowMs } as const;

export const samples = {
  insertLink: [
    { token_hash: "hash", kind: "reset", account_id: accountId, email: "sample@example.com", browser_hash: null, created_at: nowMs, expires_at: nowMs, used_at: null, password_hash: null },
  ],
  selectLink: [link],
  useLink: [link],
  deleteLinksOfAccount: [{ accountId, kinds: ["reset"] }],
  deleteLinksExpiredBefore: [{ atMs: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
