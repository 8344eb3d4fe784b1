import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { CommitUnknown } from "../store/commit-unknown.ts";
import { describeInvalid } from "./describe-invalid.ts";
import { Failure, type FailureCode, internalErrorText } from "../failure/failure.ts";
import type { SecurityHeaders } from "./security-headers.ts";
import { storeFailureOf } from "../store/store-failure.ts";

export const statusOf: Record<FailureCode, number> = {
  invalid_request: 400,
  personal_data: 400,
  link_expired: 400,
  invalid_api_key: 401,
  sign_in_required: 401,
  sign_in_failed: 401,
  forbidden: 403,
  wrong_password: 403,
  wrong_code: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  idempotency_in_progress: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limit_exceeded: 429,
  internal_error: 500,
  overloaded: 503,
};

/** Codes after which the same call may succeed later, with the advised wait. */
const retryAfterSecondsOf: Partial<Record<FailureCode, number>> = { idempotency_in_progress: 1, overloaded: 1 };

/** Fastify's own errors, by the code that it gives them. */
const failureOfFastify: Record<string, [FailureCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "Send the body as JSON with Content-Type: application/json."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large", "The body is larger than 64 KiB."],
  FST_ERR_CTP_EMPTY_JSON_BODY: ["invalid_request", "The body is empty; a JSON object was expected."],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_request", "The body is not as long as Content-Length says."],
  FST_ERR_BAD_URL: ["invalid_request", "The address is not a valid one."],
};

/** Parsers quote what they could not read, so no text of theirs is passed on. */
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

export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const retryAfterSeconds = failure.retryAfterSeconds ?? retryAfterSecondsOf[failure.code];
  if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
  reply.request.failure = failure;
  const { code, message, limit } = failure;
  const rateLimit = code === "rate_limit_exceeded" ? { retry_after: retryAfterSeconds, ...(limit && { limit }) } : {};
  return reply.code(statusOf[code]).send({ error: code, message, ...rateLimit });
}

function logFailure(log: FastifyBaseLogger, request: FastifyRequest, failure: Failure): void {
  if (statusOf[failure.code] < 500) return;
  const cause = failure.cause instanceof Error ? failure.cause.stack : undefined;
  // The route's pattern, not the address: an address may hold anything.
  const route = request.routeOptions.url;
  log.error({ requestId: request.id, route, code: failure.code, detail: failure.detail, cause }, "call failed");
}

/** The one place where failures become answers. */
export function replyFailures(
  app: FastifyInstance,
  { log, onFailure }: { log: FastifyBaseLogger; onFailure: (code: FailureCode) => void },
): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) => {
    if (error instanceof CommitUnknown) {
      // It may have been billed: neither a 200 nor a 5xx would be true, so the connection says nothing.
      log.error({ requestId: request.id, cause: String(error.cause) }, "commit outcome unknown, closing");
      reply.hijack();
      request.raw.socket.destroy();
      return;
    }
    const failure = toFailure(error);
    logFailure(log, request, failure);
    onFailure(failure.code);
    sendFailure(reply, failure);
  });
  app.setNotFoundHandler((_request, reply) => {
    onFailure("not_found");
    sendFailure(reply, new Failure("not_found", "There is nothing at this address. See /docs."));
  });
}

/** For requests that fail before they reach a route. */
export function replyToBrokenRequest(error: FastifyError, request: FastifyRequest, reply: FastifyReply, headers: SecurityHeaders): void {
  reply.headers(headers).header("x-request-id", request.id);
  void sendFailure(reply, toFailure(error));
}

/**
 * For requests that somebody before us may have read in another way: whatever else is on the connection cannot be
 * trusted either, so it is closed. No route has a part in this.
 */
export function refuseAmbiguous(reply: FastifyReply, message: string, headers: SecurityHeaders): void {
  const body = JSON.stringify({ error: "invalid_request" satisfies FailureCode, message });
  reply.hijack();
  reply.raw.writeHead(statusOf.invalid_request, {
    ...headers,
    "x-request-id": reply.request.id,
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  });
  reply.raw.end(reply.request.method === "HEAD" ? undefined : body);
}

/** What Node's parser gives up on, with the status and the public message for it. */
const unreadable: Record<string, [string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time."],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
};

/** So long the bytes of a refusal may take to arrive, whatever is still being sent to us; then the connection is gone. */
const lingerMs = 1_000;

/** Node keeps the answer that a connection is due next in this property. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

/**
 * For bytes that are no HTTP request: there is no request and no reply, only the socket. Where they follow a whole
 * request whose answer is still being made, that answer is all that is sent: a refusal in its place would be taken for
 * it, and the call may be billed.
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
  // Nobody watches over this connection any more: who does not close it would keep it.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
