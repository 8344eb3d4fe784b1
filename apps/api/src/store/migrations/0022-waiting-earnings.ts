import { type Dialect, type IndexPlan, sqlWordsOf } from "./migration.ts";

/** The words of time, which differ between the databases. */
const timeWordsOf = (dialect: Dialect) =>
  dialect === "sqlite"
    ? { nowMs: "(unixepoch() * 1000)", dayAfterTomorrowMs: "((unixepoch() / 86400 + 2) * 86400000)", monthOf: (ms: string) => `strftime('%Y-%m', ${ms} / 1000, 'unixepoch')` }
    : {
        nowMs: "CAST(floor(extract(epoch FROM now())) * 1000 AS BIGINT)",
        dayAfterTomorrowMs: "CAST((floor(extract(epoch FROM now()) / 86400) + 2) * 86400000 AS BIGINT)",
        monthOf: (ms: string) => `to_char(to_timestamp(${ms} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM')`,
      };

/**
 * What clicks earn counts for growth: before, nothing bounded it. Of accounts that were paid for clicks it counts as far as it
 * exceeds their best paid month. That says nothing about their calls: who was never reviewed stays so.
 */
function limitClicks(dialect: Dialect): string[] {
  const { nowMs, dayAfterTomorrowMs, monthOf } = timeWordsOf(dialect);
  return [
    // From the second day on every node notes how many clicks came from a network before.
    `INSERT INTO installation_dates (name, at) SELECT 'click_orders_from', ${dayAfterTomorrowMs} WHERE EXISTS (SELECT 1 FROM accounts)`,
    `INSERT INTO growth_reviews (id, account_id, monthly_micro, reason, reviewed_at, granted_through)
      SELECT 'review_clicks_' || p.account_id, p.account_id, max(m.click_micro), 'Paid before the growth of clicks was limited: so much a month of clicks alone.', ${nowMs}, p.month
      FROM (SELECT account_id, max(month) AS month FROM payouts WHERE status IN ('approved', 'exported', 'paid') GROUP BY account_id) p
      JOIN (
        SELECT account_id, ${monthOf("at")} AS month, sum(developer_micro) AS click_micro
        FROM clicks WHERE status = 'confirmed' GROUP BY account_id, ${monthOf("at")}
      ) m ON m.account_id = p.account_id AND m.month <= p.month
      GROUP BY p.account_id, p.month`,
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
