/**
 * Networks are known by a keyed hash of their address. Its key, the day's salt, is random, the same on all nodes, and
 * deleted within two days: after that nobody can tell which network a tag stood for. Tags are in memory and in Redis only.
 */
import { createSecretKey, randomBytes } from "node:crypto";
import { copyText } from "../../formats/copy-text.ts";
import { msPerDay, startOfDay } from "../../formats/time.ts";
import { createHmacSha256, type Hmac } from "../../secrets/hmac-sha256.ts";
import type { Store } from "../../store/store.ts";
import { insertSalt, selectSalts } from "./networks.table.ts";
import { networkLength, networkOf } from "./network-of.ts";

const saltBytes = 32;
const tagHexLength = 16;
/** Tomorrow's salt is made this long before it is needed. */
const aheadMs = 60 * 60_000;
const refreshMs = 5 * 60_000;
/** Addresses whose tags are remembered, for beats. */
const rememberedMax = 20_000;

/** Eight bytes, as hex. `yesterday` only while windows reach back over midnight. */
export type NetworkTags = { today: string; yesterday: string | undefined };

export type NetworkTagger = {
  /** Texts that are no address share one tag. Undefined only while there is no salt at all. */
  tagsOf(address: string, nowMs: number): NetworkTags | undefined;
  stop(): void;
};

const noNetwork = new Uint8Array(networkLength);

export async function openNetworkTagger(
  store: Store,
  { nowMs, spanMs, onError }: { nowMs: () => number; /** Of the longest window. */ spanMs: number; onError: (error: unknown) => void },
): Promise<NetworkTagger> {
  let hmacs = new Map<number, Hmac>();
  /** Of one day. */
  let remembered = new Map<string, NetworkTags | undefined>();
  let rememberedFrom = { day: -1, isEarly: false };

  /** A salt is forgotten on the day on which it is deleted. The newest one stays, in case the store is away. */
  function keepRecent(days: ReadonlyMap<number, Hmac>, today: number): void {
    const newest = Math.max(...days.keys());
    hmacs = new Map([...days].filter(([day]) => day === newest || day >= today - msPerDay));
  }

  async function refresh(): Promise<void> {
    const today = startOfDay(nowMs());
    keepRecent(hmacs, today);
    // Addresses are not kept for longer than they save work.
    remembered = new Map();
    const wanted = [today, ...(nowMs() + aheadMs >= today + msPerDay ? [today + msPerDay] : [])].filter((day) => !hmacs.has(day));
    if (wanted.length === 0) return;
    await store.write(wanted.map((day) => insertSalt(store.db, { day, salt: randomBytes(saltBytes).toString("base64url") })));
    // Blank ones are being deleted.
    const rows = (await selectSalts(store.db).execute()).filter(({ salt }) => salt !== "");
    keepRecent(new Map(rows.map(({ day, salt }) => [day, hmacs.get(day) ?? createHmacSha256(createSecretKey(salt, "base64url"), networkLength)])), today);
    // Tags of before are of another salt if the store was away.
    remembered = new Map();
  }

  const tagWith = (hmac: Hmac, network: Uint8Array): string => Buffer.from(hmac(network), "latin1").toString("hex", 0, tagHexLength / 2);

  await refresh();
  const timer = setInterval(() => {
    refresh().catch(onError);
  }, refreshMs);
  timer.unref();

  function compute(address: string, day: number, isEarly: boolean): NetworkTags | undefined {
    const network = networkOf(address) ?? noNetwork;
    // While the store is away at midnight, the newest salt goes on.
    const todays = hmacs.get(day) ?? hmacs.get(Math.max(...hmacs.keys()));
    if (!todays) return undefined;
    const yesterdays = isEarly ? hmacs.get(day - msPerDay) : undefined;
    return { today: tagWith(todays, network), yesterday: yesterdays && yesterdays !== todays ? tagWith(yesterdays, network) : undefined };
  }

  return {
    tagsOf(address, atMs) {
      const day = startOfDay(atMs);
      const isEarly = atMs - day < spanMs;
      if (rememberedFrom.day !== day || rememberedFrom.isEarly !== isEarly || remembered.size >= rememberedMax) {
        remembered = new Map();
        rememberedFrom = { day, isEarly };
      }
      const known = remembered.get(address);
      if (known) return known;
      const tags = compute(address, day, isEarly);
      remembered.set(copyText(address), tags);
      return tags;
    },
    stop: () => clearInterval(timer),
  };
}
