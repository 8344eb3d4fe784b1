/** What can be scrolled, along the axis that it scrolls. All in the same unit. */
export type Scrolled = {
  /** How far it is scrolled. */
  offset: number;
  /** Size of the part that is visible. */
  visible: number;
  /** Size of the whole content. */
  content: number;
  /** Size of the window or the screen. */
  window: number;
};

/** What has a shorter scroll range merely overflows and does not count as scrollable. */
const rangeMin = 50;
/** Zoomed pages stop a fraction of a pixel short of the end. */
const endTolerance = 2;

/** Scroll position, 0 to 1; negative if it is not scrollable or smaller than half the window. */
export function scrollShareOf({ offset, visible, content, window }: Scrolled): number {
  const range = content - visible;
  if (visible * 2 < window || range < rangeMin) return -1;
  return offset > range - endTolerance ? 1 : Math.max(0, offset / range);
}
