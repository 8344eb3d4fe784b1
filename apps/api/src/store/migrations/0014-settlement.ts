import { type Dialect, sqlWordsOf } from "./migration.ts";

/** The words of time, which differ between the databases. */
const timeWordsOf = (dialect: Dialect) =>
  dialect === "sqlite"
    ? {
        nowMs: "(unixepoch() * 1000)",
        tomorrowMs: "((unixepoch() / 86400 + 1) * 86400000)",
        monthEndMs: (month: string) => `(unixepoch(${month} || '-01', '+1 month') * 1000)`,
        monthOf: (ms: string) => `strftime('%Y-%m', ${ms} / 1000, 'unixepoch')`,
      }
    : {
        nowMs: "CAST(floor(extract(epoch FROM now())) * 1000 AS BIGINT)",
        tomorrowMs: "CAST((floor(extract(epoch FROM now()) / 86400) + 1) * 86400000 AS BIGINT)",
        monthEndMs: (month: string) => `CAST(extract(epoch FROM CAST(${month} || '-01' AS timestamp) + interval '1 month') * 1000 AS BIGINT)`,
        monthOf: (ms: string) => `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`,
      };

/**
 * What calls earned before is confirmed, as it was. Of accounts with an open hold or finding only what was paid out is:
 * the rest waits, and can be reversed.
 */
function createCallDays(dialect: Dialect): string[] {
  const { id, whole, clustered, end } = sqlWordsOf(dialect);
  const { nowMs, tomorrowMs, monthEndMs } = timeWordsOf(dialect);
  const isHeld = `EXISTS (SELECT 1 FROM money_holds h WHERE h.account_id = a.id AND h.lifted_at IS NULL)
    OR EXISTS (SELECT 1 FROM findings f WHERE f.account_id = a.id AND f.closed_at IS NULL)`;
  const paidMonth = `(SELECT max(o.month) FROM payouts o WHERE o.account_id = a.id AND o.status IN ('proposed', 'approved', 'exported', 'paid'))`;
  return [
    `CREATE TABLE call_settlements (
      account_id ${id} NOT NULL PRIMARY KEY REFERENCES accounts (id),
      confirmed_to ${whole} NOT NULL
    ) ${clustered}`,
    `CREATE TABLE call_days (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      day ${whole} NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'reversed')),
      calls ${whole} NOT NULL,
      gross_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      reversed_calls ${whole} NOT NULL,
      reversed_gross_micro ${whole} NOT NULL,
      reversed_developer_micro ${whole} NOT NULL,
      reversals ${whole} NOT NULL,
      settled_at ${whole},
      PRIMARY KEY (account_id, day),
      CHECK ((state = 'pending') = (settled_at IS NULL)),
      CHECK (reversed_gross_micro >= 0 AND reversed_developer_micro >= 0)
    ) ${clustered}`,
    `CREATE TABLE call_reversals (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      ledger_seq ${whole} NOT NULL,
      ref TEXT NOT NULL,
      day ${whole} NOT NULL,
      share_bps ${whole} NOT NULL,
      calls ${whole} NOT NULL CHECK (calls > 0),
      gross_micro ${whole} NOT NULL,
      developer_micro ${whole} NOT NULL,
      reason TEXT NOT NULL,
      finding_id ${id},
      actor_account_id ${id},
      at ${whole} NOT NULL,
      PRIMARY KEY (account_id, ledger_seq)
    ) ${end}`,
    `CREATE TABLE reversed_calls (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      session_id ${id} NOT NULL,
      ref TEXT NOT NULL,
      PRIMARY KEY (account_id, session_id)
    ) ${clustered}`,
    `INSERT INTO call_settlements (account_id, confirmed_to)
      SELECT a.id, CASE WHEN ${isHeld} THEN coalesce(${monthEndMs(paidMonth)}, 0) ELSE ${tomorrowMs} END FROM accounts a`,
    `INSERT INTO installation_dates (name, at) SELECT 'call_days_from', ${nowMs} WHERE EXISTS (SELECT 1 FROM accounts)`,
  ];
}

