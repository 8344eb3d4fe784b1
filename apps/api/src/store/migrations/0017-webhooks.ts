import { type Dialect, sqlWordsOf } from "./migration.ts";

/**
 * No foreign keys between these tables, and none to accounts: an event is written in the transaction of what it tells,
 * which must not wait for an endpoint that is being changed, and not fail because one was deleted meanwhile.
 */
export function webhooks(dialect: Dialect): string[] {
  const { id, whole, end, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE webhook_heads (
      audience ${id} NOT NULL PRIMARY KEY,
      sequence ${whole} NOT NULL,
      noticed_sequence ${whole} NOT NULL DEFAULT 0,
      noticed_at ${whole}
    ) ${end}`,
    // The job that mails notices looks at these audiences only.
    `CREATE INDEX webhook_heads_unnoticed ON webhook_heads (audience) WHERE noticed_sequence < sequence`,
    `CREATE TABLE webhook_events (
      id ${id} NOT NULL PRIMARY KEY,
      audience ${id} NOT NULL,
      sequence ${whole} NOT NULL,
      type TEXT NOT NULL,
      data TEXT NOT NULL,
      at ${whole} NOT NULL,
      once_key TEXT,
      UNIQUE (audience, sequence)
    ) ${clustered}`,
    `CREATE UNIQUE INDEX webhook_events_once ON webhook_events (audience, once_key) WHERE once_key IS NOT NULL`,
    `CREATE TABLE webhook_endpoints (
      id ${id} NOT NULL PRIMARY KEY,
      audience ${id} NOT NULL,
      url TEXT NOT NULL,
      types TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('active', 'paused', 'disabled')),
      disabled_reason TEXT,
      secret TEXT NOT NULL,
      secret_previous TEXT,
      previous_until ${whole},
      failing_since ${whole},
      created_at ${whole} NOT NULL,
      changed_at ${whole} NOT NULL,
      last_attempt_at ${whole},
      last_success_at ${whole}
    ) ${end}`,
    `CREATE INDEX webhook_endpoints_audience ON webhook_endpoints (audience, id)`,
    `CREATE TABLE webhook_deliveries (
      endpoint_id ${id} NOT NULL,
      event_id ${id} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      attempts ${whole} NOT NULL,
      round_attempts ${whole} NOT NULL,
      next_at ${whole} NOT NULL,
      lease ${id},
      leased_until ${whole} NOT NULL,
      last_status ${whole},
      last_error TEXT,
      created_at ${whole} NOT NULL,
      done_at ${whole},
      PRIMARY KEY (endpoint_id, event_id)
    ) ${clustered}`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_at) WHERE state = 'pending'`,
    `CREATE INDEX webhook_deliveries_endpoint_due ON webhook_deliveries (endpoint_id, next_at) WHERE state = 'pending'`,
    `CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event_id)`,
    `CREATE TABLE webhook_attempts (
      endpoint_id ${id} NOT NULL,
      event_id ${id} NOT NULL,
      attempt ${whole} NOT NULL,
      at ${whole} NOT NULL,
      duration_ms ${whole} NOT NULL,
      url TEXT NOT NULL,
      signature TEXT NOT NULL,
      status ${whole},
      error TEXT,
      response TEXT,
      PRIMARY KEY (endpoint_id, event_id, attempt)
    ) ${clustered}`,
    `CREATE INDEX webhook_attempts_at ON webhook_attempts (at)`,
    `CREATE TABLE notice_choices (
      account_id ${id} NOT NULL,
      topic TEXT NOT NULL,
      wanted ${whole} NOT NULL CHECK (wanted IN (0, 1)),
      changed_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, topic)
    ) ${clustered}`,
    `ALTER TABLE mails ADD COLUMN unsubscribe_url TEXT`,
  ];
}
