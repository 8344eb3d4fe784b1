/** The tables of webhooks and of notices by mail, with the conventions of schema.ts. */
import type { Generated } from "kysely";

/** The end of an audience's events: an account's, or all operators'. */
export type WebhookHeadRow = {
  audience: string;
  sequence: number;
  /** Events up to this one were mailed, or are not wanted by mail. */
  noticed_sequence: Generated<number>;
  /** When the last digest was mailed. */
  noticed_at: Generated<number | null>;
};

/** `data` is JSON, without personal data. `once_key`: a second event with the same one is not written. */
export type WebhookEventRow = { id: string; audience: string; sequence: number; type: string; data: string; at: number; once_key: string | null };

export type EndpointState = "active" | "paused" | "disabled";

export type WebhookEndpointRow = {
  id: string;
  audience: string;
  url: string;
  /** The chosen types between commas, `,payout.paid,`; `*` for all. */
  types: string;
  state: EndpointState;
  /** Why Assay disabled it: `gone` (410), or `failing` for a week. */
  disabled_reason: string | null;
  /** Sealed, as is the previous one, which signs as well until `previous_until`. */
  secret: string;
  secret_previous: string | null;
  previous_until: number | null;
  /** Since when every attempt failed; null after a success. */
  failing_since: number | null;
  created_at: number;
  changed_at: number;
  last_attempt_at: number | null;
  last_success_at: number | null;
};

export type DeliveryState = "pending" | "delivered" | "failed";

/** One event on its way to one endpoint. `attempts` counts all; `round_attempts` those since it was last asked for. */
export type WebhookDeliveryRow = {
  endpoint_id: string;
  event_id: string;
  state: DeliveryState;
  attempts: number;
  round_attempts: number;
  next_at: number;
  lease: string | null;
  leased_until: number;
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  done_at: number | null;
};

/** `status` is null if there was no answer; `error` says why. `response` is the beginning of the answer's body. */
export type WebhookAttemptRow = {
  endpoint_id: string;
  event_id: string;
  attempt: number;
  at: number;
  duration_ms: number;
  url: string;
  signature: string;
  status: number | null;
  error: string | null;
  response: string | null;
};

/** A choice that differs from the default, or repeats it. */
export type NoticeChoiceRow = { account_id: string; topic: string; wanted: number; changed_at: number };
