import { countVisit, keep, type Kept, readKept } from "./memory.ts";
import { endPause, isOver, keyGroupMsMax, newTotals, passTime, type SessionData, signalsOf } from "./session-totals.ts";

export type { SessionData };

export type CollectorOptions = {
  /** An address of your own server that takes a POST when the page is hidden or left. Absent: nothing is sent by itself. */
  endpoint?: string | undefined;
  /** Sent along, so that your server knows which of its sessions this is. Never put personal data here. */
  extra?: Record<string, string | number | boolean> | undefined;
};

export type Collector = {
  /** The signals up to now, ready to be sent to your server. */
  read: () => SessionData;
  /** Sends them to `endpoint` now, unless they were sent already. */
  send: () => void;
  /** Counts a view that has no address of its own, such as a screen of a game. */
  pageView: () => void;
  /** Sends what has not been sent and takes all listeners away. */
  stop: () => void;
};

/** Less than this is a page that happens to overflow, not one to scroll through. */
const scrollPxMin = 50;
const activityNames = ["pointerdown", "pointermove", "wheel", "touchmove", "keydown"];
const modifierKeys = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

/** What makes an address a page: routers that live behind the hash count, jumps within a page do not. */
const pageOf = ({ pathname, search, hash }: Location): string => pathname + search + (/^#[!/]/.test(hash) ? hash : "");

/** How far the element is scrolled, 0 to 1; below 0 where it is not worth scrolling, or is no more than a part of the page. */
function depthOf(element: Element | null): number {
  if (!element || element.clientHeight * 2 < innerHeight) return -1;
  const range = element.scrollHeight - element.clientHeight;
  // Zoomed pages end half a pixel short of the bottom.
  return range < scrollPxMin ? -1 : Math.min(1, element.scrollTop > range - 2 ? 1 : element.scrollTop / range);
}

function post(endpoint: string, body: string): void {
  const type = "application/json";
  if (navigator.sendBeacon?.(endpoint, new Blob([body], { type }))) return;
  fetch(endpoint, { method: "POST", body, keepalive: true, headers: { "content-type": type } }).catch(() => {});
}

/** Begins to measure. Never talks to Assay: what it measures goes to your own server, which holds the key. */
export function startCollector({ endpoint, extra }: CollectorOptions = {}): Collector {
  let kept: Kept = { totals: newTotals(Date.now()), sequence: 0 };
  let isInView = false;
  /** The page that was counted last; empty: none in this session. */
  let page = "";
  let keyMs = 0;
  let sent = "";
  const ending = new AbortController();

  const passTimeNow = () => isInView && passTime(kept.totals, Date.now());

  function read(): SessionData {
    passTimeNow();
    noticePage();
    noticeDepth(document.scrollingElement);
    return signalsOf(kept.totals);
  }

  function send(): void {
    const signals = read();
    const said = JSON.stringify(signals);
    if (endpoint === undefined || said === sent || signals.page_views === 0) return;
    sent = said;
    kept.sequence += 1;
    keep(kept);
    post(endpoint, JSON.stringify({ ...extra, session_data: signals, sequence: kept.sequence }));
  }

  /** Begins anew when the session is over; what it had come to is sent first. */
  function renew(): void {
    if (!isOver(kept.totals, Date.now())) return;
    if (isInView) send();
    kept = { totals: newTotals(Date.now()), sequence: kept.sequence };
    page = "";
    if (isInView) pageView();
  }

  function act(): void {
    renew();
    passTimeNow();
    endPause(kept.totals);
  }

  function pageView(): void {
    const { totals } = kept;
    page = pageOf(location);
    if (totals.pages === 0) {
      // The first page is not yet something done: it may have been opened by nobody.
      totals.returning = countVisit();
    } else {
      act();
      // A session that began just now has counted this page.
      if (totals !== kept.totals) return;
    }
    totals.pages += 1;
    keep(kept);
  }

  function noticePage(): void {
    if (isInView && page !== pageOf(location)) pageView();
  }

  function noticeDepth(element: Element | null): void {
    kept.totals.scrolled = Math.max(kept.totals.scrolled, depthOf(element));
  }

  function show(): void {
    if (isInView || document.visibilityState === "hidden") return;
    // While this page was away, others of the same tab may have counted on.
    kept = readKept() ?? kept;
    renew();
    kept.totals.seenMs = Date.now();
    isInView = true;
    if (page === "") pageView();
  }

  function hide(): void {
    if (!isInView) return;
    send();
    passTimeNow();
    isInView = false;
    keep(kept);
  }

  const on = <Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void) =>
    addEventListener(name, listener, { capture: true, passive: true, signal: ending.signal });

  // What scripts pretend is not trusted, and browsers themselves send moves that move nothing.
  const isRealMove = (event: Event) => event.type !== "pointermove" || (event as PointerEvent).movementX !== 0 || (event as PointerEvent).movementY !== 0;
  for (const name of activityNames as "keydown"[]) {
    on(name, (event) => {
      if (!event.isTrusted || !isRealMove(event)) return;
      noticePage();
      act();
    });
  }
  on("click", (event) => {
    // A key that presses a button, and a label that presses its box, make clicks of their own: those have no pointer.
    if (event.isTrusted && event.detail > 0 && event.pointerType !== "") kept.totals.interactions += 1;
  });
  on("keydown", (event) => {
    if (!event.isTrusted || event.repeat || modifierKeys.has(event.key)) return;
    const nowMs = Date.now();
    if (Math.abs(nowMs - keyMs) > keyGroupMsMax) kept.totals.interactions += 1;
    keyMs = nowMs;
  });
  on("scroll", ({ target }) => noticeDepth(target instanceof Element ? target : document.scrollingElement));
  on("popstate", noticePage);
  on("hashchange", noticePage);
  // Where there is no `navigation`, a page that a script opened is noticed with the visitor's next move.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener(
    "currententrychange",
    (event) => {
      if ((event as Event & { navigationType?: string }).navigationType === "replace") page = pageOf(location);
      else noticePage();
    },
    { signal: ending.signal },
  );
  on("pagehide", hide);
  on("pageshow", ({ persisted }) => {
    if (!persisted) return;
    // Some browsers say before this that the page is in view, some after.
    isInView = false;
    page = "";
    show();
  });
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? hide() : show()), { signal: ending.signal });
  show();

  return {
    read,
    send,
    pageView,
    stop() {
      hide();
      ending.abort();
    },
  };
}
