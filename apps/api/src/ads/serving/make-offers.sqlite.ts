/** SQLite's half of make-offers.ts: runs on the writer's thread, inside the transaction that the worker opened. */
import type { DatabaseSync } from "node:sqlite";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import type { OfferColumns, RefusedRows } from "./offer-batch.ts";
import { startOfHour } from "../../formats/time.ts";

function prepareStatements(database: DatabaseSync) {
  return {
    countOfSession: database.prepare(
      `INSERT INTO session_offers (account_id, session_id, offers) VALUES (?, ?, 1)
       ON CONFLICT (account_id, session_id) DO UPDATE SET offers = offers + 1 RETURNING offers`,
    ),
    insertOffer: database.prepare(
      `INSERT INTO offers (id, account_id, mode, campaign_id, creative_id, format, placement, category, trust_band,
         price_micro, share_bps, developer_micro, at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addToHour: database.prepare(
      `INSERT INTO ad_hours (account_id, hour, campaign_id, creative_id, placement, trust_band, offers, impressions,
         valid_clicks, spend_micro, developer_micro) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)
       ON CONFLICT (account_id, hour, campaign_id, creative_id, placement, trust_band) DO UPDATE SET offers = offers + excluded.offers`,
    ),
  };
}

/** Rows that add to the same hour of the same ad are summed first, and written once. */
type HourSum = { row: number; hour: number; offers: number };

export const procedure: SqliteProcedure<OfferColumns, RefusedRows> = (database) => {
  const sql = prepareStatements(database);

  function isWithinSession(columns: OfferColumns, row: number): boolean {
    const sessionId = columns.sessionId[row]!;
    const { offers } = sql.countOfSession.get(columns.accountId[row]!, sessionId) as { offers: number };
    return offers <= columns.offersPerSessionMax;
  }

  function insertOffer(columns: OfferColumns, row: number): void {
    sql.insertOffer.run(
      columns.id[row]!,
      columns.accountId[row]!,
      columns.mode[row]!,
      columns.campaignId[row]!,
      columns.creativeId[row]!,
      columns.format[row]!,
      columns.placement[row]!,
      columns.category[row]!,
      columns.trustBand[row]!,
      columns.priceMicroUsd[row]!,
      columns.shareBps[row]!,
      columns.developerMicroUsd[row]!,
      columns.atMs[row]!,
      columns.expiresMs[row]!,
    );
  }

  return (columns) => {
    const refused: RefusedRows = [];
    const hours = new Map<string, HourSum>();
    for (let row = 0; row < columns.id.length; row += 1) {
      if (columns.sessionId[row] !== null && !isWithinSession(columns, row)) {
        refused.push(row);
        continue;
      }
      insertOffer(columns, row);
      if (columns.mode[row] !== "live") continue;
      const hour = startOfHour(columns.atMs[row]!);
      const name = `${columns.accountId[row]} ${columns.creativeId[row]} ${columns.placement[row]} ${columns.trustBand[row]} ${hour}`;
      const sum = hours.get(name);
      if (sum) sum.offers += 1;
      else hours.set(name, { row, hour, offers: 1 });
    }
    for (const { row, hour, offers } of hours.values()) {
      const { accountId, campaignId, creativeId, placement, trustBand } = columns;
      sql.addToHour.run(accountId[row]!, hour, campaignId[row]!, creativeId[row]!, placement[row]!, trustBand[row]!, offers);
    }
    return refused;
  };
};
