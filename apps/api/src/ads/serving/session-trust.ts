import { type TrustLevel, trustLevelOf } from "@assay/scoring/trust-level.ts";
import { explain, overloaded } from "../../failure/failure.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectSessionScore } from "../../scoring/sessions/sessions.table.ts";

/** A session's score says something about the visitor for this long. */
export const trustedMs = 30 * 60_000;
/** What a verified session may ask for, so that nobody clicks through ads with one good session. */
export const offersPerSessionMax = 20;

const cachedMax = 10_000;
const lookUpsAtOnceMax = 500;
/** A node whose clock is ahead of ours may have made the id. */
const clockSkewMs = 5_000;
const idPattern = /^sess_[0-9A-Za-z]{20,40}$/;

/** A session of ours, as far as ads care. */
export type VerifiedSession = {
  id: string;
  score: number;
  band: TrustLevel;
  /** Set when the store has refused it another offer: it need not be asked again. */
  isUsedUp: boolean;
};

export type SessionWish = { accountId: string; mode: Mode; sessionId: string; nowMs: number };

export type SessionTrust = {
  /** Undefined for every id that verifies nothing: unknown, another account's, of another mode, or too old. */
  verify(wish: SessionWish): VerifiedSession | undefined | Promise<VerifiedSession | undefined>;
};

type Known = { session: VerifiedSession; atMs: number; mode: Mode } | "unknown";

export const isFresh = (atMs: number, nowMs: number): boolean => nowMs - atMs < trustedMs && atMs - nowMs <= clockSkewMs;

/** Ids are ordered by time: most that are too old, or made up, are told apart without asking anybody. */
function mayBeFresh(sessionId: string, nowMs: number): boolean {
  return (
    idPattern.test(sessionId) &&
    sessionId >= lowestIdAt("sess", nowMs - trustedMs) &&
    sessionId < lowestIdAt("sess", nowMs + clockSkewMs)
  );
}

/** Asks the store once for each session: a record is durable before its id is known to anyone, and never changes. */
export function createSessionTrust(store: Store): SessionTrust {
  const cached = new Map<string, Known>();
  const lookUps = new Map<string, Promise<Known>>();

  async function lookUp(wish: SessionWish, name: string): Promise<Known> {
    const row = await selectSessionScore(store.db, wish).executeTakeFirst();
    const known: Known = row
      ? {
          session: { id: wish.sessionId, score: row.service_score, band: trustLevelOf(row.service_score), isUsedUp: false },
          atMs: row.at,
          mode: row.mode,
        }
      : "unknown";
    // The oldest makes room: a Map remembers the order of insertion.
    if (cached.size >= cachedMax) cached.delete(cached.keys().next().value!);
    cached.set(name, known);
    return known;
  }

  function lookUpOnce(wish: SessionWish, name: string): Promise<Known> {
    const running = lookUps.get(name);
    if (running) return running;
    if (lookUps.size >= lookUpsAtOnceMax) {
      return Promise.reject(overloaded("too many session look-ups at once"));
    }
    const started = lookUp(wish, name)
      .catch((error: Error) => {
        throw overloaded(`a session could not be looked up: ${explain(error)}`, { cause: error });
      })
      .finally(() => lookUps.delete(name));
    lookUps.set(name, started);
    return started;
  }

  const toSession = (known: Known, { mode, nowMs }: SessionWish) =>
    known !== "unknown" && known.mode === mode && isFresh(known.atMs, nowMs) ? known.session : undefined;

  return {
    verify(wish) {
      if (!mayBeFresh(wish.sessionId, wish.nowMs)) return undefined;
      const name = `${wish.accountId} ${wish.sessionId}`;
      const known = cached.get(name);
      return known ? toSession(known, wish) : lookUpOnce(wish, name).then((found) => toSession(found, wish));
    },
  };
}
