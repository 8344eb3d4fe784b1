/** SQLite's half of make-offers.ts: runs on the writer thread, inside the transaction that the worker opened. */
import { startOfHour } from "../../formats/time.ts";
import { insertText } from "../../store/batch-columns.ts";
import type { SqliteProcedure } from "../../store/sqlite-worker.ts";
import { storedFields, type OfferColumns, type RefusedRows } from "./offer-batch.ts";

export const statements = {
  countOfSession: `INSERT INTO session_offers (account_id, session_id, offers) VALUES (?, ?, 1)
    ON CONFLICT (account_id, session_id) DO UPDATE SET offers = offers + 1 RETURNING offers`,
  insertOffer: insertText("offers", storedFields.map(({ column }) => column)),
  addToHour: `INSERT INTO ad_hours (account_id, hour, campaign_id, creative_id, placement, trust_band, offers, impressions,
      valid_clicks, spend_micro, developer_micro) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)
    ON CONFLICT (account_id, hour, campaign_id, creative_id, placement, trust_band) DO UPDATE SET offers = offers + excluded.offers`,
};

/** Rows for the same hour of the same ad are summed and written once. */
type HourSum = { row: number; hour: number; offers: number };

export const procedure: SqliteProcedure<OfferColumns, RefusedRows> = (database) => {
  const countOfSession = database.prepare(statements.countOfSession);
  const insertOffer = database.prepare(statements.insertOffer);
  const addToHour = database.prepare(statements.addToHour);

  function isWithinSession(columns: OfferColumns, row: number): boolean {
    const { offers } = countOfSession.get(columns.accountId[row]!, columns.sessionId[row]!) as { offers: number };
    return offers <= columns.offersPerSessionMax;
  }

  return (columns) => {
    const { accountId, mode, campaignId, creativeId, placement, trustBand, atMs, sessionId } = columns;
    const storedColumns = storedFields.map(({ name }) => columns[name]);
    const refused: RefusedRows = [];
    const hours = new Map<string, HourSum>();
    for (let row = 0; row < columns.id.length; row += 1) {
      if (sessionId[row] !== null && !isWithinSession(columns, row)) {
        refused.push(row);
        continue;
      }
      insertOffer.run(...storedColumns.map((values) => values[row]!));
      if (mode[row] !== "live") continue;
      const hour = startOfHour(atMs[row]!);
      const name = `${accountId[row]} ${creativeId[row]} ${placement[row]} ${trustBand[row]} ${hour}`;
      const sum = hours.get(name);
      if (sum) sum.offers += 1;
      else hours.set(name, { row, hour, offers: 1 });
    }
    for (const { row, hour, offers } of hours.values()) {
      addToHour.run(accountId[row]!, hour, campaignId[row]!, creativeId[row]!, placement[row]!, trustBand[row]!, offers);
    }
    return refused;
  };
};
