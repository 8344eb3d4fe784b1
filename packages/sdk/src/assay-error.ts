/** What the service says when it refuses; `error` of its answer. It may gain codes. */
export type ServiceCode =
  | "invalid_request"
  | "personal_data"
  | "invalid_api_key"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "idempotency_conflict"
  | "idempotency_in_progress"
  | "payload_too_large"
  | "unsupported_media_type"
  | "rate_limit_exceeded"
  | "internal_error"
  | "overloaded";

/** What this client says when there was no answer, or none of the service's own. */
export type ClientCode =
  /** No connection, or it ended before the answer was complete. */
  | "network_failure"
  /** No complete answer within `timeoutMs`. */
  | "timeout"
  /** A success whose body is not what the service answers. */
  | "unreadable_answer"
  /** A refusal that is not in the service's words: most likely from a proxy on the way. */
  | "unexpected_status";

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

/** Why a call gave no result. Match on `code`, never on `message`. */
export class AssayError extends Error {
  readonly code: AssayErrorFields["code"];
  /** HTTP status of the last answer; 0 when there was none. */
  readonly status: number;
  /** Name it when you report a problem. */
  readonly requestId: string | undefined;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  /** What the service asked to wait, in seconds. */
  readonly retryAfterSeconds: number | undefined;
  /** How often the call was tried. */
  readonly attempts: number;
  /**
   * Of a billable call. Without an answer the call may have been billed: the same call under this key, within
   * 24 hours, gives that answer and is not billed again.
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
