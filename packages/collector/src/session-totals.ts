// What is counted of one session, and how: no clock, no page, no storage. docs/signals.md says the same in words.

/** A pause counts as active time up to this long; the model's training data was measured the same way. */
export const activePauseMsMax = 30_000;
/** A pause of this length ends the session. */
export const sessionPauseMsMax = 30 * 60_000;
/** Keys that follow each other within this time are one interaction: a word typed, not its letters. */
export const keyGroupMsMax = 1_000;

export type SessionData = {
  user_engagement: number;
  session_duration: number;
  scroll_depth?: number;
  interaction_count: number;
  page_views: number;
  return_visitor?: boolean;
};

export type Totals = {
  /** The last moment in view that was accounted for. */
  seenMs: number;
  /** Time in view. */
  inViewMs: number;
  /** The part of it that lies in pauses that have ended. */
  activeMs: number;
  /** Time in view since the visitor last did something. */
  pauseMs: number;
  didAnything: boolean;
  interactions: number;
  pages: number;
  /** Furthest point, 0 to 1; below 0 while there was nothing to scroll. */
  scrolled: number;
  /** Undefined: not known, or not to be known. */
  returning: boolean | undefined;
};

export const newTotals = (nowMs: number): Totals => ({
  seenMs: nowMs,
  inViewMs: 0,
  activeMs: 0,
  pauseMs: 0,
  didAnything: false,
  interactions: 0,
  pages: 0,
  scrolled: -1,
  returning: undefined,
});

/** Time passes in view. A clock that is set back takes nothing away, and an endless pause adds no more. */
export function passTime(totals: Totals, nowMs: number): void {
  const passedMs = Math.min(Math.max(0, nowMs - totals.seenMs), sessionPauseMsMax - totals.pauseMs);
  totals.inViewMs += passedMs;
  totals.pauseMs += passedMs;
  totals.seenMs = nowMs;
}

/** Whether the session is over for a visitor who comes back, or does something again, only now. */
export const isOver = (totals: Totals, nowMs: number): boolean =>
  totals.pauseMs >= sessionPauseMsMax || nowMs - totals.seenMs >= sessionPauseMsMax;

const activeMsOf = (totals: Totals): number => totals.activeMs + Math.min(totals.pauseMs, activePauseMsMax);

/** The visitor did something: a pause ends. */
export function endPause(totals: Totals): void {
  totals.activeMs = activeMsOf(totals);
  totals.pauseMs = 0;
  totals.didAnything = true;
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

export function signalsOf(totals: Totals): SessionData {
  const { inViewMs, didAnything, interactions, pages, scrolled, returning } = totals;
  return {
    user_engagement: didAnything && inViewMs > 0 ? round(activeMsOf(totals) / inViewMs, 3) : 0,
    session_duration: round(inViewMs / 1_000, 1),
    ...(scrolled >= 0 && { scroll_depth: round(scrolled, 3) }),
    interaction_count: interactions,
    page_views: pages,
    ...(returning !== undefined && { return_visitor: returning }),
  };
}
