// Has the service attest the session: the page or app reports what it measured, and gets a sealed token back.
import { type Attested, type Counts, countsOf, countsSince, isOver, newTotals, type StoredSession } from "./session-totals.ts";

/** A request that is not answered by then has failed. */
const answerMsMax = 10_000;
/** Waits after failures: a random part of twice the last one. */
const backOffMsMin = 2_000;
const backOffMsMax = 120_000;
/** The longest Retry-After that is respected; a time that is further ahead is a clock that was set back. */
const waitMsMax = 3_600_000;
/** The service asks for longer ones; this only keeps a wrong answer from causing a flood. */
const nextMsMin = 1_000;
/** Time alone is no reason to report earlier than due, unless it is at least this much. */
const newsMsMin = 1_000;

/** The part of the standard `fetch` that is used. */
export type FetchLike = (url: string, options: { method: "POST"; body: string; signal: AbortSignal }) => Promise<{
  status: number;
  headers: { get: (name: string) => string | null };
  json: () => Promise<unknown>;
}>;

/** What the page or app runs on. */
export type Host = {
  nowMs: () => number;
  /** 0 to 1. */
  random: () => number;
  /** Calls `work` once, after the time. Returns what cancels it. */
  after: (ms: number, work: () => void) => () => void;
  fetch: FetchLike;
  /** Tells the developer. */
  warn: (text: string) => void;
};

export type AttestOptions = {
  host: Host;
  /** The site's id. */
  site: string;
  /** Base address of `start` and `beat`, with a slash at its end. */
  base: string;
  save: (session: StoredSession) => void;
  /** The session, measured up to now; out of view, as the tab's other pages have left it. */
  measure: () => StoredSession;
  isInView: () => boolean;
};

export type Attestor = {
  /** Starts attestation, or brings its token up to date. Joins a request under way; never fails. */
  beat: () => Promise<void>;
  /** Arranges the next request. To be called when the page is shown or its session is another one. */
  resume: () => void;
  /** Ends the wait after failures. */
  retry: () => void;
  stop: () => void;
};

type Answer = { status: number; retryAfterMs: number; reply: { token?: string; next_ms?: number; error?: string } };

const noAnswer: Answer = { status: 0, retryAfterMs: 0, reply: {} };

async function request({ after, fetch }: Host, url: string, body: object): Promise<Answer> {
  const giveUp = new AbortController();
  const cancel = after(answerMsMax, () => giveUp.abort());
  try {
    // A string is sent as text/plain: such a request needs no preflight.
    const response = await fetch(url, { method: "POST", body: JSON.stringify(body), signal: giveUp.signal });
    const retryAfterMs = Number(response.headers.get("retry-after")) * 1_000 || 0;
    return { status: response.status, retryAfterMs, reply: (await response.json().catch(() => 0)) || {} };
  } catch {
    return noAnswer;
  } finally {
    cancel();
  }
}

/** Whether there is more to report than a moment in view. */
const isNews = (now: Counts, covered: Counts): boolean => {
  const { view_ms, clicks, keys, pages, scroll } = countsSince(now, covered);
  return view_ms >= newsMsMin || clicks + keys + pages > 0 || scroll !== covered.scroll;
};

export function attestSession({ host, site, base, save, measure, isInView }: AttestOptions): Attestor {
  const { nowMs } = host;
  let running: Promise<void> | undefined;
  let cancelNext = () => {};
  let isStopped = false;

  const attestedOf = (session: StoredSession): Attested =>
    (session.attested ??= { token: "", covered: countsOf(newTotals(0)), dueMs: 0, failures: 0 });

  function resume(): void {
    cancelNext();
    if (isStopped || !isInView()) return;
    const waitMs = attestedOf(measure()).dueMs - nowMs();
    cancelNext = host.after(waitMs > waitMsMax ? 0 : Math.max(0, waitMs), () => void beat());
  }

  /** What was counted so far stays out of the next token, but for the page that is open. */
  function startOver(session: StoredSession): void {
    const covered = countsOf(session.totals);
    session.attested = { token: "", covered: { ...covered, pages: Math.max(0, covered.pages - 1) }, dueMs: 0, failures: 0 };
  }

  async function ask(session: StoredSession): Promise<void> {
    const asked = attestedOf(session);
    const counts = countsOf(session.totals);
    const url = base + (asked.token ? "beat" : "start");
    const { status, retryAfterMs, reply } = await request(host, url, asked.token ? { token: asked.token, d: countsSince(counts, asked.covered) } : { site });
    const later = measure();
    const attested = attestedOf(later);
    // A new session has begun, or another page of this tab has continued this one.
    if (attested.token !== asked.token) return;
    if (status < 300 && reply.token) {
      later.attested = { token: reply.token, covered: asked.token ? counts : asked.covered, dueMs: nowMs() + Math.max(nextMsMin, reply.next_ms || 0), failures: 0 };
    } else if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
      startOver(later);
      isStopped = !asked.token || reply.error !== "session_token_expired";
      if (status === 403 || status === 404) host.warn(`Assay answered ${status} to ${url}. Check the site's id, its origins, and the address.`);
    } else {
      const backOffMs = Math.min(backOffMsMax, backOffMsMin * 2 ** attested.failures) * (1 + host.random()) * 0.5;
      attested.failures += 1;
      attested.dueMs = nowMs() + Math.min(waitMsMax, Math.max(backOffMs, retryAfterMs));
    }
    save(later);
  }

  function beat(): Promise<void> {
    if (running) return running;
    const nothing = Promise.resolve();
    if (isStopped || !isInView()) return nothing;
    const session = measure();
    const { token, covered, dueMs, failures } = attestedOf(session);
    const hasNews = isNews(countsOf(session.totals), covered);
    // Nobody is there any more: activity begins a new session.
    if (isOver(session.totals, nowMs()) && !(token && hasNews)) return nothing;
    const leftMs = dueMs - nowMs();
    if (leftMs > 0 && leftMs <= waitMsMax && (failures > 0 || !hasNews)) {
      resume();
      return nothing;
    }
    running = ask(session).then(() => {
      running = undefined;
      resume();
    });
    return running;
  }

  return {
    beat,
    resume,
    retry() {
      const session = measure();
      const attested = attestedOf(session);
      if (attested.failures === 0) return;
      attested.dueMs = 0;
      save(session);
      resume();
    },
    stop() {
      isStopped = true;
      cancelNext();
    },
  };
}
