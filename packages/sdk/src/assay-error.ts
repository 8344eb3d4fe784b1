/** Error codes of the service, sent as `error` in its answers. More may be added. */
export type ServiceCode =
  | "invalid_request"
  | "personal_data"
  | "invalid_api_key"
  | "payment_required"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "idempotency_conflict"
  | "idempotency_in_progress"
  /** The token has expired, and the signals are incomplete. */
  | "session_token_expired"
  /** The token's session was used for another attested call, and the signals are incomplete. */
  | "session_token_used"
  | "payload_too_large"
  | "unsupported_media_type"
  | "rate_limit_exceeded"
  | "internal_error"
  | "overloaded";

/** Error codes of this client, for calls that got no answer or an answer that is not from the service. */
export type ClientCode =
  /** No connection, or it closed before the answer was complete. */
  | "network_failure"
  /** No complete answer within `timeoutMs`. */
  | "timeout"
  /** Status 200 with a body that the service would not send. */
  | "unreadable_answer"
  /** An error status without an error code of the service, most likely from a proxy in between. */
  | "unexpected_status";

/** Fields of an `AssayError`, for code that constructs one, such as tests. */
export type AssayErrorFields = {
  code: ServiceCode | ClientCode | (string & {});
  /** 0 when there was no answer. */
  status: number;
  requestId?: string | undefined;
  isRetryable: boolean;
  retryAfterSeconds?: number | undefined;
  attempts?: number;
  idempotencyKey?: string | undefined;
};

/**
 * Thrown when a call yields no result. Match on `code`, never on `message`.
 *
 * Not thrown for a call that the caller aborts (it rejects with the signal's reason) or for invalid arguments
 * (`TypeError`).
 */
export class AssayError extends Error {
  /** Stable error code of the service or of this client. */
  readonly code: AssayErrorFields["code"];
  /** HTTP status of the last answer; 0 when there was none. */
  readonly status: number;
  /** `X-Request-Id` of the last answer. Quote it when you report a problem. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later. False for errors that a retry cannot change, such as a wrong key. */
  readonly isRetryable: boolean;
  /** Seconds to wait before the next call, if the service named a time. */
  readonly retryAfterSeconds: number | undefined;
  /** Number of attempts made, including the first. */
  readonly attempts: number;
  /**
   * Idempotency key of a billable call. A call without an answer may have been billed: repeating it with this key
   * within 24 hours returns the original answer and is not billed again.
   */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, fields: AssayErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.name = "AssayError";
    this.code = fields.code;
    this.status = fields.status;
    this.requestId = fields.requestId;
    this.isRetryable = fields.isRetryable;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.attempts = fields.attempts ?? 1;
    this.idempotencyKey = fields.idempotencyKey;
  }
}
