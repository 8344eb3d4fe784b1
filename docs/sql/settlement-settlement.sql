-- Made by "npm run sql" from apps/api/src/settlement/settlement.table.ts; do not edit.

-- confirmClicks

-- SQLite
update "clicks" set "status" = ?, "settled_at" = ?
  where "status" = ? and "offer_id" in (select "c"."offer_id"
  from "clicks" as "c"
  where "c"."status" = ? and "c"."at" <= ? and not exists (select 1 as "one"
  from "findings" as "f"
  where "f"."account_id" = "c"."account_id" and "f"."closed_at" is null)
  order by "c"."at"
  limit ?);

-- PostgreSQL
update "clicks" set "status" = $1, "settled_at" = $2
  where "status" = $3 and "offer_id" in (select "c"."offer_id"
  from "clicks" as "c"
  where "c"."status" = $4 and "c"."at" <= $5 and not exists (select 1 as "one"
  from "findings" as "f"
  where "f"."account_id" = "c"."account_id" and "f"."closed_at" is null)
  order by "c"."at"
  limit $6);

-- selectAccountsOfClicks

-- SQLite
select "offer_id", "account_id"
  from "clicks"
  where "offer_id" in (?);

-- PostgreSQL
select "offer_id", "account_id"
  from "clicks"
  where "offer_id" in ($1);

-- lockClicks

-- SQLite
select "offer_id", "account_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "status"
  from "clicks"
  where "offer_id" in (?)
  order by "offer_id";

-- PostgreSQL
select "offer_id", "account_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "status"
  from "clicks"
  where "offer_id" in ($1)
  order by "offer_id" for update;

-- selectCategoryOfOffer

-- SQLite
select "category"
  from "offers"
  where "id" = ?;

-- PostgreSQL
select "category"
  from "offers"
  where "id" = $1;

-- markReversed

-- SQLite
update "clicks" set "status" = ?, "settled_at" = ?, "reversal_seq" = ?, "reason" = ?
  where "offer_id" = ? and "status" = ?;

-- PostgreSQL
update "clicks" set "status" = $1, "settled_at" = $2, "reversal_seq" = $3, "reason" = $4
  where "offer_id" = $5 and "status" = $6;

-- giveBackToCampaign

-- SQLite
update "campaigns" set "spent_micro" = "spent_micro" - ?
  where "id" = ?;

-- PostgreSQL
update "campaigns" set "spent_micro" = "spent_micro" - $1
  where "id" = $2;

-- giveBackToDay

-- SQLite
update "campaign_days" set "spent_micro" = "spent_micro" - ?
  where "campaign_id" = ? and "day" = ?;

-- PostgreSQL
update "campaign_days" set "spent_micro" = "spent_micro" - $1
  where "campaign_id" = $2 and "day" = $3;

-- takeFromHour

-- SQLite
update "ad_hours" set "valid_clicks" = "valid_clicks" - ?, "spend_micro" = "spend_micro" - ?, "developer_micro" = "developer_micro" - ?
  where "account_id" = ? and "hour" = ? and "campaign_id" = ? and "creative_id" = ? and "placement" = ? and "trust_band" = ?;

-- PostgreSQL
update "ad_hours" set "valid_clicks" = "valid_clicks" - $1, "spend_micro" = "spend_micro" - $2, "developer_micro" = "developer_micro" - $3
  where "account_id" = $4 and "hour" = $5 and "campaign_id" = $6 and "creative_id" = $7 and "placement" = $8 and "trust_band" = $9;

-- unlearnClick

-- SQLite
update "click_rates" set "clicks" = "clicks" - ?
  where "creative_id" = ? and "placement" = ? and "category" = ? and "clicks" > ?;

-- PostgreSQL
update "click_rates" set "clicks" = "clicks" - $1
  where "creative_id" = $2 and "placement" = $3 and "category" = $4 and "clicks" > $5;

-- countByPlacement

-- SQLite
select "account_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= ? and "hour" < ?
  group by "account_id", "placement";

-- PostgreSQL
select "account_id", "placement", sum(impressions) as "impressions", sum(valid_clicks) as "clicks"
  from "ad_hours"
  where "hour" >= $1 and "hour" < $2
  group by "account_id", "placement";

-- selectClickTimes

-- SQLite
select "at"
  from "clicks"
  where "account_id" = ? and "at" >= ? and "at" < ?
  order by "at" desc
  limit ?;

-- PostgreSQL
select "at"
  from "clicks"
  where "account_id" = $1 and "at" >= $2 and "at" < $3
  order by "at" desc
  limit $4;

-- openFinding

-- SQLite
insert into "findings" ("id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution")
  values (?, ?, ?, ?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "findings" ("id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict do nothing;

-- closeFinding

-- SQLite
update "findings" set "closed_at" = ?, "resolution" = ?
  where "id" = ? and "closed_at" is null;

-- PostgreSQL
update "findings" set "closed_at" = $1, "resolution" = $2
  where "id" = $3 and "closed_at" is null;

-- selectFindings

-- SQLite
select "id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"
  from "findings"
  where "account_id" = ?
  order by closed_at IS NOT NULL, "opened_at" desc
  limit ?;

-- PostgreSQL
select "id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"
  from "findings"
  where "account_id" = $1
  order by closed_at IS NOT NULL, "opened_at" desc
  limit $2;

-- selectPendingClicks

-- SQLite
select "offer_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro"
  from "clicks"
  where "account_id" = ? and "status" = ?
  order by "at" desc
  limit ?;

-- PostgreSQL
select "offer_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro"
  from "clicks"
  where "account_id" = $1 and "status" = $2
  order by "at" desc
  limit $3;
