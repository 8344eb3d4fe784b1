import { createSecretKey, hkdfSync } from "node:crypto";
import { offerLifeMs } from "../auction/live-offers.ts";
import { explain, overloaded } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import { makeTrackingKey } from "./rotate-tracking-key.ts";
import { insertTrackingKey, selectTrackingKeys } from "./tracking-keys.table.ts";
import { isGenuine, readToken, type SigningKey, type TrackingKind, type TrackingToken } from "./tracking-token.ts";

const pollMs = 2_000;
/** A new key signs only when every node has had the time to hear of it. */
const settleMs = 10_000;
/** How late a node may be to hear that a key was retired: it signed that long after. */
const retireDelayMs = 60_000;
/** Unknown keys make a node look for news, but not more often than this: anybody can make keys up. */
const lookAgainMs = 1_000;
const secretBytes = 32;

type KnownKey = SigningKey & { createdMs: number; retiredMs: number | undefined };

export type TrackingKeys = {
  /** The key that signs now. */
  current(): SigningKey;
  /** What a genuine token says; undefined for any other text. At once, but for a key that this node has not heard of. */
  verify(text: string, kind: TrackingKind): TrackingToken | undefined | Promise<TrackingToken | undefined>;
  stop(): void;
};

export type TrackingKeysSettings = {
  secretKey: string;
  nowMs: () => number;
  monotonicMs: () => number;
  onError: (error: unknown) => void;
};

function derive(secretKey: string, salt: string) {
  return createSecretKey(Buffer.from(hkdfSync("sha256", secretKey, salt, "assay tracking token", secretBytes)));
}

/** A key that was retired signed nothing that lives longer than what it signed last. */
const mayHaveSigned = (key: KnownKey, token: TrackingToken) =>
  key.retiredMs === undefined || token.expiresMs <= key.retiredMs + offerLifeMs + retireDelayMs;

/** Knows the keys of all nodes, and makes the first one. */
export async function openTrackingKeys(store: Store, settings: TrackingKeysSettings): Promise<TrackingKeys> {
  const { nowMs, monotonicMs, onError } = settings;
  let keys = new Map<string, KnownKey>();
  let newestFirst: KnownKey[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function readKeys(): Promise<void> {
    readAtMs = monotonicMs();
    const rows = await selectTrackingKeys(store.db).execute();
    newestFirst = rows.map((row) => ({
      id: row.id,
      // Deriving is dear, and a key never changes but for being retired.
      secret: keys.get(row.id)?.secret ?? derive(settings.secretKey, row.salt),
      createdMs: row.created_at,
      retiredMs: row.retired_at ?? undefined,
    }));
    keys = new Map(newestFirst.map((key) => [key.id, key]));
  }
  const read = () => (reading ??= readKeys().finally(() => (reading = undefined)));

  await read();
  if (!newestFirst.some((key) => key.retiredMs === undefined)) {
    await insertTrackingKey(store.db, makeTrackingKey(nowMs())).execute();
    await read();
  }
  const timer = setInterval(() => void read().catch(onError), pollMs).unref();

  const check = (key: KnownKey | undefined, text: string, token: TrackingToken) =>
    key && mayHaveSigned(key, token) && isGenuine(key, text, token.kind) ? token : undefined;

  return {
    current() {
      const knownByAllMs = nowMs() - settleMs;
      return newestFirst.find((key) => key.createdMs <= knownByAllMs) ?? newestFirst.at(-1)!;
    },
    verify(text, kind) {
      const token = readToken(text);
      if (!token || token.kind !== kind) return undefined;
      const known = keys.get(token.keyId);
      if (known || monotonicMs() - readAtMs < lookAgainMs) return check(known, text, token);
      return read().then(
        () => check(keys.get(token.keyId), text, token),
        (error: Error) => {
          throw overloaded(`tracking keys could not be read: ${explain(error)}`, { cause: error });
        },
      );
    },
    stop: () => clearInterval(timer),
  };
}
