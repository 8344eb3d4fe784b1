import { createSecretKey, type KeyObject } from "node:crypto";
import { explain, overloaded } from "../../failure/failure.ts";
import type { Sealer } from "../../secrets/sealer.ts";
import type { Store } from "../../store/store.ts";
import { offerLifeMs } from "../auction/live-offers.ts";
import { makeTrackingKey } from "./rotate-tracking-key.ts";
import { openSecrets, readSecrets, sealTrackingKeys } from "./seal-tracking-keys.ts";
import { insertTrackingKey, selectTrackingKeys } from "./tracking-keys.table.ts";
import { isGenuine, readToken, type SigningKey, type TrackingKind, type TrackingToken } from "./tracking-token.ts";

const pollMs = 2_000;
/** A new key signs only after every node has had time to read it. */
const propagationMs = 10_000;
/** A node may notice a retirement this late, and sign with the key until then. */
const retireDelayMs = 60_000;
/** An unknown key id triggers a read, but not more often than this: anyone can invent key ids. */
const rereadMs = 1_000;

/** The first of the secrets signs. A row that a replaced SECRET_KEY met before it was sealed has one per SECRET_KEY. */
type KnownKey = SigningKey & { secrets: readonly KeyObject[]; sealed: string | null; createdMs: number; retiredMs: number | undefined };

export type TrackingKeys = {
  /** The key that signs now. */
  current(): SigningKey;
  /** The contents of a genuine token; undefined for any other text. A promise only if the key is unknown to this node. */
  verify(text: string, kind: TrackingKind): TrackingToken | undefined | Promise<TrackingToken | undefined>;
  stop(): void;
};

export type TrackingKeysSettings = {
  sealer: Sealer;
  nowMs: () => number;
  monotonicMs: () => number;
  onError: (error: unknown) => void;
};

/** A retired key cannot have signed a token that expires later than those it signed last. */
const mayHaveSigned = (key: KnownKey, token: TrackingToken) =>
  key.retiredMs === undefined || token.expiresMs <= key.retiredMs + offerLifeMs + retireDelayMs;

/** Reads the keys that all nodes share, and creates the first one. */
export async function openTrackingKeys(store: Store, settings: TrackingKeysSettings): Promise<TrackingKeys> {
  const { nowMs, monotonicMs, onError } = settings;
  let keys = new Map<string, KnownKey>();
  let newestFirst: KnownKey[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function readKeys(): Promise<void> {
    readAtMs = monotonicMs();
    const rows = await selectTrackingKeys(store.db).execute();
    newestFirst = rows.map((row) => {
      const known = keys.get(row.id);
      // Sealing again does not change the secrets, and another node may have done it with a SECRET_KEY that this one does not know yet.
      const isKnown = known && (known.sealed === row.sealed || openSecrets(settings.sealer, row) === "unreadable");
      const secrets = isKnown ? known.secrets : readSecrets(settings.sealer, row).map((secret) => createSecretKey(secret));
      return { id: row.id, secret: secrets[0]!, secrets, sealed: row.sealed, createdMs: row.created_at, retiredMs: row.retired_at ?? undefined };
    });
    keys = new Map(newestFirst.map((key) => [key.id, key]));
  }
  const read = () => (reading ??= readKeys().finally(() => (reading = undefined)));

  await read();
  if (!newestFirst.some((key) => key.retiredMs === undefined)) {
    await insertTrackingKey(store.db, makeTrackingKey(nowMs())).execute();
    await read();
  }
  await sealTrackingKeys(store, settings.sealer);
  const timer = setInterval(() => void read().catch(onError), pollMs).unref();

  const isSigned = ({ id, secrets }: KnownKey, text: string, kind: TrackingKind) => secrets.some((secret) => isGenuine({ id, secret }, text, kind));
  const check = (key: KnownKey | undefined, text: string, token: TrackingToken) =>
    key && mayHaveSigned(key, token) && isSigned(key, text, token.kind) ? token : undefined;

  return {
    current() {
      const knownByAllMs = nowMs() - propagationMs;
      return newestFirst.find((key) => key.createdMs <= knownByAllMs) ?? newestFirst.at(-1)!;
    },
    verify(text, kind) {
      const token = readToken(text);
      if (!token || token.kind !== kind) return undefined;
      const known = keys.get(token.keyId);
      if (known || monotonicMs() - readAtMs < rereadMs) return check(known, text, token);
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
