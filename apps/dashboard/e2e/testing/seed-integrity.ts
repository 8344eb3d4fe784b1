import { settleCalls } from "../../../api/src/money/days/settle-calls.ts";
import { createAccount } from "../../../api/src/people/create-account.ts";
import { openStore } from "../../../api/src/store/open-store.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { makeCharge, makeCharger } from "../../../api/test/make-charge.ts";
import { password } from "./page-actions.ts";

const dayMs = 86_400_000;
const scriptedDays = 5;
const callsPerScriptedDay = 200;
/** At 0.034 USD each. */
const firstMonthCalls = 40;
/** Too few to be tested: this day is not in the finding. */
const fewCalls = 4;

/** In the newest month that is due: a month is, from the 15th of the next one on. Later months would pay its remainder. */
function findDueTimeMs(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (now.getUTCDate() < 15 ? 2 : 1), 10, 12);
}

async function addAccount(store: Store, account: { email: string; operator: boolean; nowMs: number }): Promise<string> {
  const outcome = await createAccount(store, { ...account, tier: "Starter", verified: true, password }, account.nowMs);
  if (outcome.kind !== "created") throw new Error(`creating ${account.email} failed: ${outcome.kind}`);
  return outcome.account.id;
}

async function addCalls(store: Store, { accountId, atMs, count }: { accountId: string; atMs: number; count: number }): Promise<void> {
  const charger = makeCharger(store, { nowMs: atMs });
  await Promise.all(Array.from({ length: count }, (_, index) => charger.charge(makeCharge({ accountId, atMs: atMs + index }))));
}

export type SeededPeople = { operator: string; scripted: string; grown: string };

/**
 * Fills a new store before its service starts: an operator, an account whose script has sent one body for days, and one
 * that earned more in its first month than is payable without a review. All have the password of page-actions.ts.
 */
export async function seedIntegrity(dataDir: string): Promise<SeededPeople> {
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} });
  const noonMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  const people = { operator: "operator@example.com", scripted: "scripted@example.com", grown: "grown@example.com" };
  try {
    const longAgoMs = noonMs - 80 * dayMs;
    await addAccount(store, { email: people.operator, operator: true, nowMs: longAgoMs });
    const grown = await addAccount(store, { email: people.grown, operator: false, nowMs: longAgoMs });
    await addCalls(store, { accountId: grown, atMs: findDueTimeMs(Date.now()), count: firstMonthCalls });
    const scripted = await addAccount(store, { email: people.scripted, operator: false, nowMs: longAgoMs });
    await addCalls(store, { accountId: scripted, atMs: noonMs - 25 * dayMs, count: fewCalls });
    for (let day = scriptedDays; day > 0; day -= 1) await addCalls(store, { accountId: scripted, atMs: noonMs - day * dayMs, count: callsPerScriptedDay });
    // Before the service opens the finding, which keeps every day back.
    await settleCalls(store, { nowMs: Date.now(), holdDays: 14, isOver: () => false });
    return people;
  } finally {
    await store.close();
  }
}
