/** The tables of sign-in and mail; the conventions are those of schema.ts. */

/** A browser that is signed in to the dashboard. Its cookie holds the token together with a signature. */
export type SignInRow = {
  id: string;
  token: string;
  account_id: string;
  ip_address: string;
  user_agent: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

/** What better-auth must remember between two steps of a sign-in: the second factor that is still due. */
export type SignInChallengeRow = {
  id: string;
  identifier: string;
  value: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

/** An account's authenticator app, with the secret and the recovery codes encrypted. It counts once it is verified. */
export type SecondFactorRow = {
  id: string;
  account_id: string;
  secret: string;
  recovery_codes: string;
  verified: number;
  failures: number;
  locked_until: number | null;
  /** The time step of the last code that was used: it and the ones before it work no more. Null before the first. */
  last_step: number | null;
};

export type LinkKind = "verify" | "reset" | "change_email";

/** A link that was mailed: only its hash is kept, it is good for one use and for a while. */
export type AccountLinkRow = {
  token_hash: string;
  kind: LinkKind;
  account_id: string;
  /** The address that following the link proves to be the person's. */
  email: string;
  /** Hash of a cookie of the browser that asked; null when it had none. */
  browser_hash: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
};

/** Tries of one kind by one subject, which is kept as a keyed hash: neither an address nor an IP is in here. */
export type ThrottleRow = { subject: string; tries: number; since: number; blocked_until: number; updated_at: number };

/** An account that asked to be closed; `erased_at` is null while its balance is not settled. */
export type AccountClosureRow = { account_id: string; requested_at: number; forfeited: number; erased_at: number | null };

export type MailState = "queued" | "sent" | "failed";

/** A mail to be sent. Recipient and content are emptied once it is sent and no longer to be shown. */
export type MailRow = {
  id: string;
  account_id: string | null;
  kind: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  state: MailState;
  attempts: number;
  next_at: number;
  /** Who sends it just now, and until when nobody else may. */
  lease: string | null;
  leased_until: number;
  last_error: string | null;
  created_at: number;
  done_at: number | null;
};
