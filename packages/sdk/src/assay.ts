import { AssayError } from "./assay-error.ts";
import type { CallRequest, Fetch, RawAnswer } from "./attempt-call.ts";
import { callWithRetries, type Clock, type RetryPolicy, systemClock } from "./call-with-retries.ts";
import { ReceiptKeeper } from "./keep-receipts.ts";
import type { LogTrust, VerifiedReceipt } from "./log-trust.ts";
import { makeScoringRequest, type SessionReport } from "./make-scoring-request.ts";
import { createLogReader } from "./read-log.ts";
import { readVerdict } from "./read-verdict.ts";
import { memoryReceipts, type ReceiptStore } from "./receipt-store.ts";
import { refuseBrowser } from "./refuse-browser.ts";
import type { Ad, AdRequest, Analysis, NoFillReason, Outcome, Prediction, RecordedOutcome, Session, SessionData, ShortPrediction, Statement, TestScenario, Traffic, TrafficWindow, Usage, UsageWindow } from "./types.ts";
import { verifyReceipt } from "./verify-receipt.ts";

export { AssayError, type AssayErrorFields, type ClientCode, type ServiceCode } from "./assay-error.ts";
export { ReceiptError, type ReceiptCode } from "./receipt-error.ts";
export { memoryReceipts, type ReceiptStore } from "./receipt-store.ts";
export type * from "./types.ts";
export type { LogTrust, VerifiedReceipt } from "./log-trust.ts";
export { verifyProof, type VerifiedProof } from "./verify-proof.ts";
export type { PartialSessionData, SessionReport } from "./make-scoring-request.ts";
export type { Clock, Fetch };

/** Options of the client. */
export type AssayOptions = {
  /** A live or a test key. Keep it on your server. */
  apiKey: string;
  /** Base URL of the service, for example `https://assay.example.com`. */
  baseUrl: string;
  /** Time limit of one attempt, in milliseconds. Default: 10,000. */
  timeoutMs?: number;
  /** Maximum number of attempts per call, including the first; 1 disables retries. Default: 5. */
  attemptsMax?: number;
  /** No attempt of a call starts later than this many milliseconds after the first. Default: 30,000. */
  totalMsMax?: number;
  /** Where receipts are kept, for `verifyReceipt`. Default: in memory. */
  receipts?: ReceiptStore;
  /** Keys of the ledger's log and of its witnesses, for `verifyReceipt`. */
  log?: LogTrust;
  /** Replacement for the platform's `fetch`, for tests or to go through a proxy. */
  fetch?: Fetch;
  /** Replacement for the system clock, for tests. */
  clock?: Clock;
  /** Replacement for `Math.random`, for tests: returns a number from 0 (inclusive) to 1 (exclusive). */
  random?: () => number;
};

/** Options of every call. */
export type CallOptions<Fallback = never> = {
  /** Aborts the call, including its waits; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * What to do when every attempt failed with a retryable error: throw (the default), or resolve with this value
   * instead. Errors that a retry cannot change, such as a wrong key, are always thrown.
   */
  onUnavailable?: "throw" | Fallback;
  /** Forces an answer; works with test keys only. */
  testScenario?: TestScenario | undefined;
};

/** What `onUnavailable` adds to the result type: its value, or nothing for `"throw"`. */
export type FallbackValue<Fallback> = Exclude<Fallback, "throw">;

/** Options of a billable call. */
export type BillableOptions<Fallback = never> = CallOptions<Fallback> & {
  /**
   * 1 to 255 visible ASCII characters that identify this call; all its attempts share them. Pass your own, such as an
   * order number, to make the call idempotent across restarts of your server too. Default: a new random key.
   */
  idempotencyKey?: string | undefined;
};

/** Options of `predict`, `score` and `analyze`. */
export type ScoringOptions<Fallback = never> = BillableOptions<Fallback> & {
  /**
   * Token of a session that the service has measured itself, from the collector on the page: what it attests replaces
   * what the signals say. Null and "" mean that there is none. A report has its own token; this one is used instead.
   */
  sessionToken?: string | null | undefined;
};