/** Accounts that were paid before, or approved to be paid, start as reviewed, at what calls earned in their best paid month. */
function createReviews(dialect: Dialect): string[] {
  const { id, whole, end } = sqlWordsOf(dialect);
  const { nowMs, monthOf } = timeWordsOf(dialect);
  return [
    `CREATE TABLE growth_reviews (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      monthly_micro ${whole} NOT NULL CHECK (monthly_micro >= 0),
      reason TEXT NOT NULL,
      reviewed_by ${id},
      reviewed_at ${whole} NOT NULL,
      granted_through TEXT
    ) ${end}`,
    `CREATE INDEX growth_reviews_account ON growth_reviews (account_id, reviewed_at)`,
    `INSERT INTO growth_reviews (id, account_id, monthly_micro, reason, reviewed_at, granted_through)
      SELECT 'review_' || p.account_id, p.account_id, max(m.developer_micro), 'Paid before growth was limited.', ${nowMs}, p.month
      FROM (SELECT account_id, max(month) AS month FROM payouts WHERE status IN ('approved', 'exported', 'paid') GROUP BY account_id) p
      JOIN (
        SELECT account_id, ${monthOf("hour")} AS month, sum(developer_micro) AS developer_micro
        FROM usage_rollups WHERE payer = 'platform' GROUP BY account_id, ${monthOf("hour")}
      ) m ON m.account_id = p.account_id AND m.month <= p.month
      GROUP BY p.account_id, p.month`,
    // The part that calls of a never reviewed account earned.
    `ALTER TABLE payouts ADD COLUMN unreviewed_micro ${whole} NOT NULL DEFAULT 0`,
  ];
}

function createEvidence(dialect: Dialect): string[] {
  const { id, whole, real, clustered } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE integrity_evidence (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      check_name TEXT NOT NULL,
      day ${whole} NOT NULL,
      tested ${whole} NOT NULL,
      hits ${whole} NOT NULL,
      detail TEXT NOT NULL,
      log_factor ${real} NOT NULL,
      ordinal ${whole} NOT NULL,
      log_started ${real},
      log_evidence ${real} NOT NULL,
      at ${whole} NOT NULL,
      PRIMARY KEY (account_id, check_name, day)
    ) ${clustered}`,
    `CREATE TABLE integrity_notices (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      code TEXT NOT NULL,
      day ${whole} NOT NULL,
      statistic ${real} NOT NULL,
      message TEXT NOT NULL,
      PRIMARY KEY (account_id, code, day)
    ) ${clustered}`,
    `CREATE TABLE integrity_marks (
      mark ${whole} NOT NULL,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      session_id ${id} NOT NULL,
      day ${whole} NOT NULL,
      PRIMARY KEY (mark, account_id)
    ) ${clustered}`,
    `CREATE INDEX integrity_marks_day ON integrity_marks (day, account_id)`,
    `CREATE TABLE evidence_sessions (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      id ${id} NOT NULL,
      endpoint TEXT NOT NULL,
      at ${whole} NOT NULL,
      user_engagement ${real},
      session_duration ${real},
      scroll_depth ${real},
      interaction_count ${whole},
      page_views ${whole},
      return_visitor ${whole},
      service_score ${real} NOT NULL,
      ledger_seq ${whole} NOT NULL,
      PRIMARY KEY (account_id, id)
    ) ${clustered}`,
  ];
}

/** What a finding rests on, what the developer answered, and who decided what. */
function extendFindings(dialect: Dialect): string[] {
  const { id, whole, real } = sqlWordsOf(dialect);
  const columns = [
    `statistic ${real}`,
    `threshold ${real}`,
    `days TEXT NOT NULL DEFAULT '[]'`,
    `sessions TEXT NOT NULL DEFAULT '[]'`,
    `opened_by ${id}`,
    `decision TEXT CHECK (decision IN ('upheld', 'dismissed', 'accepted'))`,
    `decided_by ${id}`,
    `answer TEXT`,
    `answered_at ${whole}`,
    `accepted_at ${whole}`,
    `alerted_at ${whole}`,
  ];
  return [
    ...columns.map((column) => `ALTER TABLE findings ADD COLUMN ${column}`),
    `UPDATE findings SET decision = 'dismissed' WHERE closed_at IS NOT NULL`,
    `CREATE INDEX findings_account ON findings (account_id, opened_at)`,
  ];
}

export const settlement = (dialect: Dialect): string[] => [
  ...createCallDays(dialect),
  ...createReviews(dialect),
  ...createEvidence(dialect),
  ...extendFindings(dialect),
];
