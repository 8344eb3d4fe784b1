import { FailureReply, RateLimitReply } from "@assay/contract/failure.ts";
import Type, { type TSchema } from "typebox";
import { Failure, type FailureCode, internalErrorText, overloadedText, paymentRequiredText, sessionTokenExpiredText, sessionTokenUsedText } from "../failure/failure.ts";
import { statusOf } from "./reply-failures.ts";

const examples: Record<FailureCode, string> = {
  invalid_request: "Missing required field: session_data",
  personal_data: "Remove the field session_data.email: personal data must not be sent.",
  link_expired: "This link has expired or was already used. Request a new one.",
  invalid_api_key: "The API key is missing, unknown or not active.",
  sign_in_required: "Sign in to continue.",
  sign_in_failed: "The address or the password is wrong, or the address is not verified yet.",
  payment_required: paymentRequiredText,
  forbidden: "This account may not do that.",
  wrong_password: "The password is wrong.",
  wrong_code: "The code is wrong or was already used.",
  step_up_required: "This change also needs a code from your authenticator app, or a recovery code.",
  not_found: "There is nothing at this address. See /docs.",
  method_not_allowed: "This address takes POST only.",
  idempotency_conflict: "This Idempotency-Key was used for another request. Use a new key.",
  idempotency_in_progress: "A call with this Idempotency-Key is under way. Try again in a second.",
  session_token_expired: sessionTokenExpiredText,
  session_token_used: sessionTokenUsedText,
  secret_unreadable: "Your second factor cannot be read, because the secret of this installation was replaced.",
  payload_too_large: "The body is larger than 64 KiB.",
  unsupported_media_type: "Send the body as JSON with Content-Type: application/json.",
  rate_limit_exceeded: "The burst limit of 50 calls per minute is used up. Try again in 12 seconds.",
  internal_error: internalErrorText,
  overloaded: overloadedText,
};

const tooManyExample = {
  error: "rate_limit_exceeded",
  message: examples.rate_limit_exceeded,
  retry_after: 12,
  limit: "burst",
};

/** The OpenAPI descriptions of these failures, grouped by status. */
export function describeFailures(codes: readonly FailureCode[]): Record<number, TSchema> {
  const byStatus = Map.groupBy(codes, (code) => statusOf[code]);
  const described: Record<number, TSchema> = {};
  for (const [status, some] of byStatus) {
    const isTooMany = status === statusOf.rate_limit_exceeded;
    described[status] = Type.Object((isTooMany ? RateLimitReply : FailureReply).properties, {
      description: some.map((code) => `\`${code}\``).join(", "),
      examples: isTooMany ? [tooManyExample] : some.map((error) => ({ error, message: examples[error] })),
    });
  }
  return described;
}

/** `hasBody` is for free routes: every billable route has a body. */
export const keyedFailures = (route: { billable: boolean; hasBody?: boolean; notFound?: boolean; takesToken?: boolean }): Record<number, TSchema> =>
  describeFailures([
    "invalid_request",
    ...(route.billable || route.hasBody ? (["personal_data", "payload_too_large", "unsupported_media_type"] as const) : []),
    ...(route.billable ? (["payment_required", "idempotency_conflict", "idempotency_in_progress"] as const) : []),
    ...(route.takesToken ? (["session_token_expired", "session_token_used"] as const) : []),
    ...(route.notFound ? (["not_found"] as const) : []),
    "invalid_api_key",
    "rate_limit_exceeded",
    "internal_error",
    "overloaded",
  ]);

export const invalidKey = new Failure("invalid_api_key", examples.invalid_api_key);
