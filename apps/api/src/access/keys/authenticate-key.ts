import { explain, Failure, overloaded } from "../../failure/failure.ts";
import { takeTurns } from "../../queues/take-turns.ts";
import type { Store } from "../../store/store.ts";
import type { Quota } from "../limits/limiter.ts";
import type { Caller } from "./caller.ts";
import { hashKey, hasKeyLength, isWellFormedKey } from "./key-format.ts";
import { selectCallerByHash } from "./keys.table.ts";
import { toOwnCalibration } from "./own-calibration.ts";

const cachedKeysMax = 10_000;
const unknownKeysMax = 10_000;
/** How long an unknown key is cached as unknown. It cannot be issued meanwhile: keys are random. */
const unknownKeyMs = 5_000;
/**
 * Limits look-ups of uncached keys per network. A sender that tries thousands of made-up keys waits behind itself, and
 * the store stays free for the revocation feed, without which the cache cannot be used.
 */
const lookUpTurns = { atOnceMax: 4, perSubjectMax: 3, waitingMax: 1_000, what: "key look-ups" };
/** When the revocation feed is staler than this, every key is checked against the store. */
const feedAgeMsMax = 1_000;

/** The origin of a request; read only when its key must be looked up. */
type Sender = { readonly ip: string };

export type Authenticator = {
  /** The caller, if the cache alone can tell. Undefined means nothing: `authenticate` decides. */
  recall(key: string): Caller | undefined;
  /** The caller, synchronously from the cache or as a promise from the store. Undefined for every invalid key. */
  authenticate(key: string, from: Sender): Caller | undefined | Promise<Caller | undefined>;
  /** Takes `key:<hash>`, `account:<id>` or `*`. */
  forget(subject: string): void;
  /** Reports that all key changes up to this time (monotonic clock) are applied. */
  changesAppliedUpTo(atMs: number): void;
};

/**
 * The cache is keyed by the key itself: hashing it with every call costs more than all other work here. A Map finds
 * entries by a seeded hash of the whole text, so the timing of a look-up does not reveal how much of a guess is right.
 * Everywhere else, including the store, only the SHA-256 of a key is used.
 */
type Cached = { caller: Caller; keyHash: string };

/** A look-up that others may wait for too, while it is not staler than the feed may be. */
type LookUp = { startedMs: number; found: Promise<Caller | undefined> };

type CalibrationColumns = { [name in "version" | "shift" | "slope" as `calibration_${name}`]: number | null } & { calibration_model: string | null };

const calibrationOf = ({ calibration_version: version, calibration_model: modelVersion, calibration_shift: shift, calibration_slope: slope }: CalibrationColumns): Caller["calibration"] =>
  version === null || modelVersion === null || shift === null || slope === null ? null : toOwnCalibration({ version, modelVersion, shift, slope });

export function createAuthenticator(
  store: Store,
  /** `lineOf`: who waits together; by default each address by itself. */
  { lineOf = (ip) => ip, ...clock }: { nowMs: () => number; monotonicMs: () => number; lineOf?: (ip: string) => string },
): Authenticator {
  const cached = new Map<string, Cached>();
  const unknown = new Map<string, number>();
  const lookUps = new Map<string, LookUp>();
  const lookUpInTurn = takeTurns(lookUpTurns);
  const quotas = new Map<string, Quota>();
  let changesAppliedMs = Number.NEGATIVE_INFINITY;
  /** Counts calls of `forget`, so that a look-up that began before one is not cached after it. */
  let forgetCount = 0;

  function quotaOf(perHour: number, perMinute: number): Quota {
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
      pinnedModel: row.pinned_model,
      accountCreatedMs: row.account_created_at,
      calibration: calibrationOf(row),
      expiresAtMs: row.expires_at ?? undefined,
    };
  }

  /** Evicts the oldest entry: a Map iterates in insertion order. */
  function remember<Value>(map: Map<string, Value>, name: string, value: Value, max: number): void {
    if (map.size >= max) map.delete(map.keys().next().value!);
    map.set(name, value);
  }

  async function lookUp(key: string, keyHash: string): Promise<Caller | undefined> {
    const forgetCountBefore = forgetCount;
    const caller = await readCaller(keyHash);
    if (forgetCount === forgetCountBefore) {
      if (caller) remember(cached, key, { caller, keyHash }, cachedKeysMax);
      else remember(unknown, keyHash, clock.monotonicMs() + unknownKeyMs, unknownKeysMax);
    }
    return caller;
  }

  function lookUpOnce(key: string, from: Sender): Promise<Caller | undefined> | undefined {
    const keyHash = hashKey(key);
    if (isCachedUnknown(keyHash)) return undefined;
    const startedMs = clock.monotonicMs();
    const running = lookUps.get(keyHash);
    if (running && startedMs - running.startedMs <= feedAgeMsMax) return running.found;
    const found = lookUpInTurn(lineOf(from.ip), () => lookUp(key, keyHash))
      .catch((error: Error) => {
        if (error instanceof Failure) throw error;
        // The store is unreachable: a retry of the same call may succeed.
        throw overloaded(`a key could not be looked up: ${explain(error)}`, { cause: error });
      })
      // If a later look-up has taken its place, the next call only asks once more.
      .finally(() => lookUps.delete(keyHash));
    lookUps.set(keyHash, { startedMs, found });
    return found;
  }

  function isCachedUnknown(keyHash: string): boolean {
    const untilMs = unknown.get(keyHash);
    if (untilMs === undefined) return false;
    if (clock.monotonicMs() < untilMs) return true;
    unknown.delete(keyHash);
    return false;
  }

  const unlessExpired = (caller: Caller | undefined) =>
    caller?.expiresAtMs !== undefined && caller.expiresAtMs <= clock.nowMs() ? undefined : caller;

  const findCached = (key: string): Caller | undefined =>
    clock.monotonicMs() - changesAppliedMs <= feedAgeMsMax ? cached.get(key)?.caller : undefined;

  return {
    recall: (key) => unlessExpired(findCached(key)),
    authenticate(key, from) {
      if (!hasKeyLength(key)) return undefined;
      const known = findCached(key);
      if (known) return unlessExpired(known);
      return isWellFormedKey(key) ? lookUpOnce(key, from)?.then(unlessExpired) : undefined;
    },
    forget(subject) {
      forgetCount += 1;
      unknown.clear();
      for (const [key, { caller, keyHash }] of cached) {
        const isMeant = subject === `key:${keyHash}` || subject === `account:${caller.accountId}` || subject === "*";
        if (isMeant) cached.delete(key);
      }
    },
    changesAppliedUpTo(atMs) {
      changesAppliedMs = atMs;
    },
  };
}
