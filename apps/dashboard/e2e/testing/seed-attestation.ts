import { addToSiteDays, insertSite } from "../../../api/src/attestation/sites/sites.table.ts";
import { setNetworkDays } from "../../../api/src/attestation/networks/networks.table.ts";
import { msPerDay, msPerMinute, startOfDay } from "../../../api/src/formats/time.ts";
import { timeOrderedId } from "../../../api/src/ids/time-ordered-id.ts";
import { settleCalls } from "../../../api/src/money/days/settle-calls.ts";
import type { CallAttestation } from "../../../api/src/money/ledger/charge-batch.ts";
import { attestedBits } from "../../../api/src/scoring/sessions/describe-attestation.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { makeCharge, makeCharger } from "../../../api/test/make-charge.ts";
import { addPerson, findDueTimeMs, longAgoMs } from "./seed-people.ts";

type Call = CallAttestation | undefined;

async function addCalls(store: Store, { accountId, atMs, calls }: { accountId: string; atMs: number; calls: readonly Call[] }): Promise<void> {
  const charger = makeCharger(store, { nowMs: atMs });
  await Promise.all(calls.map((attestation, index) => charger.charge(makeCharge({ accountId, atMs: atMs + index, ...(attestation && { attestation }) }))));
}

const everySignal = attestedBits(["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]);
const times = (count: number, make: () => Call): Call[] => Array.from({ length: count }, make);

/** Enough at 0.034 USD that a month waits for a review. */
const dueCalls = 40;
/** 24 of 30 calls are attested: 80%. The newest come last. */
function recentCalls(nowMs: number): Call[] {
  const attested = (issues: string | null): Call => ({ sessionId: timeOrderedId("vis", nowMs), signals: everySignal, issues });
  return [
    ...times(4, () => undefined),
    { sessionId: undefined, signals: 0, issues: "crowded_network" },
    ...times(22, () => attested(null)),
    { sessionId: undefined, signals: 0, issues: "token_used" },
    attested("late_beats,proxied"),
    attested(null),
  ];
}

export const attestationPeople = { attested: "attested@example.com", newcomer: "newcomer@example.com" };

/**
 * Fills a store before its service starts: a developer without a site, and one whose site attests most of its calls and
 * whose money waits for a review.
 */
export async function seedAttestation(store: Store): Promise<void> {
  const nowMs = Date.now();
  await addPerson(store, { email: attestationPeople.newcomer });
  const accountId = await addPerson(store, { email: attestationPeople.attested });
  await addCalls(store, { accountId, atMs: findDueTimeMs(nowMs), calls: times(dueCalls, () => undefined) });
  await addCalls(store, { accountId, atMs: nowMs - 2 * msPerMinute, calls: recentCalls(nowMs) });
  await settleCalls(store, { nowMs, holdDays: 14, isOver: () => false });
  const site = { account_id: accountId, created_at: longAgoMs, changed_at: longAgoMs, deleted_at: null };
  await insertSite(store.db, { ...site, id: "site_4fKq2ZpX8mNwR7bTcY1s", name: "Shop", origins: JSON.stringify(["https://shop.example", "https://www.shop.example"]), last_seen_at: nowMs - 3 * msPerMinute }).execute();
  await insertSite(store.db, { ...site, id: "site_9aBcD3eFgH1jK5mNpQ7r", name: "Blog", origins: JSON.stringify(["https://blog.example"]), created_at: longAgoMs - 1, last_seen_at: null }).execute();
  await addToSiteDays(store.db, [{ site_id: "site_4fKq2ZpX8mNwR7bTcY1s", day: startOfDay(nowMs), sessions: 1_310, calls: 26, attested_calls: 24 }]).execute();
  await setNetworkDays(store.db, [{ account_id: accountId, day: startOfDay(nowMs), part: "a", calls: 24, networks: 17, top_calls: 6 }]).execute();
  const noticed = { account_id: accountId, code: "few_networks", statistic: 0.62, message: "62% of 480 attested calls came from one network." };
  await store.db.insertInto("integrity_notices").values({ ...noticed, day: startOfDay(nowMs) - 20 * msPerDay }).execute();
}
