import { explain } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import { selectChangedSites } from "./sites.table.ts";

export type KnownSite = { id: string; accountId: string; origins: ReadonlySet<string> };

/** Every site, in memory: strangers may ask for any id, as often as they like, and no question reaches the store. */
export type SiteDirectory = {
  find(siteId: string): KnownSite | undefined;
  /** Whether it is an origin of any site. */
  isKnownOrigin(origin: string): boolean;
  /** Reads changes now instead of at the next poll. */
  refresh(): Promise<void>;
  stop(): void;
};

const pollMs = 1_000;
/** A change may be committed this long after the time that it carries. */
const overlapMs = 30_000;
const rowsPerPage = 5_000;

/** Learns of a change on any node within a second. While the store is away, the node goes on with what it knows. */
export async function followSites(store: Store, { onError }: { onError: (error: unknown) => void }): Promise<SiteDirectory> {
  const sites = new Map<string, KnownSite & { text: string }>();
  /** How many sites have each origin. */
  const origins = new Map<string, number>();
  let newestMs = 0;

  function count(site: KnownSite | undefined, by: 1 | -1): void {
    for (const origin of site?.origins ?? []) {
      const left = (origins.get(origin) ?? 0) + by;
      if (left > 0) origins.set(origin, left);
      else origins.delete(origin);
    }
  }

  type Row = Awaited<ReturnType<ReturnType<typeof selectChangedSites>["execute"]>>[number];
  function learn({ id, account_id: accountId, origins: text, changed_at: changedMs, deleted_at: deletedMs }: Row): void {
    newestMs = Math.max(newestMs, changedMs);
    const known = sites.get(id);
    if (known?.text === text && deletedMs === null) return;
    count(known, -1);
    sites.delete(id);
    if (deletedMs !== null) return;
    const site = { id, accountId, origins: new Set(JSON.parse(text) as string[]), text };
    sites.set(id, site);
    count(site, 1);
  }

  async function read(): Promise<void> {
    let sinceMs = Math.max(0, newestMs - overlapMs);
    let limit = rowsPerPage;
    for (;;) {
      const rows = await selectChangedSites(store.db, { sinceMs, limit }).execute();
      for (const row of rows) learn(row);
      if (rows.length < limit) return;
      const lastMs = rows.at(-1)!.changed_at;
      // A page full of one millisecond's changes would come again and again.
      if (lastMs === sinceMs) limit *= 2;
      sinceMs = lastMs;
    }
  }

  let reading: Promise<void> | undefined;
  const readOnce = (): Promise<void> => {
    reading ??= read().finally(() => (reading = undefined));
    return reading;
  };

  await read();
  let isStopped = false;
  const timer = setInterval(() => {
    readOnce().catch((error: unknown) => {
      if (!isStopped) onError(new Error(explain(error), { cause: error }));
    });
  }, pollMs);
  timer.unref();
  return {
    find: (siteId) => sites.get(siteId),
    isKnownOrigin: (origin) => origins.has(origin),
    async refresh() {
      await reading;
      await readOnce();
    },
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
