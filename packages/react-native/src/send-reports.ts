// Hands reports to the app's own server, in order, and tries again while there is no connection.
import type { Host } from "@assay/contract/measuring/attest-session.ts";
import type { SessionData } from "@assay/contract/measuring/session-totals.ts";

/** A report that is not answered by then has failed. */
const answerMsMax = 10_000;
/** Waits after failures: a random part of twice the last one. */
const backOffMsMin = 2_000;
const backOffMsMax = 120_000;
/** The longest Retry-After that is respected. */
const waitMsMax = 3_600_000;
/** Reports are cumulative: one per session is enough, and nobody is offline for so many sessions. */
const reportsMax = 10;

/** What the app's server receives. */
export type Report = { session_data: SessionData; sequence: number; session_token?: string | undefined };

/** The part of the standard `fetch` that is used. */
export type PostFetch = (url: string, options: { method: "POST"; body: string; headers: Record<string, string>; signal: AbortSignal }) => Promise<{
  status: number;
  headers: { get: (name: string) => string | null };
}>;

/** A report of one session, which a newer one of the same session replaces. */
export type Waiting = { session: string; report: Report };

export type ReportOptions = {
  host: Pick<Host, "random" | "after"> & { post: PostFetch };
  endpoint: string;
  headers: () => Record<string, string>;
  /** Called with what waits whenever that changes. */
  save: (waiting: readonly Waiting[]) => void;
};

export type Reporter = {
  /** Adds a report, to be sent with the next `flush`. */
  put: (waiting: Waiting) => void;
  /** Sends what waits, now. */
  flush: () => void;
  /** Makes no further attempts until the next `flush`. */
  pause: () => void;
};

const isLater = (status: number): boolean => status === 0 || status === 408 || status === 429 || status >= 500;

export function sendReports({ host, endpoint, headers, save }: ReportOptions): Reporter {
  let waiting: Waiting[] = [];
  let underWay: Waiting | undefined;
  let failures = 0;
  let cancelNext = () => {};
  let isPaused = false;

  async function attempt(report: Report): Promise<{ status: number; retryAfterMs: number }> {
    const giveUp = new AbortController();
    const cancel = host.after(answerMsMax, () => giveUp.abort());
    try {
      const sent = { ...headers(), "content-type": "application/json" };
      const response = await host.post(endpoint, { method: "POST", body: JSON.stringify(report), headers: sent, signal: giveUp.signal });
      return { status: response.status, retryAfterMs: Number(response.headers.get("retry-after")) * 1_000 || 0 };
    } catch {
      return { status: 0, retryAfterMs: 0 };
    } finally {
      cancel();
    }
  }

  async function sendFirst(): Promise<void> {
    const first = waiting[0];
    if (underWay || !first) return;
    underWay = first;
    const { status, retryAfterMs } = await attempt(first.report);
    underWay = undefined;
    if (isLater(status)) {
      const backOffMs = Math.min(backOffMsMax, backOffMsMin * 2 ** failures) * (1 + host.random()) * 0.5;
      failures += 1;
      if (!isPaused) cancelNext = host.after(Math.min(waitMsMax, Math.max(backOffMs, retryAfterMs)), () => void sendFirst());
      return;
    }
    // Accepted, or refused for good: the same again would be refused again.
    failures = 0;
    waiting = waiting.filter((each) => each !== first);
    save(waiting);
    await sendFirst();
  }

  return {
    put(added) {
      waiting = [...waiting.filter((each) => each === underWay || each.session !== added.session), added].slice(-reportsMax);
      save(waiting);
    },
    flush() {
      isPaused = false;
      cancelNext();
      void sendFirst();
    },
    pause() {
      isPaused = true;
      cancelNext();
    },
  };
}
