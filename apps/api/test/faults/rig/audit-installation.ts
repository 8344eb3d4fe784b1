import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { auditClicks } from "../../ads/serving/audit-clicks.ts";
import type { Store } from "../../../src/store/store.ts";
import { waitUntil } from "../../send.ts";
import { auditCalls } from "./audit-calls.ts";
import { unsettledWithKey } from "./call-book.ts";
import { retryCalls } from "./load.ts";
import type { MixedLoad } from "./mixed-load.ts";
import type { Installation } from "./open-installation.ts";

const retryMsMax = 30_000;
const retryPauseMs = 100;
/** A node's clock follows the database's from reading to reading. */
const clockApartMsMax = 2_000;

/** Clients that have a key ask until they know: an answer whose loss they saw is the one they get. */
async function settleKeyedCalls(url: string, load: MixedLoad): Promise<number> {
  const unsettled = unsettledWithKey(load.book.records);
  const deadline = performance.now() + retryMsMax;
  for (let left = unsettled; left.length > 0; left = unsettledWithKey(left)) {
    if (performance.now() > deadline) throw new Error(`${left.length} calls with a key are still not answered: ${JSON.stringify(left[0])}`);
    await retryCalls(url, left);
    await sleep(retryPauseMs);
  }
  return unsettled.length;
}

async function assertOffersAreKept(store: Store, adIds: ReadonlySet<string>): Promise<void> {
  const rows = await store.db.selectFrom("offers").select("id").execute();
  const kept = new Set(rows.map(({ id }) => id));
  const lost = [...adIds].filter((id) => !kept.has(id));
  assert.deepEqual(lost, [], "an ad that was shown is an offer in the store");
}

async function assertOutcomesAreKept(store: Store, load: MixedLoad): Promise<void> {
  const rows = await store.db
    .selectFrom("session_outcomes")
    .select(({ fn }) => ["session_id", fn.countAll<number>().as("count")])
    .groupBy("session_id")
    .execute();
  const keptOf = new Map(rows.map(({ session_id, count }) => [session_id, count]));
  for (const [sessionId, { accepted, unknown }] of load.outcomes) {
    const kept = keptOf.get(sessionId) ?? 0;
    assert.ok(kept >= accepted && kept <= accepted + unknown, `${sessionId} has ${kept} outcomes; ${accepted} were accepted, ${unknown} not answered`);
  }
}

/** No entry is from the future, whatever a node's machine believes: or the next ones of its account would be, too. */
async function assertTimeIsTheStores(store: Store): Promise<void> {
  const { at } = await store.db.selectFrom("ledger_heads").select(({ fn }) => fn.max("at").as("at")).executeTakeFirstOrThrow();
  assert.ok(at <= Date.now() + clockApartMsMax, `an account's last entry is ${at - Date.now()} ms ahead`);
}

export type InstallationAudit = { calls: number; entries: number; retried: number; unanswered: number; clicks: number; offers: number };

/**
 * With the load at rest: holds everything that any client saw, since the beginning, against everything that is
 * stored, and every sum against its parts. Throws at the first difference.
 */
export async function auditInstallation(house: Installation, load: MixedLoad): Promise<InstallationAudit> {
  const { store } = house;
  await waitUntil(() => store.ping().then(() => true, () => false), "the store answers");
  const retried = await settleKeyedCalls(house.url, load);
  const { entries, unanswered } = await auditCalls(store, load.book.records);
  const { clicks } = await auditClicks(store);
  await assertOffersAreKept(store, load.adIds);
  await assertOutcomesAreKept(store, load);
  await assertTimeIsTheStores(store);
  return { calls: load.book.records.length, entries, retried, unanswered, clicks, offers: load.adIds.size };
}
