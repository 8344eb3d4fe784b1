import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./sign-ins.table.ts";

const times = { created_at: nowMs, updated_at: nowMs, expires_at: nowMs };

export const samples = {
  selectSignInAccount: [{ column: "email", value: "sample@example.com" }],
  insertSignIn: [{ id: "sign_sample", token: "sha256.sample", account_id: accountId, ip_address: "127.0.0.1", user_agent: "sample", ...times }],
  selectSignInByToken: [{ stored: ["sha256.sample"], nowMs }],
  renewSignIn: [{ id: "sign_sample", nowMs, expiresMs: nowMs }],
  replaceToken: [{ id: "sign_sample", before: "sha256.sample", after: "sha256.next", nowMs }],
  stepUpSignIn: [{ id: "sign_sample", nowMs }],
  useStepUp: [{ id: "sign_sample", token: "sha256.sample", nowMs, steppedUpAfterMs: nowMs, usedAfterMs: nowMs, untilMs: nowMs }],
  forgetStepUps: [accountId],
  deleteSignInsByToken: [["sha256.sample"]],
  selectOldSignIns: [{ storedPrefix: "sha256.", afterId: "", limit: 100 }],
  replaceOldToken: [{ id: "sign_sample", before: "token", after: "sha256.sample" }],
  selectSignIns: [{ accountId, nowMs, limit: 100 }],
  deleteSignIn: [{ accountId, id: "sign_sample" }],
  deleteSignIns: [{ accountId, exceptId: "sign_sample" }],
  insertChallenge: [{ id: "auth_sample", identifier: "hash", value: accountId, failures: 0, remember: 1, ...times }],
  selectChallenge: [{ tokenHash: "hash", nowMs }],
  countChallengeTry: [{ id: "auth_sample", triesMax: 5 }],
  deleteChallenge: ["auth_sample"],
  deleteChallengesOfAccount: [accountId],
  deleteSignInsExpiredBefore: [{ atMs: nowMs, limit: 2_000 }],
  deleteChallengesExpiredBefore: [{ atMs: nowMs, limit: 2_000 }],
} satisfies SamplesOf<typeof table>;
