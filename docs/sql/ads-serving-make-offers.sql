-- Made by "npm run sql" from apps/api/src/ads/serving/make-offers.*; do not edit.

-- SQLite

-- countOfSession
INSERT INTO session_offers (account_id, session_id, offers) VALUES (?, ?, 1)
    ON CONFLICT (account_id, session_id) DO UPDATE SET offers = offers + 1 RETURNING offers;

-- insertOffer
INSERT INTO offers (id, account_id, mode, campaign_id, creative_id, format, placement, trust_band, price_micro, share_bps, developer_micro, at, expires_at, category) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- addToHour
INSERT INTO ad_hours (account_id, hour, campaign_id, creative_id, placement, trust_band, offers, impressions,
      valid_clicks, spend_micro, developer_micro) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0)
    ON CONFLICT (account_id, hour, campaign_id, creative_id, placement, trust_band) DO UPDATE SET offers = offers + excluded.offers;

-- addToCategory
INSERT INTO ad_category_days (account_id, day, category, offers, impressions, valid_clicks, developer_micro)
    VALUES (?, ?, ?, ?, 0, 0, 0) ON CONFLICT (account_id, day, category) DO UPDATE SET offers = offers + excluded.offers;

-- PostgreSQL

-- makeOffers
WITH wanted AS (
      SELECT *, row_number() OVER (PARTITION BY account_id, session_id ORDER BY place) AS turn,
        count(*) OVER (PARTITION BY account_id, session_id) AS turns
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bigint[], $14::bigint[], $15::bigint[], $16::text[]) WITH ORDINALITY AS w (id, account_id, mode, campaign_id, creative_id, format, placement, category, trust_band, price_micro, share_bps, developer_micro, at, expires_at, session_id, place)
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
      INSERT INTO offers (id, account_id, mode, campaign_id, creative_id, format, placement, category, trust_band, price_micro, share_bps, developer_micro, at, expires_at) SELECT id, account_id, mode, campaign_id, creative_id, format, placement, category, trust_band, price_micro, share_bps, developer_micro, at, expires_at FROM granted
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
    SELECT place FROM granted;
