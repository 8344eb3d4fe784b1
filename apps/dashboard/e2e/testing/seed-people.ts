import { msPerDay } from "../../../api/src/formats/time.ts";
import { createAccount } from "../../../api/src/people/create-account.ts";
import { openStore } from "../../../api/src/store/open-store.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { makeTestFolder } from "../../../api/test/start-service.ts";
import { password } from "./page-actions.ts";

export const operatorEmail = "operator@example.com";
/** Before everything that the seeds date back: the first account of an installation is its oldest. */
export const longAgoMs = Date.now() - 80 * msPerDay;

/** Somebody who can sign in with the password of page-actions.ts. Returns the account's id. */
export async function addPerson(store: Store, { email, nowMs = longAgoMs, isFirstStart }: { email: string; nowMs?: number; isFirstStart?: true }): Promise<string> {
  const account = { email, operator: email === operatorEmail, tier: "Starter", verified: true, password, ...(isFirstStart ? { isFirstStart } : {}) };
  const outcome = await createAccount(store, account, nowMs);
  if (outcome.kind !== "created") throw new Error(`creating ${email} failed: ${outcome.kind}`);
  return outcome.account.id;
}

/** Opens the store in a folder beside or before its service. */
export async function withStore<Result>(dataDir: string, use: (store: Store) => Promise<Result>): Promise<Result> {
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** A new folder with a filled store, for a service that is not started yet. */
export async function makeFilledFolder<Result>(fill: (store: Store) => Promise<Result>): Promise<{ dataDir: string; filled: Result }> {
  const dataDir = makeTestFolder();
  return { dataDir, filled: await withStore(dataDir, fill) };
}

/** In the newest month that is due: a month is, from the 15th of the next one on. Later months would pay its remainder. More than 30 days ago in every case. */
export function findDueTimeMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCDate() < 15 ? 2 : 1), 10, 12);
}
