import { AssayError } from "./assay-error.ts";
import type { CallRequest, Fetch, RawAnswer } from "./attempt-call.ts";
import { callWithRetries, type Clock, type RetryPolicy, systemClock } from "./call-with-retries.ts";
import { readVerdict } from "./read-verdict.ts";
import { refuseBrowser } from "./refuse-browser.ts";
import type { Ad, AdRequest, Analysis, NoFillReason, Outcome, Prediction, RecordedOutcome, Session, SessionData, ShortPrediction, TestScenario, Traffic, TrafficWindow } from "./types.ts";

export { AssayError, type AssayErrorFields, type ClientCode, type ServiceCode } from "./assay-error.ts";
export type * from "./types.ts";
export type { Clock, Fetch };

export type AssayOptions = {
  /** A live or a test key. Keep it on your server. */
  apiKey: string;
  /** Where the service is, for example `https://assay.example.com`. */
  baseUrl: string;
  /** How long one attempt may take. Default: 10,000. */
  timeoutMs?: number;
  /** How often a call is tried at most; 1 means that nothing is tried again. Default: 5. */
  attemptsMax?: number;
  /** How long a call may take with all its attempts and waits: no attempt begins after that. Default: 30,000. */
  totalMsMax?: number;
  /** For tests, or to go through a proxy. Default: the platform's `fetch`. */
  fetch?: Fetch;
  /** For tests. */
  clock?: Clock;
  /** For tests: a number from 0 up to, but never, 1. */
  random?: () => number;
};

export type CallOptions<Fallback = never> = {
  /** Ends the call, its waits included; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * What to do when the service cannot be reached in time: throw (the default), or give this value instead. A refusal that a
   * retry cannot change, such as a wrong key, is always thrown.
   */
  onUnavailable?: "throw" | Fallback;
  /** Forces an answer; with test keys only. */
  testScenario?: TestScenario | undefined;
};

/** What `onUnavailable` adds to a result: its value, or nothing where it says to throw. */
export type Instead<Fallback> = Exclude<Fallback, "throw">;

export type BillableOptions<Fallback = never> = CallOptions<Fallback> & {
  /** 1 to 255 characters that stand for this call. Default: a new random one. All attempts of a call share it. */
  idempotencyKey?: string | undefined;
};

/** About the call rather than about the session. */
export type CallMeta = {
  requestId: string | undefined;
  /** The call's place in the ledger, `<seq>.<hash>`; undefined where nothing was billed. */
  receipt: string | undefined;
  /** Whether an earlier attempt had been billed and this is its answer. */
  replayed: boolean;
  attempts: number;
};

export type WithMeta<Body> = Body & { meta: CallMeta };
/** The abbreviated shape, with the confidence under both of its names. */
export type Score = ShortPrediction & { confidence: number };
/** An ad, or null and why there is none; further reasons may come. */
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
  if (!isUsable) throw new TypeError("baseUrl must be an address such as https://assay.example.com");
  return url.href.replace(/\/+$/, "");
}

/** Never repeats the key: messages end up in logs. */
function parseApiKey(text: unknown): string {
  if (typeof text !== "string" || !/^[\x21-\x7e]{1,255}$/.test(text)) {
    throw new TypeError("apiKey must be a key from the dashboard: letters, digits and _, without spaces or line ends");
  }
  return text;
}

function parseCount(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new TypeError(`${name} must be a whole number from 1 to ${max}`);
}

function parseIdempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
  throw new TypeError("idempotencyKey must have 1 to 255 visible ASCII characters");
}

/** setTimeout's own bound. */
const msMax = 2_147_483_647;
const attemptsBound = 100;

/** A client of one Assay installation, for servers. Make one and share it: it holds no connection of its own. */
export class Assay {
  readonly #apiKey: string;
  readonly #baseUrl: string;
  readonly #policy: RetryPolicy;

