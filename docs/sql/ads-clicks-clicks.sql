-- Made by "npm run sql" from apps/api/src/ads/clicks/clicks.table.ts; do not edit.

-- insertClicks

-- SQLite
insert into "clicks" ("offer_id", "account_id", "campaign_id", "creative_id", "placement", "category", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "ledger_seq", "status", "settled_at", "reversal_seq", "reason")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "clicks" ("offer_id", "account_id", "campaign_id", "creative_id", "placement", "category", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "ledger_seq", "status", "settled_at", "reversal_seq", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- selectPaidClicks

-- SQLite
select "offer_id"
  from "clicks"
  where "offer_id" in (?);

-- PostgreSQL
select "offer_id"
  from "clicks"
  where "offer_id" in ($1);

-- setClickOrigin

-- SQLite
update "clicks" set "network_order" = ?, "described" = ?
  where "offer_id" = ?;

-- PostgreSQL
update "clicks" set "network_order" = $1, "described" = $2
  where "offer_id" = $3;

-- selectOldestPending

-- SQLite
select min("at") as "at"
  from "clicks"
  where "status" = ?;

-- PostgreSQL
select min("at") as "at"
  from "clicks"
  where "status" = $1;

-- selectAccountsOfDueClicks

-- SQLite
select distinct "account_id"
  from "clicks"
  where "status" = ? and "waiting_id" is null and "at" <= ? and "account_id" > ?
  order by "account_id"
  limit ?;

-- PostgreSQL
select distinct "account_id"
  from "clicks"
  where "status" = $1 and "waiting_id" is null and "at" <= $2 and "account_id" > $3
  order by "account_id"
  limit $4;

-- confirmClicks

-- SQLite
update "clicks" set "status" = ?, "settled_at" = ?
  where "status" = ? and "offer_id" in (select "c"."offer_id"
  from "clicks" as "c"
  where "c"."status" = ? and "c"."waiting_id" is null and "c"."at" <= ? and "c"."account_id" not in (?) and not exists (select 1 as "one"
  from "findings" as "f"
  where "f"."account_id" = "c"."account_id" and "f"."closed_at" is null) and not exists (select 1 as "one"
  from "money_holds" as "h"
  where "h"."account_id" = "c"."account_id" and "h"."lifted_at" is null)
  order by "c"."at"
  limit ?);

-- PostgreSQL
update "clicks" set "status" = $1, "settled_at" = $2
  where "status" = $3 and "offer_id" in (select "c"."offer_id"
  from "clicks" as "c"
  where "c"."status" = $4 and "c"."waiting_id" is null and "c"."at" <= $5 and "c"."account_id" not in ($6) and not exists (select 1 as "one"
  from "findings" as "f"
  where "f"."account_id" = "c"."account_id" and "f"."closed_at" is null) and not exists (select 1 as "one"
  from "money_holds" as "h"
  where "h"."account_id" = "c"."account_id" and "h"."lifted_at" is null)
  order by "c"."at"
  limit $7);

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
select "offer_id", "account_id", "campaign_id", "creative_id", "placement", "category", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "status"
  from "clicks"
  where "offer_id" in (?)
  order by "offer_id";

-- PostgreSQL
select "offer_id", "account_id", "campaign_id", "creative_id", "placement", "category", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "status"
  from "clicks"
  where "offer_id" in ($1)
  order by "offer_id" for update;

-- markReversed

-- SQLite
update "clicks" set "status" = ?, "settled_at" = ?, "reversal_seq" = ?, "reason" = ?
  where "offer_id" = ? and "status" = ?;

-- PostgreSQL
update "clicks" set "status" = $1, "settled_at" = $2, "reversal_seq" = $3, "reason" = $4
  where "offer_id" = $5 and "status" = $6;

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
