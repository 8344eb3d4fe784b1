// Measures an app's sessions. Knows nothing of React: assay-provider.ts connects it.
import { attestSession, type Attestor, type Host } from "@assay/contract/measuring/attest-session.ts";
import { scrollShareOf, type Scrolled } from "@assay/contract/measuring/scroll-share.ts";
import { type SessionData, signalsOf } from "@assay/contract/measuring/session-totals.ts";
import { trackSession } from "@assay/contract/measuring/track-session.ts";
import { readKept, saveUnsent, saveVisits, type Storage } from "./keep-visits.ts";
import { recogniseTaps, type TouchHandlers } from "./recognise-taps.ts";
import { type PostFetch, type Report, type Reporter, sendReports, type Waiting } from "./send-reports.ts";

/** How long a caller, or a report of an app that goes to the background, waits for a newer token. */
const tokenMsMax = 2_000;
const reportMsMax = 1_000;

/** Options of the collector. Later changes of them are ignored. */
export type CollectorOptions = {
  /** URL on your own server that receives a POST when the app goes to the background. Absent: nothing is sent automatically. */
  endpoint?: string | undefined;
  /** Fields added to the body, so that your server can match the signals to its own session. Never put personal data here. */
  extra?: Record<string, string | number | boolean> | undefined;
  /** Headers of the requests to `endpoint`, such as those that sign your visitor in. Asked for with every attempt; never stored. */
  headers?: (() => Record<string, string>) | undefined;
  /** Id of your site (`site_…`), to have Assay attest the session. Absent: the app never calls Assay. */
  site?: string | undefined;
  /** Where Assay takes what attestation needs, such as `https://assay.example.com/c/v1/`. Required with `site`. */
  url?: string | undefined;
  /** Where to keep a count of sessions and unsent reports. Absent: `return_visitor` is left out. */
  storage?: Storage | undefined;
  /** The visitor objects to tracking: no count is kept, and Assay is never called. */
  visitorObjects?: boolean | undefined;
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
  /** Counts a screen that was opened. The same name as the last one is the same screen; names are neither stored nor sent. */
  screen: (name?: string) => void;
  /** Records input that is neither a touch inside an `AssayView` nor a key, such as that of a game controller. */
  act: () => void;
  /** Counts a tap, or another choice, that no `AssayView` has seen. */
  tap: () => void;
  /** Counts a key: `<TextInput onKeyPress={assay.key} />`. */
  key: () => void;
  /** Notes how far the screen's main list is scrolled. */
  scroll: (scrolled: Omit<Scrolled, "window">) => void;
};

/** What the app runs on. */
export type AppHost = Host & {
  /** Like `fetch`, for the app's own server. */
  post: PostFetch;
  /** Whether the app is in the foreground. */
  isActive: () => boolean;
  /** Calls the listener whenever that may have changed. Returns what ends it. */
  onChange: (listener: () => void) => () => void;
  /** Height of the window. */
  windowHeight: () => number;
};

/** A collector that can be started and stopped, more than once. */
export type AppCollector = Collector & { start: () => void; stop: () => void; touchHandlers: TouchHandlers };

/** Base address of attestation; undefined: there is none. */
function attestationBase({ site, url, visitorObjects }: CollectorOptions, host: AppHost): string | undefined {
  if (site === undefined || visitorObjects) return undefined;
  if (url !== undefined && /^https?:\/\/./.test(url)) return url.endsWith("/") ? url : `${url}/`;
  host.warn("Assay cannot be reached: `site` needs `url`, such as https://assay.example.com/c/v1/.");
  return undefined;
}

