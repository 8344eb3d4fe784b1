/**
 * Accounts, sign-in and security, as the dashboard sees them: everything under `/dashboard/api/auth/` and
 * `GET /dashboard/api/me`. A request that changes something must be same-origin: browsers send the proof by
 * themselves, other clients must send `Origin`. The session is an HttpOnly cookie; no answer contains its token.
 *
 * Failures are `{error, message}`: `sign_in_required` 401, `sign_in_failed` 401, `wrong_password` and
 * `wrong_code` 403, `step_up_required` 403 (the password or the code of the second factor is missing or wrong; the message
 * says which), `link_expired` 400, `invalid_request` 400 (also for a password that is too easy to guess;
 * the message says why), `forbidden` 403, `rate_limit_exceeded` 429 with `retry_after` and `Retry-After`.
 */
import Type, { type Static } from "typebox";

/** Length in characters after NFKC. Common passwords and those derived from the address are refused as well. */
export const passwordBounds = { lengthMin: 10, lengthMax: 128 } as const;
const emailLengthMax = 254;
/** Upper bound of any code or token; their formats are checked elsewhere. */
const secretLengthMax = 200;

const Email = Type.String({ minLength: 3, maxLength: emailLengthMax });
/** An existing password: any length that could ever have been accepted. */
const Password = Type.String({ minLength: 1, maxLength: 4 * passwordBounds.lengthMax });
const Secret = Type.String({ minLength: 1, maxLength: secretLengthMax });

/**
 * Asked for again before a change that a borrowed browser must not make: the password and, where a second factor is
 * enrolled, a code from the authenticator app or a recovery code. Each code works once. 403 `step_up_required` says what
 * is missing or wrong.
 */
export const stepUpFields = { password: Type.Optional(Password), code: Type.Optional(Secret) };
export type StepUp = { password?: string; code?: string };

/** Acknowledges a request and says nothing more. */
export const DoneReply = Type.Object({ status: Type.Literal(true) });

/**
 * POST auth/sign-up/email → DoneReply, whether or not the address is registered: only the mail tells. The password is
 * chosen with the mailed link. One that is sent here, as earlier versions needed it, is checked and not kept.
 */
export const SignUpRequest = Type.Object({ email: Email, password: Type.Optional(Password) });

/** POST auth/send-verification-email → DoneReply for every address. */
export const SendVerificationRequest = Type.Object({ email: Email });

/**
 * POST auth/verify-email → SignInReply; 400 `link_expired`. Takes the token of a mailed verification link, once, and the
 * password of the account from then on. Whatever was set up for the account before is removed.
 */
export const VerifyEmailRequest = Type.Object({ token: Secret, newPassword: Password });

export const landingPaths = {
  /** The mailed verification link opens this page, with `?token=…`. GET auth/verify-email?token=… redirects to it. */
  verifyEmail: "/dashboard/verify-email",
  /** The same of the link that confirms a new address, and GET auth/confirm-email?token=…. */
  confirmEmail: "/dashboard/confirm-email",
  /** The mailed link of a password reset opens this page, with `?token=…`. */
  resetPassword: "/dashboard/reset-password",
  signIn: "/dashboard/sign-in",
  mailbox: "/dashboard/mailbox",
} as const;

/** POST auth/sign-in/email. 401 `sign_in_failed` for a wrong address, a wrong password and an unverified address alike. */
export const SignInRequest = Type.Object({
  email: Email,
  password: Password,
  /** False: the session ends when the browser closes, and after a day at the latest. */
  rememberMe: Type.Optional(Type.Boolean()),
});
export const SignInReply = Type.Union([
  Type.Object({ status: Type.Literal("signed_in") }),
  /** Continue with auth/two-factor/verify-totp or auth/two-factor/verify-backup-code within ten minutes. */
  Type.Object({ status: Type.Literal("second_factor_required") }),
]);

/** POST auth/two-factor/verify-totp and auth/two-factor/verify-backup-code → DoneReply; 403 `wrong_code`. */
export const CodeRequest = Type.Object({ code: Secret });

/** POST auth/request-password-reset → DoneReply for every address. */
export const RequestResetRequest = Type.Object({ email: Email });
/** POST auth/reset-password → DoneReply; 400 `link_expired`. Takes the token of a reset, or of a sign-up whose address is not verified. Ends every session of the account; sign in next. */
export const ResetPasswordRequest = Type.Object({ token: Secret, newPassword: Password });

/**
 * POST auth/change-password → DoneReply; 403 `wrong_password`. Like every change of what the account signs in with (the
 * second factor, its recovery codes, the address), it ends every other session, sign-ins under way and mailed links.
 */
export const ChangePasswordRequest = Type.Object({ currentPassword: Password, newPassword: Password });
/** POST auth/change-email → DoneReply. The new address must be confirmed by mail; the old one is told now and then. */
export const ChangeEmailRequest = Type.Object({ newEmail: Email, ...stepUpFields });
/**
 * POST auth/confirm-email → DoneReply; 400 `link_expired`. Takes the token of the mail to the new address, once, in a session
 * of the account that asked. The link is over when a session of the account ends on purpose, or a credential changes.
 */
