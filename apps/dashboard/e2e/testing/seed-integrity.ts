import { settleCalls } from "../../../api/src/money/days/settle-calls.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { makeCharge, makeCharger } from "../../../api/test/make-charge.ts";
import { addPerson, findDueTimeMs } from "./seed-people.ts";

const dayMs = 86_400_000;
const scriptedDays = 5;
const callsPerScriptedDay = 200;
/** At 0.034 USD each. */
const firstMonthCalls = 40;
/** Too few to be tested: this day is not in the finding. */
const fewCalls = 4;

async function addCalls(store: Store, { accountId, atMs, count }: { accountId: string; atMs: number; count: number }): Promise<void> {
  const charger = makeCharger(store, { nowMs: atMs });
  await Promise.all(Array.from({ length: count }, (_, index) => charger.charge(makeCharge({ accountId, atMs: atMs + index }))));
}

export const integrityPeople = { scripted: "scripted@example.com", grown: "grown@example.com" };

/**
 * Fills a store before its service starts: an account whose script has sent one body for days, and one that earned more
 * in its first month than is payable without a review.
 */
export async function seedIntegrity(store: Store): Promise<void> {
  const noonMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
  const grown = await addPerson(store, { email: integrityPeople.grown });
  await addCalls(store, { accountId: grown, atMs: findDueTimeMs(Date.now()), count: firstMonthCalls });
  const scripted = await addPerson(store, { email: integrityPeople.scripted });
  await addCalls(store, { accountId: scripted, atMs: noonMs - 25 * dayMs, count: fewCalls });
  for (let day = scriptedDays; day > 0; day -= 1) await addCalls(store, { accountId: scripted, atMs: noonMs - day * dayMs, count: callsPerScriptedDay });
  // Before the service opens the finding, which keeps every day back.
  await settleCalls(store, { nowMs: Date.now(), holdDays: 14, isOver: () => false });
}
