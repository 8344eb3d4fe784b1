import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./auth.table.ts";

const signIn = { column: "token", operator: "=", value: "token" } as const;

export const samples = {
  insertAuthRow: [{ table: "sign_ins", row: { id: "sign_sample", token: "token", account_id: accountId } }],
  selectAuthRows: [{ table: "sign_ins", where: [signIn], limit: 1, newestFirst: true }],
  updateAuthRows: [
    { table: "second_factors", where: [{ column: "account_id", operator: "=", value: accountId }], set: { locked_until: null }, add: { failures: 1 } },
  ],
  deleteAuthRows: [{ table: "sign_in_challenges", where: [{ column: "expires_at", operator: "<", value: nowMs }] }],
  selectSignInAccount: [{ column: "email", value: "sample@example.com" }],
} satisfies SamplesOf<typeof table>;
