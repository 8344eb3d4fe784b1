import { startOfDay } from "../formats/time.ts";
import { randomBase62 } from "../ids/time-ordered-id.ts";
import type { Store } from "../store/store.ts";
import type { NetworkDayRow, SiteDayRow } from "../store/schema-attestation.ts";
import { setNetworkDays } from "./networks/networks.table.ts";
import { addToSiteDays, markSitesSeen } from "./sites/sites.table.ts";

/** A billed call with a token. */
export type BilledSession = { accountId: string; siteId: string; network: string; isAttested: boolean; atMs: number };

/**
 * Counts what pages and operators are shown: sessions per site, and from how many networks an account's attested calls
 * came. Written apart from the transaction that bills; a crash loses the last seconds of it and nothing else.
 */
export type AttestationRecorder = {
  began(siteId: string, atMs: number): void;
  billed(session: BilledSession): void;
  stop(): Promise<void>;
};

const flushMs = 10_000;
/** Few enough that no billed call waits long behind one write. */
const rowsPerStatement = 50;
/** Networks that are told apart, over all accounts. Beyond it calls are counted, and new networks are not. */
const networksMax = 200_000;

type NetworkDay = { accountId: string; day: number; calls: number; callsOf: Map<string, number>; isChanged: boolean };

const chunksOf = <Row>(rows: readonly Row[]): Row[][] => Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, nth) => rows.slice(nth * rowsPerStatement, (nth + 1) * rowsPerStatement));

export function createAttestationRecorder(store: Store, { onError }: { onError: (error: unknown) => void }): AttestationRecorder {
  /** Of this process: the tags that it counts are in no table, so nobody can add to its numbers later. */
  const part = randomBase62(10);
  let siteDays = new Map<string, SiteDayRow>();
  let seen = new Map<string, number>();
  const networkDays = new Map<string, NetworkDay>();
  let networks = 0;

  function siteDayOf(siteId: string, atMs: number): SiteDayRow {
    const day = startOfDay(atMs);
    const name = `${siteId} ${day}`;
    const known = siteDays.get(name) ?? { site_id: siteId, day, sessions: 0, calls: 0, attested_calls: 0 };
    siteDays.set(name, known);
    return known;
  }

  function countNetwork({ accountId, network, atMs }: BilledSession): void {
    const day = startOfDay(atMs);
    const name = `${accountId} ${day}`;
    const known = networkDays.get(name) ?? { accountId, day, calls: 0, callsOf: new Map<string, number>(), isChanged: true };
    networkDays.set(name, known);
    known.calls += 1;
    known.isChanged = true;
    const calls = known.callsOf.get(network);
    if (calls === undefined && networks >= networksMax) return;
    if (calls === undefined) networks += 1;
    known.callsOf.set(network, (calls ?? 0) + 1);
  }

  const rowOf = ({ accountId, day, calls, callsOf }: NetworkDay): NetworkDayRow => ({
    account_id: accountId,
    day,
    part,
    calls,
    networks: callsOf.size,
    top_calls: [...callsOf.values()].reduce((most, each) => Math.max(most, each), 0),
  });

  /** Days of which no more calls come. */
  function forgetDays(today: number): void {
    for (const [name, { day, callsOf, isChanged }] of networkDays) {
      if (day >= today || isChanged) continue;
      networkDays.delete(name);
      networks -= callsOf.size;
    }
  }

  async function write(): Promise<void> {
    const [days, sites] = [[...siteDays.values()], seen];
    siteDays = new Map();
    seen = new Map();
    const changed = [...networkDays.values()].filter(({ isChanged }) => isChanged);
    for (const each of changed) each.isChanged = false;
    const newestMs = Math.max(0, ...sites.values());
    const sortedDays = days.toSorted((a, b) => (a.site_id < b.site_id ? -1 : a.site_id > b.site_id ? 1 : a.day - b.day));
    for (const some of chunksOf(sortedDays)) await store.write([addToSiteDays(store.db, some)]);
    for (const some of chunksOf([...sites.keys()].toSorted())) await store.write([markSitesSeen(store.db, { siteIds: some, atMs: newestMs })]);
    for (const some of chunksOf(changed.map(rowOf))) await store.write([setNetworkDays(store.db, some)]);
    forgetDays(Math.max(startOfDay(newestMs), ...changed.map(({ day }) => day)));
  }

  let writing: Promise<void> | undefined;
  const timer = setInterval(() => {
    writing ??= write()
      .catch(onError)
      .finally(() => {
        writing = undefined;
      });
  }, flushMs);
  timer.unref();

  return {
    began(siteId, atMs) {
      siteDayOf(siteId, atMs).sessions += 1;
    },
    billed(session) {
      const day = siteDayOf(session.siteId, session.atMs);
      day.calls += 1;
      if (!session.isAttested) return;
      day.attested_calls += 1;
      // Not when one begins: anybody can begin one.
      seen.set(session.siteId, session.atMs);
      countNetwork(session);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await write().catch(onError);
    },
  };
}
