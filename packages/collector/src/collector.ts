import { attestSession, type Attestor, type Host } from "@assay/contract/measuring/attest-session.ts";
import { scrollShareOf } from "@assay/contract/measuring/scroll-share.ts";
import { type SessionData, signalsOf, type StoredSession } from "@assay/contract/measuring/session-totals.ts";
import { trackSession } from "@assay/contract/measuring/track-session.ts";
import { asksForPrivacy, countVisit, loadSession, saveSession } from "./session-storage.ts";

export type { SessionData };

/** Options of `startCollector`. */
export type CollectorOptions = {
  /** URL on your own server that receives a POST when the page is hidden or left. Absent: nothing is sent automatically. */
  endpoint?: string | undefined;
  /** Fields added to the body, so that your server can match the signals to its own session. Never put personal data here. */
  extra?: Record<string, string | number | boolean> | undefined;
  /** Id of your site (`site_…`), to have Assay attest the session. Absent: the page never calls Assay. */
  site?: string | undefined;
  /** Where Assay takes what attestation needs, such as `https://assay.example.com/c/v1/`. Default: `/c/v1/` of the page's own origin. */
  url?: string | undefined;
};

/** A running measurement. */
export type Collector = {
  /** Returns the signals so far, ready to be sent to your server. */
  read: () => SessionData;
  /** Sends the signals to `endpoint`, unless they have not changed since they were last sent. With `site`, a new token comes first. */
  send: () => void;
  /**
   * Brings the token of the attested session up to date and returns it, for a request of your own; waits 2 seconds at most.
   * Undefined without `site`, before Assay's first answer, and if the visitor objects.
   */
  token: () => Promise<string | undefined>;
  /** Counts a view that has no URL of its own, such as a screen of a game. */
  pageView: () => void;
  /** Sends the signals if they have changed, and removes all listeners. */
  stop: () => void;
};

const activityNames = ["pointerdown", "pointermove", "wheel", "touchmove", "keydown"];
/** How long a caller, or a report of a page that was hidden, waits for a newer token. */
const tokenMsMax = 2_000;
const reportMsMax = 1_000;
const modifierKeys = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

/** The part of the URL that identifies a page. Hash routes count, anchors within a page do not. */
const pageOf = ({ pathname, search, hash }: Location): string => pathname + search + (/^#[!/]/.test(hash) ? hash : "");

/** Scroll position of the element, 0 to 1; negative if there is none. */
const depthOf = (element: Element | null): number =>
  element ? scrollShareOf({ offset: element.scrollTop, visible: element.clientHeight, content: element.scrollHeight, window: innerHeight }) : -1;

const host: Host = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
  fetch: (url, options) => fetch(url, { ...options, keepalive: true, credentials: "omit", referrerPolicy: "no-referrer" }),
  // oxlint-disable-next-line no-console -- it is where the developer of a page looks
  warn: (text) => console.warn(text),
};

function post(endpoint: string, body: string): void {
  const type = "application/json";
  if (navigator.sendBeacon?.(endpoint, new Blob([body], { type }))) return;
  fetch(endpoint, { method: "POST", body, keepalive: true, headers: { "content-type": type } }).catch(() => {});
}

/** Base address of attestation; undefined: there is none. */
function attestationUrl({ site, url = "/c/v1/" }: CollectorOptions): string | undefined {
  if (site === undefined || asksForPrivacy()) return undefined;
  try {
    return new URL(".", new URL(/(\/|\.js)$/.test(url) ? url : `${url}/`, document.baseURI)).href;
  } catch {
    host.warn(`Assay cannot be reached: ${url} is not a URL.`);
    return undefined;
  }
}

/**
 * Starts measuring the current page. The signals go to your own server, which holds the API key. Only with `site` does the
 * page also call Assay.
 */
