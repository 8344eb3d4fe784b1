import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { auditClicks } from "../../ads/serving/audit-clicks.ts";
import type { Store } from "../../../src/store/store.ts";
import { waitUntil } from "../../send.ts";
import { auditCalls } from "./audit-calls.ts";
import { type CallRecord, unsettledWithKey } from "./call-book.ts";
import { retryCalls } from "./load.ts";
import type { MixedLoad } from "./mixed-load.ts";
import type { Installation } from "./open-installation.ts";

const retryMsMax = 30_000;
const retryPauseMs = 100;
/** A node's clock follows the database's with this tolerance. */
const clockApartMsMax = 2_000;

/** Retries calls with a key until they are answered: a lost answer must be replayed. */
export async function settleKeyedCalls(url: string, records: readonly CallRecord[]): Promise<number> {
  const unsettled = unsettledWithKey(records);
  const deadline = performance.now() + retryMsMax;
  for (let left = unsettled; left.length > 0; left = unsettledWithKey(left)) {
    if (performance.now() > deadline) throw new Error(`${left.length} calls with a key are still unanswered: ${JSON.stringify(left[0])}`);
    await retryCalls(url, left);
    await sleep(retryPauseMs);
  }
  return unsettled.length;
}

async function assertOffersAreStored(store: Store, adIds: ReadonlySet<string>): Promise<void> {
  const rows = await store.db.selectFrom("offers").select("id").execute();
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...adIds].filter((id) => !stored.has(id));
  assert.deepEqual(lost, [], "every ad that was returned is an offer in the store");
}

async function assertOutcomesAreStored(store: Store, load: MixedLoad): Promise<void> {
  const rows = await store.db
    .selectFrom("session_outcomes")
    .select(({ fn }) => ["session_id", fn.countAll<number>().as("count")])
    .groupBy("session_id")
    .execute();
  const storedOf = new Map(rows.map(({ session_id, count }) => [session_id, count]));
  for (const [sessionId, { accepted, unknown }] of load.outcomes) {
    const stored = storedOf.get(sessionId) ?? 0;
    assert.ok(stored >= accepted && stored <= accepted + unknown, `${sessionId} has ${stored} outcomes; ${accepted} were accepted, ${unknown} unanswered`);
  }
}

/** No entry is in the future, whatever a node's own clock says: later entries of its account would be as well. */
async function assertTimeIsFromStore(store: Store): Promise<void> {
  const { at } = await store.db.selectFrom("ledger_heads").select(({ fn }) => fn.max("at").as("at")).executeTakeFirstOrThrow();
  assert.ok(at <= Date.now() + clockApartMsMax, `an account's last entry is ${at - Date.now()} ms ahead`);
}

export type InstallationAudit = { calls: number; entries: number; retried: number; unanswered: number; clicks: number; offers: number };

/**
 * While the load is paused, compares everything that clients have seen with everything that is stored, and every sum
 * with its parts. Throws at the first difference.
 */
export async function auditInstallation(installation: Pick<Installation, "store" | "url">, load: MixedLoad): Promise<InstallationAudit> {
  const { store } = installation;
  await waitUntil(() => store.ping().then(() => true, () => false), "the store answers");
  const retried = await settleKeyedCalls(installation.url, load.book.records);
  const { entries, unanswered } = await auditCalls(store, load.book.records);
  const { clicks } = await auditClicks(store);
  await assertOffersAreStored(store, load.adIds);
  await assertOutcomesAreStored(store, load);
  await assertTimeIsFromStore(store);
  return { calls: load.book.records.length, entries, retried, unanswered, clicks, offers: load.adIds.size };
}
