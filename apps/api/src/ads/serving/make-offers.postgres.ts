import type { Pool } from "pg";
import { toParameters } from "../../store/batch-columns.ts";
import { storedFields, type OfferColumns, offerFields, type RefusedRows } from "./offer-batch.ts";

/** The session id comes last: it is counted, not stored. */
const arrays = Object.values(offerFields).map(({ type }, index) => `$${index + 2}::${type}[]`).join(", ");
const stored = storedFields.map(({ column }) => column).join(", ");

/**
 * The whole batch in one statement: it counts sessions, inserts the offers within their limit, and adds them to the
 * hourly sums and to those of their categories. Rows are locked in key order, as everywhere, so that nodes cannot deadlock;
 * `categorised` counts the rows of `summed`, so that hours are locked before categories.
 */
export const makeOffers = {
  name: "make-offers",
  text: `
    WITH wanted AS (
      SELECT *, row_number() OVER (PARTITION BY account_id, session_id ORDER BY place) AS turn,
        count(*) OVER (PARTITION BY account_id, session_id) AS turns
      FROM unnest(${arrays}) WITH ORDINALITY AS w (${stored}, session_id, place)
    ), counted AS (
      INSERT INTO session_offers (account_id, session_id, offers)
      SELECT account_id, session_id, count(*) FROM wanted WHERE session_id IS NOT NULL
      GROUP BY account_id, session_id ORDER BY account_id COLLATE "C", session_id COLLATE "C"
      ON CONFLICT (account_id, session_id) DO UPDATE SET offers = session_offers.offers + excluded.offers
      RETURNING account_id, session_id, offers
    ), granted AS (
      SELECT w.* FROM wanted w LEFT JOIN counted c ON c.account_id = w.account_id AND c.session_id = w.session_id
      WHERE w.session_id IS NULL OR c.offers - w.turns + w.turn <= $1
    ), made AS (
      INSERT INTO offers (${stored}) SELECT ${stored} FROM granted
    ), summed AS (
      INSERT INTO ad_hours (account_id, hour, campaign_id, creative_id, placement, trust_band, offers, impressions,
        valid_clicks, spend_micro, developer_micro)
      SELECT account_id, at - at % 3600000, campaign_id, creative_id, placement, trust_band, count(*), 0, 0, 0, 0
      FROM granted WHERE mode = 'live' GROUP BY 1, 2, 3, 4, 5, 6
      ORDER BY account_id COLLATE "C", 2, campaign_id COLLATE "C", creative_id COLLATE "C", placement, trust_band
      ON CONFLICT (account_id, hour, campaign_id, creative_id, placement, trust_band)
        DO UPDATE SET offers = ad_hours.offers + excluded.offers
      RETURNING 1
    ), categorised AS (
      INSERT INTO ad_category_days (account_id, day, category, offers, impressions, valid_clicks, developer_micro)
      SELECT account_id, at - at % 86400000, category, count(*), 0, 0, 0
      FROM granted WHERE mode = 'live' AND (SELECT count(*) FROM summed) > 0 GROUP BY 1, 2, 3
      ORDER BY account_id COLLATE "C", 2, category COLLATE "C"
      ON CONFLICT (account_id, day, category) DO UPDATE SET offers = ad_category_days.offers + excluded.offers
    )
    SELECT place FROM granted`,
};

export async function makeOffersOnPostgres(pool: Pool, columns: OfferColumns): Promise<RefusedRows> {
  const values = [columns.offersPerSessionMax, ...toParameters(offerFields, columns)];
  const { rows } = await pool.query<{ place: number }>({ ...makeOffers, values });
  if (rows.length === columns.id.length) return [];
  const granted = new Set(rows.map(({ place }) => place - 1));
  return columns.id.flatMap((_, row) => (granted.has(row) ? [] : [row]));
}