export function startCollector(options: CollectorOptions = {}): Collector {
  const { endpoint, extra, site } = options;
  /** The page counted last; empty: none. */
  let page = "";
  let sent = "";
  /** Reports that wait for a newer token, in order. */
  let waiting: { session_data: SessionData; sequence: number }[] = [];
  const stopping = new AbortController();

  const tracker = trackSession({
    nowMs: host.nowMs,
    // While this page was hidden, other pages of the same tab may have updated the session.
    load: loadSession,
    save: saveSession,
    countVisit,
    onEnd: () => isInView() && send(true),
    onBegin() {
      // The new session begins with the page that is open.
      if (page !== "") page = pageOf(location);
      sent = "";
      attestor?.resume();
    },
  });
  const { isInView } = tracker;

  function measure(): StoredSession {
    tracker.measure();
    noticePage();
    noticeDepth(document.scrollingElement);
    return tracker.session();
  }

  const base = attestationUrl(options);
  const attestor: Attestor | undefined = base === undefined ? undefined : attestSession({ host, site: site!, base, save: saveSession, measure, isInView });

  const read = (): SessionData => signalsOf(measure().totals);

  const tokenNow = (): string | undefined => (attestor && tracker.session().attested?.token) || undefined;

  /** Resolves when the token is up to date, or after the time. */
  const renewToken = (msMax: number): Promise<unknown> => Promise.race([attestor?.beat(), new Promise((done) => setTimeout(done, msMax))]);

  function sendWaiting(): void {
    const reports = waiting;
    waiting = [];
    const session_token = tokenNow();
    for (const report of reports) post(endpoint!, JSON.stringify({ ...extra, ...report, session_token }));
  }

  function send(isLast?: boolean): void {
    const signals = read();
    const serialized = JSON.stringify(signals);
    if (endpoint !== undefined && serialized !== sent && signals.page_views > 0) {
      sent = serialized;
      const session = tracker.session();
      session.sequence += 1;
      saveSession(session);
      waiting.push({ session_data: signals, sequence: session.sequence });
    }
    if (isLast || !attestor) sendWaiting();
    else void renewToken(reportMsMax).then(sendWaiting);
  }

  function pageView(): void {
    page = pageOf(location);
    tracker.view();
  }

  function noticePage(): void {
    if (isInView() && page !== pageOf(location)) pageView();
  }

  const noticeDepth = (element: Element | null): void => tracker.scroll(depthOf(element));

  function show(): void {
    if (document.visibilityState === "hidden") return;
    sendWaiting();
    tracker.show();
    if (page === "") pageView();
    attestor?.resume();
  }

  /** `isLast`: the page may not live to see an answer. */
  function hide(isLast?: boolean): void {
    if (isInView()) {
      send(isLast);
      tracker.hide();
    }
    if (isLast) sendWaiting();
  }

  const on = <Name extends keyof WindowEventMap>(name: Name, listener: (event: WindowEventMap[Name]) => void) =>
    addEventListener(name, listener, { capture: true, passive: true, signal: stopping.signal });

  // Synthetic events are not trusted, and browsers also send pointer moves that do not move.
  const isRealMove = (event: Event) => event.type !== "pointermove" || (event as PointerEvent).movementX !== 0 || (event as PointerEvent).movementY !== 0;
  for (const name of activityNames as "keydown"[]) {
    on(name, (event) => {
      if (!event.isTrusted || !isRealMove(event)) return;
      noticePage();
      tracker.act();
    });
  }
  on("click", (event) => {
    // A key on a button and a label of a checkbox cause clicks of their own, which have no pointer.
    if (event.isTrusted && event.detail > 0 && event.pointerType !== "") tracker.click();
  });
  on("keydown", (event) => {
    if (event.isTrusted && !event.repeat && !modifierKeys.has(event.key)) tracker.key();
  });
  on("scroll", ({ target }) => noticeDepth(target instanceof Element ? target : document.scrollingElement));
  on("popstate", noticePage);
  on("hashchange", noticePage);
  // Without `navigation`, a page opened by a script is noticed with the visitor's next activity.
  (globalThis as { navigation?: EventTarget }).navigation?.addEventListener(
    "currententrychange",
    (event) => {
      if ((event as Event & { navigationType?: string }).navigationType === "replace") page = pageOf(location);
      else noticePage();
    },
    { signal: stopping.signal },
  );
  on("pagehide", ({ persisted }) => {
    // A page that may come back can use the answer; for one that is gone it would be lost.
    if (persisted) void attestor?.beat();
    hide(true);
  });
  on("pageshow", ({ persisted }) => {
    if (!persisted) return;
    // Some browsers report the page as visible before this, some after.
    page = "";
    show();
  });
  // A connection that is back is worth a request at once.
  on("online", () => attestor?.retry());
  document.addEventListener("visibilitychange", () => (document.visibilityState === "hidden" ? hide() : show()), { signal: stopping.signal });
  document.addEventListener("freeze", sendWaiting, { signal: stopping.signal });
  show();

  return {
    read,
    send: () => send(),
    async token() {
      if (attestor) await renewToken(tokenMsMax);
      return tokenNow();
    },
    pageView,
    stop() {
      hide(true);
      attestor?.stop();
      stopping.abort();
    },
  };
}
