/** Every way a call can fail, with the status it answers. A closed list: clients match on these codes. */
export const statusOf = {
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
} as const;

export type FailureCode = keyof typeof statusOf;

/** Codes after which the very same call may succeed later, with the wait in seconds that is advised. */
export const retryAfterSecondsOf: Partial<Record<FailureCode, number>> = {
  idempotency_in_progress: 1,
  overloaded: 1,
};

export const internalErrorText =
  "Something went wrong on our side. Nothing was charged; try again with exponential backoff.";
export const overloadedText = "The service is busy. Nothing was charged; try again in a moment.";

export const diskTroubleText = "The service cannot write to its disk just now. Nothing was charged; try again in a few seconds.";

/** A failure that the caller is told about: a code and a public message, and perhaps the operator's text. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** For the log only: may speak of the inside, never of a key, a body or a person. */
  readonly detail: string | undefined;
  /** When the same call may succeed, where that is known better than the code tells. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FailureCode, message: string, detail?: string, options?: ErrorOptions & { retryAfterSeconds?: number }) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}
