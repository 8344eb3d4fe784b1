import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Failure, type FailureCode, internalErrorText } from "../failure/failure.ts";
import { CommitUnknown, storeFailureOf } from "../store/store-failure.ts";
import { describeInvalid } from "./describe-invalid.ts";
import type { SecurityHeaders } from "./security-headers.ts";

export const statusOf: Record<FailureCode, number> = {
  invalid_request: 400,
  personal_data: 400,
  link_expired: 400,
  session_token_expired: 400,
  invalid_api_key: 401,
  sign_in_required: 401,
  sign_in_failed: 401,
  payment_required: 402,
  forbidden: 403,
  wrong_password: 403,
  wrong_code: 403,
  step_up_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  session_token_used: 409,
  secret_unreadable: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  overloaded: 503,
};

/** The default Retry-After of codes after which a retry may succeed. */
const retryAfterSecondsOf: Partial<Record<FailureCode, number>> = { idempotency_in_progress: 1, overloaded: 1 };

/** Fastify's own errors, by their codes. */
const failureOfFastify: Record<string, [FailureCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as JSON with Content-Type: application/json."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is larger than 64 KiB."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["invalid_request", "The body is empty; a JSON object was expected."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
  FST_ERR_BAD_URL: ["invalid_request", "The address is not a valid one."],
};

/** Texts of parsers are not passed on: they quote the input. */
function toFailure(error: FastifyError | Error): Failure {
  if (error instanceof Failure) return error;
  if ("validation" in error && error.validation?.[0]) {
    return new Failure("invalid_request", describeInvalid(error.validation[0], error.validationContext ?? "body"));
  }
  const known = "code" in error ? failureOfFastify[error.code] : undefined;
  if (known) return new Failure(...known);
  if ("statusCode" in error && error.statusCode !== undefined && error.statusCode < 500) {
    return new Failure("invalid_request", "The body is not valid JSON.");
  }
  return storeFailureOf(error) ?? new Failure("internal_error", internalErrorText, error.message, { cause: error });
}

/** A failure's answer, without the headers that every answer has. */
export type FailureAnswer = { status: number; retryAfter: string | undefined; body: { error: FailureCode; message: string; retry_after?: number; limit?: string } };

export function toAnswer(failure: Failure): FailureAnswer {
  const { code, message, limit } = failure;
  const retryAfterSeconds = failure.retryAfterSeconds ?? retryAfterSecondsOf[code];
  const rateLimit = code === "rate_limit_exceeded" ? { retry_after: retryAfterSeconds, ...(limit && { limit }) } : {};
  const retryAfter = retryAfterSeconds === undefined ? undefined : String(retryAfterSeconds);
  return { status: statusOf[code], retryAfter, body: { error: code, message, ...rateLimit } };
}

export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, retryAfter, body } = toAnswer(failure);
  if (retryAfter !== undefined) reply.header("retry-after", retryAfter);
  reply.request.failure = failure;
  return reply.code(status).send(body);
}

/** The route is its pattern, not the URL: a URL may contain anything. */
type FailedRequest = { requestId: string; route: string | undefined };

/** Logs and counts what went wrong and returns the failure to answer with; undefined if the connection is to be closed without an answer. */
export type FailureReport = (error: Error, request: FailedRequest) => Failure | undefined;

export function createFailureReport({ log, onFailure }: { log: FastifyBaseLogger; onFailure: (code: FailureCode) => void }): FailureReport {
  return (error, { requestId, route }) => {
    if (error instanceof CommitUnknown) {
      // The call may have been billed: neither a 200 nor a 5xx would be true.
      log.error({ requestId, cause: String(error.cause) }, "commit outcome unknown, closing");
      return undefined;
    }
    const failure = toFailure(error);
    const { code, detail, cause } = failure;
    if (statusOf[code] >= 500) log.error({ requestId, route, code, detail, cause: cause instanceof Error ? cause.stack : undefined }, "call failed");
    onFailure(code);
    return failure;
  };
}

/** The one place where failures of routes become answers. */
export function replyFailures(app: FastifyInstance, report: FailureReport): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    const failure = report(error, { requestId: request.id, route: request.routeOptions.url });
    if (failure) {
      sendFailure(reply, failure);
      return;
    }
    reply.hijack();
    request.raw.socket.destroy();
  });
  app.setNotFoundHandler((request, reply) => {
    const nothing = new Failure("not_found", "There is nothing at this address. See /docs.");
    sendFailure(reply, report(nothing, { requestId: request.id, route: undefined })!);
  });
}

/** For requests that fail before they reach a route. */
export function replyToBrokenRequest(error: FastifyError, request: FastifyRequest, reply: FastifyReply, headers: SecurityHeaders): void {
  reply.headers(headers).header("x-request-id", request.id);
  void sendFailure(reply, toFailure(error));
}

/**
 * Why a proxy in front of the service could parse the request differently (request smuggling); undefined for usual
 * requests. Node's parser refuses the worst (two lengths, a length and chunks, folded lines, bare line feeds); this finds
 * what it lets through.
 */
function findAmbiguity({ headers, raw: { httpVersion } }: FastifyRequest): string | undefined {
  const coding = headers["transfer-encoding"];
  if (httpVersion !== "1.1") {
    if (httpVersion !== "1.0") return "Only HTTP/1.1 and HTTP/1.0 are supported.";
    return coding === undefined ? undefined : "Transfer-Encoding is not part of HTTP/1.0.";
  }
  if (headers.host === undefined) return "The header Host is missing.";
  // Duplicate headers are joined: see server-limits.ts.
  if (headers.host.includes(",")) return "The header Host is present twice.";
  return coding === undefined || coding.toLowerCase() === "chunked" ? undefined : "Transfer-Encoding must be chunked.";
}

/**
 * Refuses a request that a proxy may parse differently, and closes the connection: the rest of its bytes cannot be
 * trusted either. True if it was refused; no route or hook then handles it.
 */
export function refuseAmbiguous(request: FastifyRequest, reply: FastifyReply, headers: SecurityHeaders): boolean {
  const message = findAmbiguity(request);
  if (message === undefined) return false;
  const body = JSON.stringify({ error: "invalid_request" satisfies FailureCode, message });
  reply.hijack();
  reply.raw.writeHead(statusOf.invalid_request, {
    ...headers,
    "x-request-id": request.id,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  reply.raw.end(request.method === "HEAD" ? undefined : body);
  return true;
}

/** Errors of Node's parser, with status and public message. */
const unreadable: Record<string, [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
};

/** The time that a refusal has to arrive, even while the client is still sending; then the connection is closed. */
const lingerMs = 1_000;

/** Node keeps the next answer that is due on the connection in this property. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * For bytes that are not an HTTP request: there is no request and no reply, only the socket. If they follow a complete
 * request whose answer is still due, only that answer is sent: the client would take a refusal in its place for the
 * answer, although the call may be billed.
 */
export function replyToNoRequest(error: { code?: string }, socket: HttpSocket, about: { requestId: string; headers: SecurityHeaders }): void {
  const { _httpMessage: due } = socket;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  if (due && (due.headersSent || due.req.complete)) {
    due.once("close", () => socket.destroySoon());
    return;
  }
  const [status, message] = unreadable[error.code ?? ""] ?? ["400 Bad Request", "This is not a valid HTTP request."];
  const body = JSON.stringify({ error: "invalid_request" satisfies FailureCode, message });
  const lines = Object.entries({
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    ...about.headers,
    "x-request-id": about.requestId,
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join("")}\r\n${body}`);
  // Node no longer tracks this connection: without a timer a client could keep it open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