/** Facts about the call itself. */
export type CallMeta = {
  /** `X-Request-Id` of the answer. Quote it when you report a problem. */
  requestId: string | undefined;
  /** Receipt of the call's ledger entry, `<seq>.<hash>`; undefined if nothing was billed. */
  receipt: string | undefined;
  /** Whether this is the stored answer of an earlier call or attempt with the same idempotency key. */
  replayed: boolean;
  /** Number of attempts made, including the first. */
  attempts: number;
};

/** An answer together with facts about the call. */
export type WithMeta<Body> = Body & { meta: CallMeta };
/** Answer of `score`, with the confidence under both of its names. */
export type Score = ShortPrediction & { confidence: number };
/** An ad, or null with the reason; more reasons may be added. */
export type AdResult =
  | { ad: Ad; noFillReason: undefined; meta: CallMeta }
  | { ad: null; noFillReason: NoFillReason | (string & {}); meta: CallMeta };

type Reader<Body> = (answer: RawAnswer) => Body;

const readBody = <Body>(answer: RawAnswer): Body => answer.body as Body;

const metaOf = ({ headers }: RawAnswer, attempts: number): CallMeta => ({
  requestId: headers.get("x-request-id") ?? undefined,
  receipt: headers.get("assay-receipt") ?? undefined,
  replayed: headers.get("idempotent-replayed") === "true",
  attempts,
});

function parseBaseUrl(text: unknown): string {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "" && url.hash === "";
  if (!isUsable) throw new TypeError("baseUrl must be a URL such as https://assay.example.com");
  return url.href.replace(/\/+$/, "");
}

/** The message never contains the key: messages end up in logs. */
function parseApiKey(text: unknown): string {
  if (typeof text !== "string" || !/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new TypeError("apiKey must be a key from the dashboard: letters, digits and _, without spaces or line breaks");
  }
  return text;
}

function parseCount(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new TypeError(`${name} must be a whole number from 1 to ${max}`);
}

function parseIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new TypeError("idempotencyKey must consist of 1 to 255 visible ASCII characters");
}

/** The longest delay that setTimeout accepts. */
const msMax = 2_147_483_647;
const attemptsBound = 100;
/** Of this package; packed.all.test.ts compares it with package.json. */
const userAgent = "assay-typescript/0.1.0";

/**
 * Client of one Assay installation, for servers. Create one and share it: it has no connections of its own.
 *
 * Every method retries retryable errors with exponential back-off and full jitter, and rejects with an `AssayError`
 * when no attempt succeeds. All attempts of a billable call carry the same idempotency key, so that it is billed at
 * most once.
 *
 * @example
 * const assay = new Assay({ apiKey: process.env.ASSAY_API_KEY, baseUrl: process.env.ASSAY_URL });
 * const verdict = await assay.predict({ user_engagement: 0.75, session_duration: 180 });
 * if (verdict.trust_level === "low") showCaptcha();
 */
export class Assay {
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #policy: RetryPolicy;
  readonly #keeper: ReceiptKeeper;
  readonly #trust: LogTrust;

