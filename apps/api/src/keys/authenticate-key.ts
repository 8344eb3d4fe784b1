import { Failure, overloadedText } from "../http/failure.ts";
import type { Store } from "../store/store.ts";
import type { Caller, CallerQuota } from "../http/caller.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";
import { selectCallerByHash } from "./keys.table.ts";

const cachedKeysMax = 10_000;
const unknownKeysMax = 10_000;
/** An unknown key is looked up again after this long. It cannot have been issued meanwhile: keys are random. */
const unknownKeyMs = 5_000;
const lookUpsAtOnceMax = 500;
/** Older news than this about revocations is no news: the store is asked instead of the cache. */
const newsAgeMsMax = 1_000;

export type Authenticator = {
  /** The caller, at once from the cache or soon from the store; undefined for every key that is no good. */
  authenticate(key: string): Caller | undefined | Promise<Caller | undefined>;
  /** Takes `key:<hash>`, `account:<id>` or `*`. */
  forget(subject: string): void;
  /** Says that all changes up to this moment (on the monotonic clock) have been heard of. */
  newsHeard(upToMs: number): void;
};

/** Kept under the key itself: a known key costs one look-up, neither a checksum nor a hash. */
type Cached = { caller: Caller; keyHash: string };

export function createAuthenticator(
  store: Store,
  clock: { nowMs: () => number; monotonicMs: () => number },
): Authenticator {
  const cached = new Map<string, Cached>();
  const unknown = new Map<string, number>();
  const lookUps = new Map<string, Promise<Caller | undefined>>();
  const quotas = new Map<string, CallerQuota>();
  let newsAtMs = Number.NEGATIVE_INFINITY;
  /** Counts what was forgotten, so that a look-up that began before is not cached after. */
  let forgotten = 0;

  function quotaOf(perHour: number, perMinute: number): CallerQuota {
    const name = `${perHour}/${perMinute}`;
    let quota = quotas.get(name);
    if (!quota) {
      quota = { perHour, perMinute };
      quotas.set(name, quota);
    }
    return quota;
  }

  async function readCaller(keyHash: string): Promise<Caller | undefined> {
    const row = await selectCallerByHash(store.db, keyHash).executeTakeFirst();
    if (!row || row.revoked_at !== null || row.status !== "active") return undefined;
    return {
      keyId: row.key_id,
      accountId: row.account_id,
      mode: row.mode,
      quota: quotaOf(row.per_hour, row.per_minute),
      limitSubject: row.mode === "live" ? row.account_id : `${row.account_id}:test`,
      shareBps: row.share_bps,
      houseAds: row.house_ads === 1,
      expiresAtMs: row.expires_at ?? undefined,
    };
  }

  /** The oldest entry makes room: a Map remembers the order of insertion. */
  function remember<Value>(map: Map<string, Value>, name: string, value: Value, max: number): void {
    if (map.size >= max) map.delete(map.keys().next().value!);
    map.set(name, value);
  }

  async function lookUp(key: string, keyHash: string): Promise<Caller | undefined> {
    const forgottenBefore = forgotten;
    const caller = await readCaller(keyHash);
    if (forgotten === forgottenBefore) {
      if (caller) remember(cached, key, { caller, keyHash }, cachedKeysMax);
      else remember(unknown, key, clock.monotonicMs() + unknownKeyMs, unknownKeysMax);
    }
    return caller;
  }

  function lookUpOnce(key: string): Promise<Caller | undefined> {
    const keyHash = hashKey(key);
    const running = lookUps.get(keyHash);
    if (running) return running;
    if (lookUps.size >= lookUpsAtOnceMax) {
      return Promise.reject(new Failure("overloaded", overloadedText, "too many key look-ups at once"));
    }
    const started = lookUp(key, keyHash)
      .catch((error: Error) => {
        // The store is out of reach: a moment later the very same call may succeed.
        throw new Failure("overloaded", overloadedText, `a key could not be looked up: ${error.message}`, { cause: error });
      })
      .finally(() => lookUps.delete(keyHash));
    lookUps.set(keyHash, started);
    return started;
  }

  function isKnownUnknown(key: string): boolean {
    const untilMs = unknown.get(key);
    if (untilMs === undefined) return false;
    if (clock.monotonicMs() < untilMs) return true;
    unknown.delete(key);
    return false;
  }

  const unlessExpired = (caller: Caller | undefined) =>
    caller?.expiresAtMs !== undefined && caller.expiresAtMs <= clock.nowMs() ? undefined : caller;

  return {
    authenticate(key) {
      if (clock.monotonicMs() - newsAtMs <= newsAgeMsMax) {
        const known = cached.get(key);
        if (known) return unlessExpired(known.caller);
      }
      if (!isWellFormedKey(key) || isKnownUnknown(key)) return undefined;
      return lookUpOnce(key).then(unlessExpired);
    },
    forget(subject) {
      forgotten += 1;
      unknown.clear();
      const isMeant = ({ caller, keyHash }: Cached) =>
        subject === `key:${keyHash}` || subject === `account:${caller.accountId}` || subject === "*";
      for (const [key, each] of cached) {
        if (isMeant(each)) cached.delete(key);
      }
    },
    newsHeard(upToMs) {
      newsAtMs = upToMs;
    },
  };
}
