import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./sign-ins.table.ts";

export const samples = {
  selectSignIns: [{ accountId, nowMs, limit: 100 }],
  deleteSignIn: [{ accountId, id: "sign_sample" }],
  deleteSignIns: [{ accountId, exceptId: "sign_sample" }],
  deleteChallengesOfAccount: [accountId],
  deleteSecondFactor: [accountId],
  selectVerifiedFactor: [accountId],
  replaceRecoveryCodes: [{ factorId: "auth_sample", from: "sealed", to: "sealed anew" }],
  spendStep: [{ factorId: "auth_sample", step: 58_666_666 }],
  deleteSignInsExpiredBefore: [nowMs],
  deleteChallengesExpiredBefore: [nowMs],
} satisfies SamplesOf<typeof table>;