  constructor(options: AssayOptions) {
    refuseBrowser(globalThis);
    this.#apiKey = parseApiKey(options.apiKey);
    this.#baseUrl = parseBaseUrl(options.baseUrl);
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
   * Scores a session. Billable. Assay always gives the whole answer; of an installation that gives the abbreviated one, the
   * fields that it leaves out (`session_id`, `timestamp`, `model_version`) are missing here, too.
   */
  predict<Fallback = never>(sessionData: SessionData, options?: BillableOptions<Fallback>): Promise<WithMeta<Prediction> | Instead<Fallback>> {
    return this.#bill("/api/ml/predict", { session_data: sessionData }, readVerdict as Reader<Prediction>, options);
  }

  /** Scores a session, with the abbreviated answer. Billable. */
  score<Fallback = never>(sessionData: SessionData, options?: BillableOptions<Fallback>): Promise<WithMeta<Score> | Instead<Fallback>> {
    return this.#bill("/api/ml/score", { session_data: sessionData }, readVerdict as Reader<Score>, options);
  }

  /** Scores a session and explains the score, signal by signal. Billable. */
  analyze<Fallback = never>(sessionData: SessionData, options?: BillableOptions<Fallback>): Promise<WithMeta<Analysis> | Instead<Fallback>> {
    return this.#bill("/api/ml/analyze", { session_data: sessionData }, readVerdict as Reader<Analysis>, options);
  }

  /** Sums up your own sessions over a span of time, the last seven days by default. Billable. */
  analyzeTraffic<Fallback = never>(window: TrafficWindow = {}, options?: BillableOptions<Fallback>): Promise<WithMeta<Traffic> | Instead<Fallback>> {
    return this.#bill("/api/servicescore/analyze", window, readBody<Traffic>, options);
  }

  /** Asks for an ad to show. Free; `ad` is null when there is none, and `noFillReason` says why. */
  requestAd<Fallback = never>(request: AdRequest = {}, options?: CallOptions<Fallback>): Promise<AdResult | Instead<Fallback>> {
    const read = (answer: RawAnswer, attempts: number): AdResult => {
      const meta = metaOf(answer, attempts);
      if (answer.status === 200) return { ad: answer.body as Ad, noFillReason: undefined, meta };
      return { ad: null, noFillReason: answer.headers.get("assay-no-fill") ?? "unknown", meta };
    };
    return this.#send(this.#post("/api/ads/request", request), read, options);
  }

  /** Reads a judged session again. Free. */
  session<Fallback = never>(sessionId: string, options?: CallOptions<Fallback>): Promise<WithMeta<Session> | Instead<Fallback>> {
    const request = this.#request("GET", `/api/sessions/${encodeURIComponent(sessionId)}`, undefined);
    return this.#send(request, withMeta(readVerdict as Reader<Session>), options);
  }

  /** Tells how a judged session ended; the last report counts. Free. */
  reportOutcome<Fallback = never>(sessionId: string, outcome: Outcome, options?: CallOptions<Fallback>): Promise<WithMeta<RecordedOutcome> | Instead<Fallback>> {
    const request = this.#post(`/api/sessions/${encodeURIComponent(sessionId)}/outcome`, { outcome });
    return this.#send(request, withMeta(readBody<RecordedOutcome>), options);
  }

  #request(method: CallRequest["method"], path: string, body: string | undefined): CallRequest {
    const headers: Record<string, string> = { accept: "application/json", "x-api-key": this.#apiKey };
    if (body !== undefined) headers["content-type"] = "application/json";
    return { url: this.#baseUrl + path, method, headers, body };
  }

  #post(path: string, body: unknown): CallRequest {
    return this.#request("POST", path, JSON.stringify(body));
  }

  async #bill<Body, Fallback>(path: string, body: unknown, read: Reader<Body>, options: BillableOptions<Fallback> = {}): Promise<WithMeta<Body> | Instead<Fallback>> {
    const request = this.#post(path, body);
    request.headers["idempotency-key"] = parseIdempotencyKey(options.idempotencyKey ?? crypto.randomUUID());
    return this.#send(request, withMeta(read), options);
  }

  async #send<Result, Fallback>(
    request: CallRequest,
    read: (answer: RawAnswer, attempts: number) => Result,
    { signal, onUnavailable, testScenario }: CallOptions<Fallback> = {},
  ): Promise<Result | Instead<Fallback>> {
    if (testScenario !== undefined) request.headers["assay-test-scenario"] = testScenario;
    try {
      return await callWithRetries(request, read, { ...this.#policy, signal });
    } catch (error) {
      const isUnavailable = error instanceof AssayError && error.isRetryable;
      if (!isUnavailable || onUnavailable === undefined || onUnavailable === "throw") throw error;
      return onUnavailable as Instead<Fallback>;
    }
  }
}

const withMeta =
  <Body>(read: Reader<Body>) =>
  (answer: RawAnswer, attempts: number): WithMeta<Body> => ({ ...read(answer), meta: metaOf(answer, attempts) });