export const ConfirmEmailRequest = Type.Object({ token: Secret });

/**
 * POST auth/step-up → DoneReply. Confirms this session for what an operator does with money: without it those requests are
 * answered 403 `step_up_required`. It lasts for 10 minutes after its last use and 60 in all. The cookie gets another token.
 */
export const SessionStepUpRequest = Type.Object(stepUpFields, { additionalProperties: false });

/** POST auth/two-factor/enable {password} → EnableTwoFactorReply; it takes effect after auth/two-factor/verify-totp with a first code. */
export const StepUpRequest = Type.Object(stepUpFields);
export const EnableTwoFactorReply = Type.Object({
  /** otpauth://… to show as a QR code. */
  totp_uri: Type.String(),
  /** Each works once in place of a code. This is the only time that they are shown. */
  recovery_codes: Type.Array(Type.String()),
});
/** POST auth/two-factor/generate-backup-codes {password, code} → new codes; the old ones stop working. */
export const RecoveryCodesReply = Type.Object({ recovery_codes: Type.Array(Type.String()) });

/** GET auth/list-sessions. */
export const SignInSession = Type.Object({
  id: Type.String(),
  current: Type.Boolean(),
  created_at: Type.String({ format: "date-time" }),
  /** Accurate to a day: a session is renewed once a day. */
  last_used_at: Type.String({ format: "date-time" }),
  expires_at: Type.String({ format: "date-time" }),
  ip_address: Type.String(),
  user_agent: Type.String(),
});
export const ListSessionsReply = Type.Object({ sessions: Type.Array(SignInSession) });
/** POST auth/revoke-session {id} → DoneReply; 404 for another account's. POST auth/revoke-other-sessions {} → DoneReply. */
export const RevokeSessionRequest = Type.Object({ id: Secret });

/**
 * POST auth/close-account. Keys stop at once. Personal data is erased once nothing is left to settle: a balance (which
 * `forfeit` gives up), a payout on its way, calls or clicks that may still be reversed, a hold or a finding. `balance_usd` is the
 * balance before anything was given up.
 */
export const CloseAccountRequest = Type.Object({
  password: Password,
  /** The account's own address, typed again. */
  confirmEmail: Email,
  forfeit: Type.Optional(Type.Boolean()),
});
export const CloseAccountReply = Type.Object({
  status: Type.Union([Type.Literal("erased"), Type.Literal("closing")]),
  balance_usd: Type.Number(),
});

/** GET me. */
export const MeReply = Type.Object({
  account: Type.Object({
    id: Type.String(),
    email: Type.String(),
    created_at: Type.String({ format: "date-time" }),
  }),
  tier: Type.String(),
  verified: Type.Boolean(),
  operator: Type.Boolean(),
  two_factor_enabled: Type.Boolean(),
  second_factor_required: Type.Boolean({ description: "An operator without a second factor, where one is needed: the console answers 403." }),
  status: Type.Union([Type.Literal("active"), Type.Literal("suspended"), Type.Literal("closed")]),
  demo: Type.Boolean(),
});

/** GET auth/options, without a session: what the pages before sign-in need. */
export const SignInOptionsReply = Type.Object({
  /** The local mailbox page, for a browser on the same machine while no SMTP server is configured; else null. */
  mailbox: Type.Union([Type.String(), Type.Null()]),
  password_length_min: Type.Integer(),
  password_length_max: Type.Integer(),
});

/** GET operator/outbox, for operators (others: 404): the state of outgoing mail, without addresses or contents. */
export const OutboxReply = Type.Object({
  queued: Type.Integer({ minimum: 0 }),
  /** Null: the queue is empty. */
  oldest_queued_at: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
  sent: Type.Integer({ minimum: 0, description: "Within the last seven days." }),
  failed: Type.Integer({ minimum: 0, description: "Given up within the last seven days." }),
  failures: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.String(),
      account_id: Type.Union([Type.String(), Type.Null()]),
      attempts: Type.Integer(),
      reason: Type.String(),
      created_at: Type.String({ format: "date-time" }),
    }),
  ),
});

export type OutboxReply = Static<typeof OutboxReply>;
export type SignUpRequest = Static<typeof SignUpRequest>;
export type SignInRequest = Static<typeof SignInRequest>;
export type SignInReply = Static<typeof SignInReply>;
export type EnableTwoFactorReply = Static<typeof EnableTwoFactorReply>;
export type RecoveryCodesReply = Static<typeof RecoveryCodesReply>;
export type SignInSession = Static<typeof SignInSession>;
export type ListSessionsReply = Static<typeof ListSessionsReply>;
export type CloseAccountReply = Static<typeof CloseAccountReply>;
export type MeReply = Static<typeof MeReply>;
export type SignInOptionsReply = Static<typeof SignInOptionsReply>;
