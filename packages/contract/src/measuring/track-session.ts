// One visitor's sessions, one after the other: what input, views and time in view do to the totals.
import { endPause, isOver, keyGroupMsMax, newTotals, passTime, type StoredSession } from "./session-totals.ts";

export type TrackOptions = {
  nowMs: () => number;
  /** The session as others have left it, such as the tab's other pages; undefined: nobody has. */
  load: () => StoredSession | undefined;
  save: (session: StoredSession) => void;
  /** Counts a session, and says whether there was an earlier one on this device. Undefined: unknown, or the visitor objects. */
  countVisit: () => boolean | undefined;
  /** The session is over and will be replaced. */
  onEnd: () => void;
  /** A new one has replaced it. */
  onBegin: () => void;
};

export type Tracker = {
  /** The session, measured up to now. */
  measure: () => StoredSession;
  /** The session as it was measured last. */
  session: () => StoredSession;
  isInView: () => boolean;
  show: () => void;
  hide: () => void;
  /** Records input by the visitor. The first after the end of a session begins another. */
  act: () => void;
  /** Counts a click or tap. Input comes before it: call `act` too. */
  click: () => void;
  /** Counts a key, unless it belongs to the group of the one before. Input comes before it: call `act` too. */
  key: () => void;
  /** Notes a scroll position, 0 to 1; negative: nothing to scroll. */
  scroll: (share: number) => void;
  /** Counts a page or screen that was opened. */
  view: () => void;
};

export function trackSession({ nowMs, load, save, countVisit, onEnd, onBegin }: TrackOptions): Tracker {
  let session: StoredSession = { totals: newTotals(nowMs()), sequence: 0 };
  let isInView = false;
  /** Whether there is a page or screen that a new session begins with. */
  let hasView = false;
  let keyMs = 0;

  const passTimeNow = () => isInView && passTime(session.totals, nowMs());

  /** Starts a new session when the current one is over. */
  function renew(): void {
    if (!isOver(session.totals, nowMs())) return;
    onEnd();
    session = { totals: newTotals(nowMs()), sequence: session.sequence };
    if (isInView && hasView) view();
    onBegin();
  }

  function act(): void {
    // First: a pause that somebody has looked at in between is as long as one that nobody has.
    passTimeNow();
    renew();
    endPause(session.totals);
  }

  function view(): void {
    const { totals } = session;
    hasView = true;
    if (totals.pages === 0) {
      // The first page is not activity: it may have opened without any action of the visitor.
      totals.returning = countVisit();
    } else {
      act();
      // If that started a new session, it has counted this page already.
      if (totals !== session.totals) return;
    }
    totals.pages += 1;
    save(session);
  }

  return {
    measure() {
      if (!isInView) session = load() ?? session;
      passTimeNow();
      return session;
    },
    session: () => session,
    isInView: () => isInView,
    show() {
      if (isInView) return;
      session = load() ?? session;
      renew();
      session.totals.seenMs = nowMs();
      isInView = true;
      if (hasView && session.totals.pages === 0) view();
    },
    hide() {
      if (!isInView) return;
      passTimeNow();
      isInView = false;
      save(session);
    },
    act,
    click() {
      session.totals.clicks += 1;
    },
    key() {
      const atMs = nowMs();
      if (Math.abs(atMs - keyMs) > keyGroupMsMax) session.totals.keys += 1;
      keyMs = atMs;
    },
    scroll(share) {
      session.totals.scrolled = Math.max(session.totals.scrolled, share);
    },
    view,
  };
}
