/** Why a request is not an event to act on. More may be added. */
export type WebhookCode =
  /** `webhook-id`, `webhook-timestamp` or `webhook-signature` is missing. */
  | "missing_header"
  /** One of them is there twice, is too long, or contains what it must not. */
  | "bad_header"
  /** `webhook-timestamp` is not a number of seconds. */
  | "bad_timestamp"
  /** It was signed too long ago: perhaps a replay. */
  | "too_old"
  /** It was signed in the future: one of the two clocks is wrong. */
  | "too_new"
  /** None of the signatures was made with one of the secrets, for this id, time and body. */
  | "bad_signature"
  /** The body is larger than allowed. */
  | "too_large"
  /** The payload is not the raw body, or the signed body is not an event. */
  | "malformed_body"
  /** A secret was not given, or is not one. */
  | "bad_secret"
  /** No account is expected although a public key was given, or what was given is none. */
  | "bad_account"
  /** Genuine, but another account's event, or one that names none. */
  | "other_account"
  /** This runtime cannot verify Ed25519, and there is no other secret. */
  | "unsupported"
  /** Genuine, and handled before. */
  | "duplicate";

const statuses: Record<WebhookCode, number> = {
  missing_header: 400,
  bad_header: 400,
  bad_timestamp: 400,
  too_old: 400,
  too_new: 400,
  bad_signature: 400,
  too_large: 413,
  malformed_body: 400,
  bad_secret: 500,
  bad_account: 500,
  other_account: 400,
  unsupported: 500,
  duplicate: 200,
};

/** Thrown by `verifyWebhook`. Answer with `status`, and do nothing else. No text contains a secret. */
export class WebhookVerificationError extends Error {
  readonly code: WebhookCode | (string & {});
  /** What to answer: 200 if it was handled before, 400 or 413 if it is refused, 500 if the receiver itself is set up wrongly. */
  readonly status: number;
  /** True if Assay sent it and it was handled before: then there is nothing left to do. */
  readonly isDuplicate: boolean;

  constructor(code: WebhookCode, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.code = code;
    this.status = statuses[code];
    this.isDuplicate = code === "duplicate";
  }
}