  /** @throws {TypeError} if an option is invalid, or in a browser or app, where visitors could read the key. */
  constructor(options: AssayOptions) {
    refuseBrowser(globalThis);
    this.#apiKey = parseApiKey(options.apiKey);
    this.#baseUrl = parseBaseUrl(options.baseUrl);
    this.#keeper = new ReceiptKeeper(options.receipts ?? memoryReceipts(), this.#apiKey);
    this.#trust = options.log ?? {};
    this.#policy = {
      fetch: options.fetch ?? ((url, init) => fetch(url, init)),
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      timeoutMs: parseCount("timeoutMs", options.timeoutMs ?? 10_000, msMax),
      attemptsMax: parseCount("attemptsMax", options.attemptsMax ?? 5, attemptsBound),
      totalMsMax: parseCount("totalMsMax", options.totalMsMax ?? 30_000, msMax),
    };
  }

  /**
   * Scores a session. Billable. Takes its signals, or the report that the collector posted to your server: with a token
   * in it the signals may be incomplete, or `{}`.
   *
   * Assay always sends the full answer; with an installation that sends the shorter shape, the fields that it lacks
   * (`session_id`, `timestamp`, `model_version`, `calibration`) are missing here as well.
   */
  predict<Fallback = never>(session: SessionData | SessionReport, options?: ScoringOptions<Fallback>): Promise<WithMeta<Prediction> | FallbackValue<Fallback>> {
    return this.#bill("/api/ml/predict", makeScoringRequest(session, options?.sessionToken), readVerdict as Reader<Prediction>, options);
  }

  /** Scores a session like `predict`, and returns the verdict in its shorter shape. Billable. */
  score<Fallback = never>(session: SessionData | SessionReport, options?: ScoringOptions<Fallback>): Promise<WithMeta<Score> | FallbackValue<Fallback>> {
    return this.#bill("/api/ml/score", makeScoringRequest(session, options?.sessionToken), readVerdict as Reader<Score>, options);
  }

  /** Scores a session like `predict`, and explains the score signal by signal. Billable. */
  analyze<Fallback = never>(session: SessionData | SessionReport, options?: ScoringOptions<Fallback>): Promise<WithMeta<Analysis> | FallbackValue<Fallback>> {
    return this.#bill("/api/ml/analyze", makeScoringRequest(session, options?.sessionToken), readVerdict as Reader<Analysis>, options);
  }

  /** Summarizes your own sessions in a time window, the last seven days by default. Billable. */
  analyzeTraffic<Fallback = never>(window: TrafficWindow = {}, options?: BillableOptions<Fallback>): Promise<WithMeta<Traffic> | FallbackValue<Fallback>> {
    return this.#bill("/api/servicescore/analyze", window, readBody<Traffic>, options);
  }

  /** Requests an ad to show. Free. If there is none, `ad` is null and `noFillReason` says why. */
  requestAd<Fallback = never>(request: AdRequest = {}, options?: CallOptions<Fallback>): Promise<AdResult | FallbackValue<Fallback>> {
    const read = (answer: RawAnswer, attempts: number): AdResult => {
      const meta = metaOf(answer, attempts);
      if (answer.status === 200) return { ad: answer.body as Ad, noFillReason: undefined, meta };
      return { ad: null, noFillReason: answer.headers.get("assay-no-fill") ?? "unknown", meta };
    };
    return this.#send(this.#post("/api/ads/request", request), read, options);
  }

  /** Reads a scored session. Free. */
  session<Fallback = never>(sessionId: string, options?: CallOptions<Fallback>): Promise<WithMeta<Session> | FallbackValue<Fallback>> {
    const request = this.#request("GET", `/api/sessions/${encodeURIComponent(sessionId)}`, undefined);
    return this.#send(request, withMeta(readVerdict as Reader<Session>), options);
  }

  /** Reports how a scored session ended; the last report counts. Free. */
  reportOutcome<Fallback = never>(sessionId: string, outcome: Outcome, options?: CallOptions<Fallback>): Promise<WithMeta<RecordedOutcome> | FallbackValue<Fallback>> {
    const request = this.#post(`/api/sessions/${encodeURIComponent(sessionId)}/outcome`, { outcome });
    return this.#send(request, withMeta(readBody<RecordedOutcome>), options);
  }

  /** Reads how many live calls you made and what they earned, in the last 30 days by default. Free. */
  usage<Fallback = never>(window: UsageWindow = {}, options?: CallOptions<Fallback>): Promise<WithMeta<Usage> | FallbackValue<Fallback>> {
    const query = (["from", "to"] as const).flatMap((name) => window[name] === undefined ? [] : [`${name}=${encodeURIComponent(window[name])}`]).join("&");
    return this.#send(this.#request("GET", query === "" ? "/api/usage" : `/api/usage?${query}`, undefined), withMeta(readBody<Usage>), options);
  }

  /** Reads the statement of a month, such as `2026-01`, in UTC. Free. */
  statement<Fallback = never>(month: string, options?: CallOptions<Fallback>): Promise<WithMeta<Statement> | FallbackValue<Fallback>> {
    return this.#send(this.#request("GET", `/api/statements/${encodeURIComponent(month)}`, undefined), withMeta(readBody<Statement>), options);
  }

  /**
   * Fetches the proof that your ledger entry with this number is in the log: a file (C2SP tlog-proof) that `verifyProof`
   * checks without the service. Free. Entries are logged within a minute; until then it is a 404.
   */
  async proof(seq: number, options?: Pick<CallOptions, "signal">): Promise<WithMeta<{ proof: string }>> {
    return this.#send(this.#textRequest(`/api/ledger/proof?seq=${seq}`), withMeta((answer) => ({ proof: answer.body as string })), options);
  }

  /**
   * Checks that the ledger still says what it said when you got the receipt, by default the newest one that is kept: that
   * its entry is in the log, that the log's key has signed that, who has witnessed it, and that the log continues the one
   * that was seen the last time. Free.
   *
   * @throws {ReceiptError} if the service contradicts a receipt or a checkpoint that is kept, or nothing can be said yet.
   */
  verifyReceipt(receipt?: string, options: Pick<CallOptions, "signal"> = {}): Promise<VerifiedReceipt> {
    const reader = createLogReader((path, answers) => {
      return this.#send(answers === "json" ? this.#request("GET", path, undefined) : this.#textRequest(path), readBody<unknown>, options);
    });
    return verifyReceipt(receipt, this.#keeper, reader, this.#trust);
  }

  /** The newest receipt that is kept, once it is written; undefined if there is none. Throws what the store threw. */
  async newestReceipt(): Promise<string | undefined> {
    return (await this.#keeper.load()).receipt;
  }

  #request(method: CallRequest["method"], path: string, body: string | undefined): CallRequest {
    const headers: Record<string, string> = { accept: "application/json", "user-agent": userAgent, "x-api-key": this.#apiKey };
    if (body !== undefined) headers["content-type"] = "application/json";
    return { url: this.#baseUrl + path, method, headers, body };
  }

  #textRequest(path: string): CallRequest {
    const request = this.#request("GET", path, undefined);
    return { ...request, headers: { ...request.headers, accept: "text/plain" }, answers: "text" };
  }

  #post(path: string, body: unknown): CallRequest {
    return this.#request("POST", path, JSON.stringify(body));
  }

  async #bill<Body, Fallback>(path: string, body: unknown, read: Reader<Body>, options: BillableOptions<Fallback> = {}): Promise<WithMeta<Body> | FallbackValue<Fallback>> {
    const request = this.#post(path, body);
    request.headers["idempotency-key"] = parseIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
    const readAndKeep = (answer: RawAnswer, attempts: number): WithMeta<Body> => {
      const result = withMeta(read)(answer, attempts);
      this.#keeper.note(result.meta.receipt);
      return result;
    };
    return this.#send(request, readAndKeep, options);
  }

  async #send<Result, Fallback>(
    request: CallRequest,
    read: (answer: RawAnswer, attempts: number) => Result,
    { signal, onUnavailable, testScenario }: CallOptions<Fallback> = {},
  ): Promise<Result | FallbackValue<Fallback>> {
    if (testScenario !== undefined) request.headers["assay-test-scenario"] = testScenario;
    try {
      return await callWithRetries(request, read, { ...this.#policy, signal });
    } catch (error) {
      const isUnavailable = error instanceof AssayError && error.isRetryable;
      if (!isUnavailable || onUnavailable === undefined || onUnavailable === "throw") throw error;
      return onUnavailable as FallbackValue<Fallback>;
    }
  }
}

const withMeta =
  <Body>(read: Reader<Body>) =>
  (answer: RawAnswer, attempts: number): WithMeta<Body> => ({ ...read(answer), meta: metaOf(answer, attempts) });
