import { explain, Failure, overloaded } from "../../failure/failure.ts";
import { takeTurns } from "../../queues/take-turns.ts";
import type { Store } from "../../store/store.ts";
import type { Caller, CallerQuota } from "./caller.ts";
import { hashKey, hasKeyLength, isWellFormedKey } from "./key-format.ts";
import { selectCallerByHash } from "./keys.table.ts";

const cachedKeysMax = 10_000;
const unknownKeysMax = 10_000;
/** An unknown key is looked up again after this long. It cannot have been issued meanwhile: keys are random. */
const unknownKeyMs = 5_000;
/**
 * Keys that nobody knows by heart are looked up a few at a time, address by address: whoever tries thousands of made-up
 * keys waits behind itself, and the store stays free for the news about revocations, without which no key is known by heart.
 */
const lookUpTurns = { atOnceMax: 4, perSubjectMax: 3, waitingMax: 1_000, what: "key look-ups" };
/** Older news than this about revocations is no news: the store is asked instead of the cache. */
const newsAgeMsMax = 1_000;

/** Where a request came from; read only when its key must be looked up. */
export type Sender = { readonly ip: string };

export type Authenticator = {
  /** The caller, at once from the cache or soon from the store; undefined for every key that is no good. */
  authenticate(key: string, from: Sender): Caller | undefined | Promise<Caller | undefined>;
  /** Takes `key:<hash>`, `account:<id>` or `*`. */
  forget(subject: string): void;
  /** Says that all changes up to this moment (on the monotonic clock) have been heard of. */
  newsHeard(upToMs: number): void;
};

/**
 * A known key is kept under itself: to hash it with every call costs more than all that is done for it here. A Map finds
 * its entries by a seeded hash of the whole text, so the time of a look-up tells nothing of how much of a guess was right.
 * Everything else, the store above all, knows a key by its SHA-256 only.
 */
type Cached = { caller: Caller; keyHash: string };

export function createAuthenticator(
  store: Store,
  clock: { nowMs: () => number; monotonicMs: () => number },
): Authenticator {
  const cached = new Map<string, Cached>();
  const unknown = new Map<string, number>();
  const lookUps = new Map<string, Promise<Caller | undefined>>();
  const lookUpInTurn = takeTurns(lookUpTurns);
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
      else remember(unknown, keyHash, clock.monotonicMs() + unknownKeyMs, unknownKeysMax);
    }
    return caller;
  }

  function lookUpOnce(key: string, from: Sender): Promise<Caller | undefined> | undefined {
    const keyHash = hashKey(key);
    if (isKnownUnknown(keyHash)) return undefined;
    const running = lookUps.get(keyHash);
    if (running) return running;
    const started = lookUpInTurn(from.ip, () => lookUp(key, keyHash))
      .catch((error: Error) => {
        if (error instanceof Failure) throw error;
        // The store is out of reach: a moment later the very same call may succeed.
        throw overloaded(`a key could not be looked up: ${explain(error)}`, { cause: error });
      })
      .finally(() => lookUps.delete(keyHash));
    lookUps.set(keyHash, started);
    return started;
  }

  function isKnownUnknown(keyHash: string): boolean {
    const untilMs = unknown.get(keyHash);
    if (untilMs === undefined) return false;
    if (clock.monotonicMs() < untilMs) return true;
    unknown.delete(keyHash);
    return false;
  }

  const unlessExpired = (caller: Caller | undefined) =>
    caller?.expiresAtMs !== undefined && caller.expiresAtMs <= clock.nowMs() ? undefined : caller;

  return {
    authenticate(key, from) {
      if (!hasKeyLength(key)) return undefined;
      if (clock.monotonicMs() - newsAtMs <= newsAgeMsMax) {
        const known = cached.get(key);
        if (known) return unlessExpired(known.caller);
      }
      return isWellFormedKey(key) ? lookUpOnce(key, from)?.then(unlessExpired) : undefined;
    },
    forget(subject) {
      forgotten += 1;
      unknown.clear();
      for (const [key, { caller, keyHash }] of cached) {
        const isMeant = subject === `key:${keyHash}` || subject === `account:${caller.accountId}` || subject === "*";
        if (isMeant) cached.delete(key);
      }
    },
    newsHeard(upToMs) {
      newsAtMs = upToMs;
    },
  };
}
