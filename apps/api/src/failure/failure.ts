/** A closed list: clients match on these codes. */
export const failureCodes = [
  "invalid_request",
  "personal_data",
  "link_expired",
  "invalid_api_key",
  "sign_in_required",
  "sign_in_failed",
  "payment_required",
  "forbidden",
  "wrong_password",
  "wrong_code",
  "step_up_required",
  "not_found",
  "method_not_allowed",
  "idempotency_conflict",
  "idempotency_in_progress",
  "session_token_expired",
  "session_token_used",
  "secret_unreadable",
  "payload_too_large",
  "unsupported_media_type",
  "rate_limit_exceeded",
  "internal_error",
  "overloaded",
] as const;

export type FailureCode = (typeof failureCodes)[number];

export const internalErrorText =
  "Something went wrong on our side. Nothing was charged; try again with exponential backoff.";
export const paymentRequiredText =
  "The account's prepaid money does not cover this call. Nothing was charged; ask the operator to book a deposit.";
export const sessionTokenExpiredText =
  "The session_token has expired, and session_data lacks user_engagement or session_duration. Nothing was charged; send these signals, or a new token.";
export const sessionTokenUsedText =
  "The session of this session_token was already used for an attested call, and session_data lacks user_engagement or session_duration. Nothing was charged; send these signals to score it again.";
export const overloadedText = "The service is busy. Nothing was charged; try again in a moment.";

type FailureOptions = ErrorOptions & {
  /** Overrides the default wait of the code. */
  retryAfterSeconds?: number;
  /** The limit that a refused call exceeded. */
  limit?: "burst" | "hour";
};

/** A failure that is reported to the caller: a code, a public message, and optionally a text for the operator. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** For the log only. It may name internals, but never a key, a body or a person. */
  readonly detail: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly limit: "burst" | "hour" | undefined;

  constructor(code: FailureCode, message: string, detail?: string, options?: FailureOptions) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
    this.detail = detail;
    this.retryAfterSeconds = options?.retryAfterSeconds;
    this.limit = options?.limit;
  }
}

/** Nothing was done, and a retry may succeed. `detail` is for the operator. */
export const overloaded = (detail: string, options?: FailureOptions): Failure =>
  new Failure("overloaded", overloadedText, detail, options);

/** What signs the account in was changed after the request was let in, and before it wrote. */
export const overtaken = (): Failure => new Failure("sign_in_required", "What signs this account in was just changed. Try again, or sign in again.");

/** The error's text for the operator. */
export function explain(error: unknown): string {
  if (error instanceof Failure) return error.detail ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