export function createCollector(options: CollectorOptions, host: AppHost): AppCollector {
  const { endpoint, extra, site, storage, visitorObjects = false } = options;
  const base = attestationBase(options, host);
  /** Earlier sessions on this device; undefined: not known yet, or never. */
  let visits: number | undefined;
  let didRead = false;
  /** Sessions that began before the count was read. */
  let uncounted = 0;
  let screenName: string | undefined;
  let sent = "";
  let sessionNumber = 1;
  let attestor: Attestor | undefined;
  let endListening = () => {};
  const runId = host.nowMs();

  function countVisit(): boolean | undefined {
    if (visits === undefined || !storage) {
      uncounted += 1;
      return undefined;
    }
    visits += 1;
    void saveVisits(storage, visits);
    return visits > 1;
  }

  const tracker = trackSession({
    nowMs: host.nowMs,
    // A session is one run of the app: nothing of it outlives the process.
    load: () => undefined,
    save: () => {},
    countVisit,
    onEnd() {
      if (tracker.isInView() && report()) reporter?.flush();
    },
    onBegin() {
      sessionNumber += 1;
      sent = "";
      attestor?.resume();
    },
  });

  const reporter: Reporter | undefined =
    endpoint === undefined
      ? undefined
      : sendReports({ host, endpoint, headers: options.headers ?? (() => ({})), save: (waiting) => didRead && storage && void saveUnsent(storage, waiting) });

  async function readStorage(): Promise<void> {
    if (didRead || !storage) return;
    didRead = true;
    const kept = await readKept(storage, visitorObjects);
    for (const each of kept.unsent) reporter?.put(each);
    if (kept.visits !== undefined) {
      visits = kept.visits + uncounted;
      // The first session of this run has begun meanwhile.
      if (uncounted > 0) {
        void saveVisits(storage, visits);
        tracker.session().totals.returning = visits > 1;
      }
    }
    reporter?.flush();
  }

  const read = (): SessionData => signalsOf(tracker.measure().totals);

  const tokenNow = (): string | undefined => (attestor && tracker.session().attested?.token) || undefined;

  /** Resolves when the token is up to date, or after the time. */
  async function renewToken(msMax: number): Promise<void> {
    if (!attestor) return;
    let cancel = () => {};
    await Promise.race([attestor.beat(), new Promise<void>((done) => (cancel = host.after(msMax, done)))]);
    cancel();
  }

  /** Adds the signals to what waits for being sent, if they have changed, and returns what was added. */
  function report(): Waiting | undefined {
    const signals = read();
    const serialized = JSON.stringify(signals);
    if (!reporter || serialized === sent || signals.page_views === 0) return undefined;
    sent = serialized;
    const session = tracker.session();
    session.sequence += 1;
    const added: Report = { ...extra, session_data: signals, sequence: session.sequence, session_token: tokenNow() };
    const waiting = { session: `${runId}.${sessionNumber}`, report: added };
    reporter.put(waiting);
    return waiting;
  }

  async function send(): Promise<void> {
    const waiting = report();
    const number = sessionNumber;
    await renewToken(reportMsMax);
    if (waiting && number === sessionNumber) waiting.report.session_token = tokenNow();
    reporter?.flush();
  }

  function follow(): void {
    if (host.isActive() === tracker.isInView()) return;
    if (tracker.isInView()) {
      void send();
      tracker.hide();
    } else {
      tracker.show();
      reporter?.flush();
      attestor?.retry();
      attestor?.resume();
    }
  }

  const tap = () => {
    tracker.act();
    tracker.click();
  };

  return {
    read,
    send: () => void send(),
    async token() {
      await renewToken(tokenMsMax);
      return tokenNow();
    },
    screen(name) {
      if (name !== undefined && name === screenName) return;
      screenName = name;
      tracker.view();
    },
    act: tracker.act,
    tap,
    key() {
      tracker.act();
      tracker.key();
    },
    scroll: (scrolled) => tracker.scroll(scrollShareOf({ ...scrolled, window: host.windowHeight() })),
    touchHandlers: recogniseTaps({ act: tracker.act, tap }),
    start() {
      if (base !== undefined) attestor = attestSession({ host, site: site!, base, save: () => {}, measure: tracker.measure, isInView: tracker.isInView });
      endListening();
      endListening = host.onChange(follow);
      void readStorage();
      follow();
    },
    stop() {
      endListening();
      if (tracker.isInView()) report();
      tracker.hide();
      attestor?.stop();
      reporter?.flush();
      reporter?.pause();
    },
  };
}
