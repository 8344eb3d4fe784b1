import { type Dialect, type IndexPlan, sqlWordsOf } from "./migration.ts";

/** The words of time, which differ between the databases. */
const timeWordsOf = (dialect: Dialect) =>
  dialect === "sqlite"
    ? { nowMs: "(unixepoch() * 1000)", monthStartMs: "(unixepoch('now', 'start of month') * 1000)", dayAfterTomorrowMs: "((unixepoch() / 86400 + 2) * 86400000)", monthOf: (ms: string) => `strftime('%Y-%m', ${ms} / 1000, 'unixepoch')` }
    : {
        nowMs: "CAST(floor(extract(epoch FROM now())) * 1000 AS BIGINT)",
        monthStartMs: "CAST(extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'UTC')) * 1000 AS BIGINT)",
        dayAfterTomorrowMs: "CAST((floor(extract(epoch FROM now()) / 86400) + 2) * 86400000 AS BIGINT)",
        monthOf: (ms: string) => `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`,
      };

const paid = "('approved', 'exported', 'paid')";

/**
 * What clicks earn counts from this month on: before, nothing bounded it. Accounts that were paid for clicks start as reviewed, at
 * their largest payout, or at their standing sum and what clicks earned in their best paid month.
 */
function limitClicks(dialect: Dialect): string[] {
  const { nowMs, monthStartMs, dayAfterTomorrowMs, monthOf } = timeWordsOf(dialect);
  return [
    `INSERT INTO installation_dates (name, at) SELECT 'click_growth_from', ${monthStartMs} WHERE EXISTS (SELECT 1 FROM accounts)`,
    // From the second day on every node notes how many clicks came from a network before.
    `INSERT INTO installation_dates (name, at) SELECT 'click_orders_from', ${dayAfterTomorrowMs} WHERE EXISTS (SELECT 1 FROM accounts)`,
    `INSERT INTO growth_reviews (id, account_id, monthly_micro, reason, reviewed_at)
      SELECT 'review_clicks_' || s.account_id, s.account_id, CASE WHEN s.standing_micro > s.paid_micro THEN s.standing_micro ELSE s.paid_micro END,
        'Paid before the growth of clicks was limited.', ${nowMs}
      FROM (
        SELECT p.account_id, p.paid_micro, coalesce((
          SELECT r.monthly_micro FROM growth_reviews r WHERE r.account_id = p.account_id ORDER BY r.reviewed_at DESC, r.id DESC LIMIT 1
        ) + m.click_micro, 0) AS standing_micro
        FROM (SELECT account_id, max(month) AS month, max(amount_micro) AS paid_micro FROM payouts WHERE status IN ${paid} GROUP BY account_id) p
        JOIN (
          SELECT b.account_id, max(b.click_micro) AS click_micro FROM (
            SELECT c.account_id, ${monthOf("c.at")} AS month, sum(c.developer_micro) AS click_micro
            FROM clicks c WHERE c.status = 'confirmed' GROUP BY c.account_id, ${monthOf("c.at")}
          ) b JOIN (SELECT account_id, max(month) AS month FROM payouts WHERE status IN ${paid} GROUP BY account_id) q
            ON q.account_id = b.account_id AND b.month <= q.month
          GROUP BY b.account_id
        ) m ON m.account_id = p.account_id
      ) s`,
  ];
}

/** What was earned and cannot be examined: it waits, beside the days that are settled, until an operator has decided. */
export function waitingEarnings(dialect: Dialect): string[] {
  const { id, whole, clustered, end } = sqlWordsOf(dialect);
  return [
    `CREATE TABLE waiting_earnings (
      id ${id} NOT NULL PRIMARY KEY,
      account_id ${id} NOT NULL REFERENCES accounts (id),
      day ${whole} NOT NULL,
      reason TEXT NOT NULL CHECK (reason IN ('repeated_session', 'unexamined', 'crowded_network')),
      items ${whole} NOT NULL CHECK (items >= 0),
      developer_micro ${whole} NOT NULL CHECK (developer_micro >= 0),
      detail TEXT NOT NULL,
      at ${whole} NOT NULL,
      statement TEXT,
      stated_at ${whole},
      decision TEXT CHECK (decision IN ('settled', 'reversed')),
      resolution TEXT,
      decided_by ${id},
      decided_at ${whole},
      UNIQUE (account_id, day, reason)
    ) ${end}`,
    `CREATE INDEX waiting_earnings_open ON waiting_earnings (account_id, day) WHERE decision IS NULL`,
    `CREATE TABLE waiting_allowances (
      account_id ${id} NOT NULL REFERENCES accounts (id),
      reason TEXT NOT NULL CHECK (reason IN ('repeated_session', 'unexamined', 'crowded_network')),
      daily_micro ${whole} NOT NULL CHECK (daily_micro >= 0),
      note TEXT NOT NULL,
      set_by ${id},
      set_at ${whole} NOT NULL,
      PRIMARY KEY (account_id, reason)
    ) ${clustered}`,
    // How many paid clicks of the account came from this network before, on the day; nothing says which network it was.
    `ALTER TABLE clicks ADD COLUMN network_order ${whole}`,
    `ALTER TABLE clicks ADD COLUMN described ${whole}`,
    `ALTER TABLE clicks ADD COLUMN waiting_id ${id}`,
    ...limitClicks(dialect),
  ];
}

export const waitingIndexes: readonly IndexPlan[] = [{ name: "clicks_waiting", table: "clicks", columns: "waiting_id", where: "waiting_id IS NOT NULL" }];
