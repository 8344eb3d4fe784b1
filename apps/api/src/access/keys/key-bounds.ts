import { Failure, overtaken } from "../../failure/failure.ts";
import { msPerDay, msPerSecond } from "../../formats/time.ts";
import { holdSignInEpoch, lockAccount } from "../../register/accounts.table.ts";
import type { Transaction } from "../../store/store.ts";
import { countKeysMade, countWorkingKeys } from "./keys.table.ts";

/** Of one account. */
export const workingKeysMax = 100;
/** By creating and by rotating, of one account. Keys are never deleted: ledgers, logs and notes name them. */
export const keysPerDayMax = 200;

export type KeyRefusal = { kind: "overtaken" } | { kind: "too_many_working" } | { kind: "too_many_made"; againMs: number };

/**
 * The lock makes an account's new keys wait for each other: of two at once, the second one counts the first. Nobody makes
 * one who signed in with less than the account asks for by now.
 */
export async function findKeyRefusal(tx: Transaction, { accountId, epoch, nowMs }: { accountId: string; epoch: number | undefined; nowMs: number }): Promise<KeyRefusal | undefined> {
  await tx.run(lockAccount(tx.db, accountId));
  if (epoch !== undefined && (await tx.change(holdSignInEpoch(tx.db, { accountId, epoch }))) === 0) return { kind: "overtaken" };
  const [working] = await tx.run(countWorkingKeys(tx.db, { accountId, nowMs }));
  if (working!.count >= workingKeysMax) return { kind: "too_many_working" };
  const [made] = await tx.run(countKeysMade(tx.db, { accountId, fromMs: nowMs - msPerDay }));
  return made!.count >= keysPerDayMax ? { kind: "too_many_made", againMs: made!.first_at! + msPerDay } : undefined;
}

export function failureOfRefusal(refusal: KeyRefusal, nowMs: number): Failure {
  if (refusal.kind === "overtaken") return overtaken();
  if (refusal.kind === "too_many_working") return new Failure("forbidden", `An account can have at most ${workingKeysMax} working keys. Revoke one first.`);
  const retryAfterSeconds = Math.max(1, Math.ceil((refusal.againMs - nowMs) / msPerSecond));
  return new Failure("rate_limit_exceeded", `An account can make at most ${keysPerDayMax} keys in 24 hours. Try again in ${retryAfterSeconds} seconds.`, undefined, { retryAfterSeconds });
}
