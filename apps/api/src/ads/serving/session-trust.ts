import type { Model } from "@assay/scoring/model.ts";
import { type TrustLevel, trustLevelOf } from "@assay/scoring/trust-level.ts";
import { explain, overloaded } from "../../failure/failure.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { signalsOf } from "../../scoring/sessions/find-session.ts";
import { selectSessionScore } from "../../scoring/sessions/sessions.table.ts";
import type { Mode } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";

/** A session's score counts as verified trust for this long. */
export const trustedMs = 30 * 60_000;
/** Limits how many ads can be clicked with one good session. */
export const offersPerSessionMax = 20;

const cachedMax = 10_000;
const lookUpsAtOnceMax = 500;
/** The id may come from a node whose clock is ahead. */
const clockSkewMs = 5_000;
const idPattern = /^sess_[0-9A-Za-z]{20,40}$/;

export type VerifiedSession = {
  id: string;
  score: number;
  band: TrustLevel;
  /** The service measured the session itself. */
  isAttested: boolean;
  /** Set once the store has refused it another offer, to save further attempts. */
  isUsedUp: boolean;
};

export type SessionQuery = { accountId: string; mode: Mode; sessionId: string; nowMs: number };

export type SessionTrust = {
  /** Undefined if the session is unknown, another account's, of the other mode, or too old. */
  verify(query: SessionQuery): VerifiedSession | undefined | Promise<VerifiedSession | undefined>;
};

type Known = { session: VerifiedSession; atMs: number; mode: Mode } | "unknown";

export const isFresh = (atMs: number, nowMs: number): boolean => nowMs - atMs < trustedMs && atMs - nowMs <= clockSkewMs;

/** Ids are ordered by time, so most expired or invented ones are rejected without a query. */
function mayBeFresh(sessionId: string, nowMs: number): boolean {
  return (
    idPattern.test(sessionId) &&
    sessionId >= lowestIdAt("sess", nowMs - trustedMs) &&
    sessionId < lowestIdAt("sess", nowMs + clockSkewMs)
  );
}

/**
 * Reads each session once: its record is durable before its id is returned, and never changes.
 *
 * `model`: the newest, as it is shipped. Advertisers pay by this score, so that it is the same for all developers: the
 * recorded one may be by a model that the developer has pinned, or on a scale made from what they reported. Test sessions
 * keep theirs, which the caller may have asked for: nobody pays for them.
 */
export function createSessionTrust(store: Store, { model }: { model: Model }): SessionTrust {
  const cached = new Map<string, Known>();
  const lookUps = new Map<string, Promise<Known>>();

  async function lookUp(query: SessionQuery, name: string): Promise<Known> {
    const row = await selectSessionScore(store.db, query).executeTakeFirst();
    const score = row && (row.mode === "live" ? model.score(signalsOf(row)).serviceScore : row.service_score);
    const known: Known = row
      ? {
          session: {
            id: query.sessionId,
            score: score!,
            band: trustLevelOf(score!),
            isAttested: row.attested !== null && row.attested > 0,
            isUsedUp: false,
          },
          atMs: row.at,
          mode: row.mode,
        }
      : "unknown";
    // Evicts the oldest: a Map iterates in insertion order.
    if (cached.size >= cachedMax) cached.delete(cached.keys().next().value!);
    cached.set(name, known);
    return known;
  }

  function lookUpOnce(query: SessionQuery, name: string): Promise<Known> {
    const running = lookUps.get(name);
    if (running) return running;
    if (lookUps.size >= lookUpsAtOnceMax) {
      return Promise.reject(overloaded("too many session look-ups at once"));
    }
    const started = lookUp(query, name)
      .catch((error: Error) => {
        throw overloaded(`a session could not be looked up: ${explain(error)}`, { cause: error });
      })
      .finally(() => lookUps.delete(name));
    lookUps.set(name, started);
    return started;
  }

  const toSession = (known: Known, { mode, nowMs }: SessionQuery) =>
    known !== "unknown" && known.mode === mode && isFresh(known.atMs, nowMs) ? known.session : undefined;

  return {
    verify(query) {
      if (!mayBeFresh(query.sessionId, query.nowMs)) return undefined;
      const name = `${query.accountId} ${query.sessionId}`;
      const known = cached.get(name);
      return known ? toSession(known, query) : lookUpOnce(query, name).then((found) => toSession(found, query));
    },
  };
}
