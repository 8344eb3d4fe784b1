import { currentModel } from "@assay/scoring/current-model.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lowestIdAt, randomBase62 } from "../apps/api/src/ids/time-ordered-id.ts";

const msPerDay = 24 * 3_600_000;
const seededDays = 365;
const sessionDays = 90;
/** Every nth entry is a click. */
const clickEvery = 50;
const logLinesMax = 200_000;

/** Ids for past times: real ids only move forward. */
const idAt = (prefix: string, atMs: number) => `${lowestIdAt(prefix, atMs)}${randomBase62(14)}`;

type Seed = { accountId: string; keyId: string; entries: number; nowMs: number };

/** Entries evenly over a year, generated in SQL: nothing else is fast enough for ten million. */
function seedLedger(database: DatabaseSync, { accountId, entries, nowMs }: Seed): void {
  const fromMs = nowMs - seededDays * msPerDay;
  const stepMs = (seededDays * msPerDay) / entries;
  const guard = database.prepare("SELECT sql FROM sqlite_schema WHERE name = 'ledger_entries_no_replace'").get() as { sql: string };
  database.exec("DROP TRIGGER ledger_entries_no_replace");
  database.exec(`WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${entries})
    INSERT INTO ledger_entries (account_id, seq, at, kind, ref, endpoint, payer, share_bps, gross_micro, developer_micro, platform_micro, prev_hash, hash)
    SELECT '${accountId}', seq, CAST(${fromMs} + seq * ${stepMs} AS INTEGER),
      iif(seq % ${clickEvery} = 0, 'click', 'call'), 'sess_' || hex(randomblob(11)),
      iif(seq % ${clickEvery} = 0, 'click', iif(seq % 3 = 0, 'analyze', 'predict')),
      iif(seq % ${clickEvery} = 0, 'advertiser', 'platform'), 6800, 50000, 34000, 16000, hex(randomblob(32)), hex(randomblob(32)) FROM n`);
  database.exec(guard.sql);
  database.exec(`INSERT INTO usage_rollups (account_id, hour, endpoint, payer, share_bps, calls, gross_micro, developer_micro, platform_micro)
    SELECT account_id, at - at % 3600000, endpoint, payer, share_bps, count(*), sum(gross_micro), sum(developer_micro), sum(platform_micro)
    FROM ledger_entries WHERE kind = 'call' GROUP BY 1, 2, 3, 4, 5`);
  database.exec(`INSERT INTO movement_hours (account_id, hour, kind, payer, entries, gross_micro, developer_micro, platform_micro)
    SELECT account_id, at - at % 3600000, kind, payer, count(*), sum(gross_micro), sum(developer_micro), sum(platform_micro)
    FROM ledger_entries WHERE kind <> 'call' GROUP BY 1, 2, 3, 4`);
  database.exec(`UPDATE ledger_heads SET seq = ${entries}, at = ${nowMs}, balance_micro = 34000 * ${entries},
    hash = (SELECT hash FROM ledger_entries WHERE account_id = '${accountId}' AND seq = ${entries}) WHERE account_id = '${accountId}'`);
}

function seedClicks(database: DatabaseSync, { accountId, nowMs }: Seed): void {
  database.exec(`INSERT INTO advertisers (id, name, created_at) VALUES ('adv_1', 'Acme', 0)`);
  database.exec(`INSERT INTO campaigns (id, advertiser_id, name, status, house, budget_micro, bid_micro, starts_at, categories, placements, min_trust, pacing, created_at, changed_at)
    VALUES ('camp_1', 'adv_1', 'Spring', 'active', 0, 1000000000000, 50000, 0, '[]', '[]', 0, 'asap', 0, 0)`);
  const settled = nowMs - 7 * msPerDay;
  database.exec(`INSERT INTO clicks (offer_id, account_id, campaign_id, creative_id, placement, trust_band, at, price_micro, developer_micro, share_bps, ledger_seq, status, settled_at)
    SELECT 'ad_' || seq, account_id, 'camp_1', 'cr_1', 'feed', 'high', at, gross_micro, developer_micro, share_bps, seq,
      iif(at > ${settled}, 'pending', 'confirmed'), iif(at > ${settled}, NULL, at)
    FROM ledger_entries WHERE account_id = '${accountId}' AND kind = 'click'`);
}

/** Session records within retention, oldest first, with varying signals. */
function seedSessions(database: DatabaseSync, { accountId, entries, nowMs }: Seed): void {
  const insert = database.prepare(
    `INSERT INTO session_records (account_id, id, mode, endpoint, at, user_engagement, session_duration, scroll_depth, interaction_count,
      page_views, return_visitor, service_score, confidence, recommendation, model_version, processing_time_ms, ledger_seq)
     VALUES (?, ?, 'live', 'predict', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0.5, ?)`,
  );
  const sessions = Math.floor((entries * sessionDays) / seededDays);
  const stepMs = (sessionDays * msPerDay) / sessions;
  for (let index = 0; index < sessions; index += 1) {
    const atMs = Math.floor(nowMs - sessionDays * msPerDay + index * stepMs);
    const signals = {
      user_engagement: (index % 101) / 100,
      session_duration: (index * 7) % 1_800,
      scroll_depth: (index % 97) / 96,
      interaction_count: index % 40,
      page_views: index % 12,
      return_visitor: index % 3 === 0,
    };
    const score = currentModel.score(signals);
    insert.run(accountId, idAt("sess", atMs), atMs, signals.user_engagement, signals.session_duration, signals.scroll_depth, signals.interaction_count,
      signals.page_views, Number(signals.return_visitor), score.serviceScore, score.confidence, score.recommendation, currentModel.version, entries - sessions + index + 1);
  }
}

function seedRequests(database: DatabaseSync, { accountId, keyId, entries, nowMs }: Seed): void {
  const logLines = Math.min(entries, logLinesMax);
  database.exec(`INSERT INTO request_hours (account_id, hour, endpoint, key_id, status, requests)
    SELECT u.account_id, u.hour, u.endpoint, '${keyId}', s.status, u.calls
    FROM (SELECT account_id, hour, endpoint, sum(calls) AS calls FROM usage_rollups GROUP BY 1, 2, 3) u,
      (SELECT 200 AS status UNION SELECT 400 UNION SELECT 429) s`);
  const insert = database.prepare(
    `INSERT INTO request_logs (account_id, id, at, request_id, method, endpoint, key_id, status, duration_ms, requests)
     VALUES (?, ?, ?, ?, 'POST', '/api/ml/predict', ?, 200, 0.8, 1)`,
  );
  for (let line = 0; line < logLines; line += 1) {
    const atMs = Math.floor(nowMs - 7 * msPerDay + ((line + 1) * 7 * msPerDay) / logLines);
    insert.run(accountId, idAt("log", atMs), atMs, `req_${line}`, keyId);
  }
}

/** Fills a store's database file with a year of one account's calls, clicks, sessions and request logs. */
export function seedDashboard(dataDir: string, seed: Seed): void {
  const database = new DatabaseSync(join(dataDir, "assay.sqlite"), { timeout: 60_000 });
  database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -500000; BEGIN IMMEDIATE");
  seedSessions(database, seed);
  seedLedger(database, seed);
  seedClicks(database, seed);
  seedRequests(database, seed);
  database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE); ANALYZE");
  database.close();
}
