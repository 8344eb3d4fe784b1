// Pure functions that measure one session, without clock, page or storage. docs/signals.md defines the signals. Pages and
// apps bundle them; clients/conformance/sessions.json says what collectors in other languages must make of the same input.
import { type MeasuredTotals, measuredSignalsOf } from "../measured-session.ts";

/** A pause counts as active time up to this long; the model's training data was measured the same way. */
export const activePauseMsMax = 30_000;
/** A pause of this length ends the session. */
export const sessionPauseMsMax = 30 * 60_000;
/** Key presses within this time of each other are one interaction: a typed word, not its letters. */
export const keyGroupMsMax = 1_000;

/** The six signals of one visitor session, as the service takes them. */
export type SessionData = {
  /** Share of the time in view with activity, 0 to 1. */
  user_engagement: number;
  /** Seconds in view. */
  session_duration: number;
  /** Furthest scroll position reached, 0 to 1; absent if nothing could be scrolled. */
  scroll_depth?: number;
  /** Clicks, taps and groups of key presses. */
  interaction_count: number;
  /** Pages opened, including views of a single-page app. */
  page_views: number;
  /** Whether there was an earlier session on this device; absent if unknown or if the visitor objects. */
  return_visitor?: boolean;
};

export type Totals = {
  /** End of the time in view that is counted so far. */
  seenMs: number;
  /** Time in view. */
  inViewMs: number;
  /** Active part of the time in view, from pauses that have ended. */
  activeMs: number;
  /** Time in view since the last activity. */
  pauseMs: number;
  didAnything: boolean;
  /** Clicks and taps. */
  clicks: number;
  /** Groups of key presses. */
  keys: number;
  pages: number;
  /** Furthest scroll position, 0 to 1; negative while nothing could be scrolled. */
  scrolled: number;
  /** Undefined: unknown, or the visitor objects. */
  returning: boolean | undefined;
};

export const newTotals = (nowMs: number): Totals => ({
  seenMs: nowMs,
  inViewMs: 0,
  activeMs: 0,
  pauseMs: 0,
  didAnything: false,
  clicks: 0,
  keys: 0,
  pages: 0,
  scrolled: -1,
  returning: undefined,
});

/** Counts the time in view up to `nowMs`. A clock that is set back subtracts nothing, and a pause counts up to its limit. */
export function passTime(totals: Totals, nowMs: number): void {
  const passedMs = Math.min(Math.max(0, nowMs - totals.seenMs), sessionPauseMsMax - totals.pauseMs);
  totals.inViewMs += passedMs;
  totals.pauseMs += passedMs;
  totals.seenMs = nowMs;
}

/** Whether activity at `nowMs` belongs to a new session. */
export const isOver = (totals: Totals, nowMs: number): boolean =>
  totals.pauseMs >= sessionPauseMsMax || nowMs - totals.seenMs >= sessionPauseMsMax;

const activeMsOf = (totals: Totals): number => totals.activeMs + Math.min(totals.pauseMs, activePauseMsMax);

/** Records activity, which ends the current pause. */
export function endPause(totals: Totals): void {
  totals.activeMs = activeMsOf(totals);
  totals.pauseMs = 0;
  totals.didAnything = true;
}

/** The totals so far. Without any activity no time counts as active. */
export const measuredOf = (totals: Totals): MeasuredTotals => ({
  viewMs: totals.inViewMs,
  activeMs: totals.didAnything ? activeMsOf(totals) : 0,
  interactions: totals.clicks + totals.keys,
  pages: totals.pages,
  scrolled: totals.scrolled,
});

/** The totals as the service counts them. `scroll` is null while nothing could be scrolled. */
export type Counts = { view_ms: number; active_ms: number; clicks: number; keys: number; pages: number; scroll: number | null };

export function countsOf(totals: Totals): Counts {
  const { viewMs, activeMs, pages, scrolled } = measuredOf(totals);
  return { view_ms: viewMs, active_ms: activeMs, clicks: totals.clicks, keys: totals.keys, pages, scroll: scrolled < 0 ? null : scrolled };
}

/** What was counted since `earlier`. The scroll position is always the furthest so far. */
export const countsSince = (now: Counts, earlier: Counts): Counts => ({
  view_ms: now.view_ms - earlier.view_ms,
  active_ms: now.active_ms - earlier.active_ms,
  clicks: now.clicks - earlier.clicks,
  keys: now.keys - earlier.keys,
  pages: now.pages - earlier.pages,
  scroll: now.scroll,
});

/** How far the service has attested a session. */
export type Attested = {
  /** The newest token; empty before the first one. */
  token: string;
  /** What the token covers; without a token, what the first one will leave out. */
  covered: Counts;
  /** When the next request is due. */
  dueMs: number;
  /** Failed requests since the last answer. As long as there are any, nothing is sent before `dueMs`. */
  failures: number;
};

/** Totals of the session so far, how many times they were sent, and what the service has attested of them. */
export type StoredSession = { totals: Totals; sequence: number; attested?: Attested };

export const signalsOf = (totals: Totals): SessionData => ({
  ...measuredSignalsOf(measuredOf(totals)),
  ...(totals.returning !== undefined && { return_visitor: totals.returning }),
});
