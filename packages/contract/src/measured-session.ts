/** How totals become signals, the same on a page and on the service. docs/signals.md defines the signals. */

/** What a page has measured of one session. */
export type MeasuredTotals = {
  /** Time in view. */
  viewMs: number;
  /** The part of it with activity. */
  activeMs: number;
  /** Clicks, taps and groups of key presses. */
  interactions: number;
  /** Pages opened, including views of a single-page app. */
  pages: number;
  /** Furthest scroll position, 0 to 1; negative while nothing could be scrolled. */
  scrolled: number;
};

export type MeasuredSignals = {
  user_engagement: number;
  session_duration: number;
  scroll_depth?: number;
  interaction_count: number;
  page_views: number;
};

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

export const measuredSignalsOf = ({ viewMs, activeMs, interactions, pages, scrolled }: MeasuredTotals): MeasuredSignals => ({
  user_engagement: viewMs > 0 ? round(activeMs / viewMs, 3) : 0,
  session_duration: round(viewMs / 1_000, 1),
  ...(scrolled >= 0 && { scroll_depth: round(scrolled, 3) }),
  interaction_count: interactions,
  page_views: pages,
});
