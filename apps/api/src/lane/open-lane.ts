/**
 * The express lane: ordinary calls of the endpoints that are called most are answered straight on Node's server, because
 * hooks, reply objects and promises cost more than the work itself. Everything else goes to its route, untouched, and the
 * lane has no refusals of its own for what a caller sends: a body that is not plainly valid is handed back.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Authenticator } from "../access/keys/authenticate-key.ts";
import type { AdOutcome, createAdRequests } from "../ads/serving/request-ad.ts";
import type { createOrder } from "../http/begin-in-order.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import { noteRequest } from "../http/server-limits.ts";
import { type BilledAnswer, hasValidKey } from "../money/ledger/answer-once.ts";
import type { AnswerSession, SessionAnswers } from "../scoring/answer-sessions.ts";
import type { Waiter } from "../store/waiter.ts";
import { type BeatContext, type Handler, openBeatLane } from "./beat-lane.ts";
import { readAdRequest, readSession } from "./read-bodies.ts";
import { type CallTools, flatten, jsonType, TakenCall } from "./taken-call.ts";

/** Larger than any body with the documented fields and nothing else. */
const bodyBytesMax = 4_096;

export type LaneContext = CallTools & {
  headers: SecurityHeaders;
  authenticator: Authenticator;
  sessions: SessionAnswers;
  requestAd: ReturnType<typeof createAdRequests>;
  /** False while the service starts, drains, holds requests back or lags. */
  isOrdinary: () => boolean;
  countLaneCall: () => void;
  /** What beats need in addition. */
  beats: BeatContext;
  inOrder: ReturnType<typeof createOrder>;
};

type About = ConstructorParameters<typeof TakenCall>[1];

/** Reads a body and returns the call to start, or undefined if the route is to have it. */
type Endpoint = (text: string, headers: IncomingHttpHeaders, about: About) => TakenCall | undefined;

class SessionLaneCall extends TakenCall implements Waiter<BilledAnswer> {
  readonly scenario = undefined;
  readonly #answerSession: AnswerSession;
  readonly signals;
  readonly sessionToken;
  readonly idempotencyKey;

  constructor(tools: CallTools, about: About, asked: { answer: AnswerSession; session: NonNullable<ReturnType<typeof readSession>>; idempotencyKey: string | undefined }) {
    super(tools, about);
    this.#answerSession = asked.answer;
    this.signals = asked.session.session_data;
    this.sessionToken = asked.session.session_token;
    this.idempotencyKey = asked.idempotencyKey;
  }

  protected override run(): void {
    this.#answerSession(this, this);
  }

  settle({ body, receipt, replayed }: BilledAnswer): void {
    const headers = receipt === undefined ? [] : ["assay-receipt", receipt];
    if (replayed) headers.push("idempotent-replayed", "true");
    headers.push("content-type", jsonType);
    this.answer(200, headers, body);
  }
}

class AdLaneCall extends TakenCall implements Waiter<AdOutcome> {
  readonly #requestAd;
  readonly #asked;

  constructor(tools: CallTools, about: About, asked: { requestAd: LaneContext["requestAd"]; body: NonNullable<ReturnType<typeof readAdRequest>> }) {
    super(tools, about);
    this.#requestAd = asked.requestAd;
    this.#asked = asked.body;
  }

  protected override run(): void {
    this.#requestAd(this.caller, this.#asked, this);
  }

  settle(outcome: AdOutcome): void {
    if (outcome.kind === "ad") this.answer(200, ["content-type", jsonType], outcome.body, outcome.bytes);
    else this.answer(204, ["assay-no-fill", outcome.reason], undefined);
  }
}

const jsonTypes: ReadonlySet<string | undefined> = new Set(["application/json", jsonType]);

/** False if there is none, which is not a number. */
const isBodyLength = (bytes: number): boolean => bytes >= 1 && bytes <= bodyBytesMax;

/** What changes nothing but the key and the length. Node joins headers that are present twice, which no valid one survives. */
function hasOrdinaryHead({ httpVersionMajor, httpVersionMinor, headers }: IncomingMessage): boolean {
  return (
    httpVersionMajor === 1 &&
    httpVersionMinor === 1 &&
    headers.host !== undefined &&
    !headers.host.includes(",") &&
    jsonTypes.has(headers["content-type"]) &&
    isBodyLength(Number(headers["content-length"])) &&
    headers["transfer-encoding"] === undefined &&
    headers.expect === undefined &&
    headers.origin === undefined &&
    headers["assay-test-scenario"] === undefined
  );
}

/** The handler of Node's `request` event: the lane where it can, otherwise `route`. */
export function openLane(context: LaneContext, route: Handler): Handler {
  const { authenticator, sessions, requestAd, isOrdinary, countLaneCall } = context;
  const headers = flatten(context.headers);
  // Pages do not send ahead; whoever does must not have many beats wait.
  const takeBeat = context.inOrder(openBeatLane({ ...context, ...context.beats, headers }, route));

  const sessionEndpoint =
    (answer: AnswerSession): Endpoint =>
    (text, { "idempotency-key": idempotencyKey }, about) => {
      if (!hasValidKey(idempotencyKey)) return undefined;
      const session = readSession(text);
      return session && new SessionLaneCall(context, about, { answer, session, idempotencyKey });
    };

  const adEndpoint: Endpoint = (text, _headers, about) => {
    const body = readAdRequest(text);
    return body && new AdLaneCall(context, about, { requestAd, body });
  };

  const endpoints: ReadonlyMap<string | undefined, Endpoint> = new Map([
    ["/api/ml/predict", sessionEndpoint(sessions.predict)],
    ["/ml/predict", sessionEndpoint(sessions.predict)],
    ["/api/ml/score", sessionEndpoint(sessions.score)],
    ["/api/ads/request", adEndpoint],
  ]);

  /**
   * Runs when Node has parsed what came with the head. Reads the body only if it is there as a whole (a caller may wait for
   * a refusal before it sends one), and gives it back in case of doubt.
   */
  function take(request: IncomingMessage, response: ServerResponse, endpoint: Endpoint, arrivedMs: number): void {
    const { "x-api-key": key, "content-length": length } = request.headers;
    const caller = typeof key === "string" && isOrdinary() ? authenticator.recall(key) : undefined;
    const isHere = request.readableLength === Number(length) && !request.destroyed;
    if (!caller || !isHere) {
      route(request, response);
      return;
    }
    const body = request.read() as Buffer;
    const call = endpoint(body.toString(), request.headers, { headers, route: request.url!, caller, arrivedMs, response });
    if (!call) {
      request.unshift(body);
      route(request, response);
      return;
    }
    // Lets the request come to its end.
    request.resume();
    countLaneCall();
    if (noteRequest(request.socket)) call.start();
  }

  return (request, response) => {
    const endpoint = request.method === "POST" ? endpoints.get(request.url) : undefined;
    if (endpoint && hasOrdinaryHead(request)) process.nextTick(take, request, response, endpoint, performance.now());
    else if (request.url === "/c/v1/beat") takeBeat(request, response);
    else route(request, response);
  };
}
