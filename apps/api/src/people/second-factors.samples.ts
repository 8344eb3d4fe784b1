import { accountId, nowMs, type SamplesOf } from "../store/sql-samples.ts";
import type * as table from "./second-factors.table.ts";

const factorId = "auth_sample";
const texts = { secret: "v1.sample.secret", recovery_codes: "v1.sample.codes" };

export const samples = {
  selectSecondFactor: [accountId],
  insertSecondFactor: [{ id: factorId, account_id: accountId, ...texts, verified: 0, failures: 0, locked_until: null, last_step: null }],
  deleteSecondFactor: [accountId],
  deleteUnverifiedFactor: [accountId],
  setFactorVerified: [factorId],
  spendStep: [{ factorId, step: 58_666_666 }],
  replaceRecoveryCodes: [{ factorId, before: "v1.sample.codes", after: "v1.sample.fewer" }],
  setRecoveryCodes: [{ factorId, sealed: "v1.sample.codes" }],
  unlockFactor: [{ id: factorId, nowMs }],
  countFactorTry: [factorId],
  lockFactor: [{ id: factorId, failuresMax: 10, untilMs: nowMs }],
  clearFactorTries: [factorId],
  selectFactorsOfOthers: [{ currentPrefix: "v1.sample.", afterId: "", limit: 100 }],
  replaceFactor: [{ id: factorId, before: texts, after: texts }],
} satisfies SamplesOf<typeof table>;
