import {
  type BeatRequest,
  clockToleranceMs,
  lateAfterMs,
  lateCreditMsMax,
  nextMsRanges,
  sessionLifeMs,
  tokenLifeMs,
} from "@assay/contract/attestation.ts";
import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import { type SessionIssue, sessionIdPrefix, type SessionState } from "./session-state.ts";

/** More than anybody does, whatever a page reports. */
const interactionsPerSecondMax = 8;
const pagesPerSecondMax = 4;
/** What four bytes hold. */
const countMax = 2 ** 32 - 1;

export type Delta = BeatRequest["d"];

/** `chance`: from 0 to 1, exclusive. */
export function drawNextMs(beats: number, chance: number): number {
  const [from, to] = nextMsRanges[Math.min(beats, nextMsRanges.length - 1)]!;
  return from + Math.floor(chance * (to - from + 1));
}

export function startSession(about: { siteId: string; accountId: string; network: string; issues: Iterable<SessionIssue>; nowMs: number; chance: number }): SessionState {
  const { siteId, accountId, network, nowMs, chance } = about;
  return {
    id: timeOrderedId(sessionIdPrefix, nowMs),
    siteId,
    accountId,
    startedMs: nowMs,
    lastMs: nowMs,
    nextMs: drawNextMs(0, chance),
    beats: 0,
    slackMs: clockToleranceMs,
    viewMs: 0,
    activeMs: 0,
    interactions: 0,
    pages: 0,
    scrolled: -1,
    network,
    issues: new Set(about.issues),
  };
}

/** Thirty minutes without a beat, or a day after its start. */
export const hasExpired = ({ lastMs, startedMs }: SessionState, nowMs: number): boolean => nowMs - lastMs > tokenLifeMs || nowMs - startedMs > sessionLifeMs;

const whole = (value: number | undefined): number => Math.floor(value ?? 0);

/**
 * The session after a beat. A page may report what it wants: over any stretch of time it is credited what passed on the
 * service's clock and at most a second more, because `slackMs` is spent by running ahead and refilled, up to that
 * second, by falling behind. Time in which no beat came is credited up to 30 seconds.
 */
export function creditBeat(state: SessionState, delta: Delta, { nowMs, chance }: { nowMs: number; chance: number }): SessionState {
  // A clock that was set back credits nothing until it has caught up.
  const atMs = Math.max(nowMs, state.lastMs);
  const passedMs = atMs - state.lastMs;
  const lastingSeconds = (atMs - state.startedMs) / 1_000;
  const isLate = passedMs > state.nextMs + lateAfterMs;
  const reportedMs = whole(delta.view_ms);
  const creditMs = Math.min(reportedMs, passedMs + state.slackMs, isLate ? lateCreditMsMax : Number.POSITIVE_INFINITY);
  const viewMs = state.viewMs + creditMs;
  const beats = Math.min(state.beats + 1, countMax);
  const isCut = isLate && reportedMs > lateCreditMsMax;
  return {
    ...state,
    lastMs: atMs,
    nextMs: drawNextMs(beats, chance),
    beats,
    slackMs: Math.min(clockToleranceMs, state.slackMs + passedMs - creditMs),
    viewMs,
    activeMs: Math.min(viewMs, state.activeMs + whole(delta.active_ms)),
    interactions: Math.min(state.interactions + whole(delta.clicks) + whole(delta.keys), Math.floor((lastingSeconds + 1) * interactionsPerSecondMax)),
    pages: Math.min(state.pages + whole(delta.pages), Math.floor(lastingSeconds * pagesPerSecondMax) + 1),
    scrolled: Math.max(state.scrolled, delta.scroll ?? -1),
    issues: isCut ? new Set([...state.issues, "late_beats" as const]) : state.issues,
  };
}
