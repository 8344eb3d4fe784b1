/** The tables of sign-in and mail, with the conventions of schema.ts. */
import type { Generated } from "kysely";

/** A browser that is signed in. Its cookie contains the token. */
export type SignInRow = {
  id: string;
  /** A hash of the token. Rows of version 0.1 have the token itself until a job has hashed it. */
  token: string;
  account_id: string;
  ip_address: string;
  user_agent: string;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

export type SignInTable = SignInRow & {
  /** When the password and the second factor were given again; null: not yet, or not since they changed. */
  stepped_up_at: Generated<number | null>;
  /** When something last needed that. */
  step_up_used_at: Generated<number | null>;
};

/** A sign-in whose password was right, and whose second factor is still due. */
export type SignInChallengeRow = {
  id: string;
  /** A hash of the token in the browser's cookie. */
  identifier: string;
  /** The account's id. */
  value: string;
  /** Wrong codes so far. */
  failures: number;
  /** Whether the browser is to be remembered. */
  remember: number;
  created_at: number;
  updated_at: number;
  expires_at: number;
};

/** An authenticator app; secret and recovery codes are encrypted. It is in effect once it is verified. */
export type SecondFactorRow = {
  id: string;
  account_id: string;
  secret: string;
  recovery_codes: string;
  verified: number;
  failures: number;
  locked_until: number | null;
  /** The time step of the last used code, against replay: codes up to it are refused. Null before the first. */
  last_step: number | null;
};

export type LinkKind = "verify" | "reset" | "change_email";

/** A mailed link, stored as a hash. It expires and works once. */
export type AccountLinkRow = {
  token_hash: string;
  kind: LinkKind;
  account_id: string;
  /** The address that the link verifies. */
  email: string;
  /** No longer used, as is `password_hash`: a visit of the link verified an address with the password of the sign-up. */
  browser_hash: string | null;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  password_hash: string | null;
};

/** Tries of one kind by one subject. The subject is a keyed hash: no address and no IP is stored. */
export type ThrottleRow = { subject: string; tries: number; since: number; blocked_until: number; updated_at: number };

/** A requested closure of an account; `erased_at` is null while its balance is not settled. */
export type AccountClosureRow = { account_id: string; requested_at: number; forfeited: number; erased_at: number | null };

/** Recipient and content are emptied once the mail is sent and no longer shown. */
export type MailRow = {
  id: string;
  account_id: string | null;
  kind: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  /** Where its recipient ends mails of this kind, with a token; null if there is nothing to end. */
  unsubscribe_url: string | null;
  state: "queued" | "sent" | "failed";
  attempts: number;
  next_at: number;
  /** The sender that holds the lease. */
  lease: string | null;
  leased_until: number;
  last_error: string | null;
  created_at: number;
  done_at: number | null;
};

/** A key of the installation, encrypted with SECRET_KEY: what it marked stays comparable when SECRET_KEY is replaced. */
export type SealedKeyRow = { name: string; sealed: string; created_at: number };
