import type { ServerResponse } from "node:http";
import type { KeyUseRecorder } from "../access/keys/record-key-use.ts";
import type { Caller } from "../access/keys/caller.ts";
import { refusalOf } from "../access/guard-call.ts";
import type { Limiter, LimitOutcome } from "../access/limits/limiter.ts";
import { rateLimitOf, rateLimitPolicyOf } from "../access/limits/rate-limit-headers.ts";
import type { RequestRecorder } from "../access/requests/record-requests.ts";
import type { Failure } from "../failure/failure.ts";
import { type FailureReport, toAnswer } from "../http/reply-failures.ts";
import type { SecurityHeaders } from "../http/security-headers.ts";
import { noteAnswer } from "../http/server-limits.ts";

export type CallTools = {
  limiter: Limiter;
  keyUse: KeyUseRecorder;
  recorder: RequestRecorder;
  nextRequestId: () => string;
  countCall: (route: string, status: number, durationMs: number) => void;
  report: FailureReport;
  nowMs: () => number;
};

export const jsonType = "application/json; charset=utf-8";

/** Name, value, name, value: the form in which Node takes headers without looking at each of them twice. */
export type FlatHeaders = readonly string[];

export const flatten = (headers: SecurityHeaders): FlatHeaders => Object.entries(headers).flat();

/**
 * A call that the lane has taken. Nothing may fall through to the route any more: whatever happens is answered here, with
 * the same headers in the same order. One object per call, which is also what the commit tells its outcome.
 */
export abstract class TakenCall {
  readonly caller: Caller;
  readonly arrivedMs: number;
  readonly #tools: CallTools;
  readonly #headers: FlatHeaders;
  readonly #route: string;
  readonly #requestId: string;
  readonly #response: ServerResponse;
  #rateLimit = "";
  #failure: Failure | undefined;

  constructor(tools: CallTools, about: { headers: FlatHeaders; route: string; caller: Caller; arrivedMs: number; response: ServerResponse }) {
    this.#tools = tools;
    this.#headers = about.headers;
    this.#route = about.route;
    this.caller = about.caller;
    this.arrivedMs = about.arrivedMs;
    this.#response = about.response;
    this.#requestId = tools.nextRequestId();
    // After the last byte of the answer, or when the connection breaks before.
    about.response.on("close", () => this.#close());
  }

  /** Does what was asked for; the limits allow it. */
  protected abstract run(): void;

  start(): void {
    const { caller } = this;
    const { keyUse, limiter, nowMs } = this.#tools;
    try {
      keyUse.record(caller.keyId, nowMs());
      const outcome = limiter.consume(caller.limitSubject, caller.quota);
      if (outcome instanceof Promise) outcome.then((each) => this.#admit(each)).catch((error: unknown) => this.fail(error));
      else this.#admit(outcome);
    } catch (error) {
      this.fail(error);
    }
  }

  #admit(outcome: LimitOutcome): void {
    this.#rateLimit = rateLimitOf(outcome);
    if (outcome.allowed) this.run();
    else this.fail(refusalOf(this.caller, outcome));
  }

  fail(error: unknown): void {
    this.#failure = this.#tools.report(error as Error, { requestId: this.#requestId, route: this.#route });
    if (!this.#failure) {
      // The request's, because an answer that waits behind others has no socket yet.
      this.#response.req.socket.destroy();
      return;
    }
    const { status, retryAfter, body } = toAnswer(this.#failure);
    this.answer(status, [...(retryAfter === undefined ? [] : ["retry-after", retryAfter]), "content-type", jsonType], JSON.stringify(body));
  }

  /** `bytes`: of the body, where they are known. */
  protected answer(status: number, headers: FlatHeaders, body: string | undefined, bytes = body === undefined ? 0 : Buffer.byteLength(body)): void {
    const limits = this.#rateLimit === "" ? [] : ["ratelimit-policy", rateLimitPolicyOf(this.caller.quota), "ratelimit", this.#rateLimit];
    const all = [...this.#headers, "x-request-id", this.#requestId, ...limits, ...headers];
    if (body === undefined) {
      this.#response.writeHead(status, all).end();
      return;
    }
    all.push("content-length", String(bytes));
    // As many bytes as characters: all of them are ASCII, which is cheaper to write as Latin-1.
    this.#response.writeHead(status, all).end(body, bytes === body.length ? "latin1" : "utf8");
  }

  #close(): void {
    const { caller } = this;
    const { countCall, recorder, nowMs } = this.#tools;
    const { statusCode, writableFinished, req } = this.#response;
    noteAnswer(req.socket);
    if (!writableFinished) return;
    const durationMs = performance.now() - this.arrivedMs;
    countCall(this.#route, statusCode, durationMs);
    recorder.record({
      accountId: caller.accountId,
      keyId: caller.keyId,
      atMs: nowMs(),
      requestId: this.#requestId,
      method: "POST",
      route: this.#route,
      status: statusCode,
      durationMs,
      failure: this.#failure,
    });
  }
}
