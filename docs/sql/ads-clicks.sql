-- Made by "npm run sql" from apps/api/src/ads/clicks.table.ts; do not edit.

-- lockCampaigns

-- SQLite
select "id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro"
  from "campaigns"
  where "id" in (?)
  order by "id";

-- PostgreSQL
select "id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro"
  from "campaigns"
  where "id" in ($1)
  order by "id" for update;

-- selectSpentOnDays

-- SQLite
select "campaign_id", "day", "spent_micro"
  from "campaign_days"
  where "campaign_id" in (?) and "day" in (?);

-- PostgreSQL
select "campaign_id", "day", "spent_micro"
  from "campaign_days"
  where "campaign_id" in ($1) and "day" in ($2);

-- spendOfCampaign

-- SQLite
update "campaigns" set "spent_micro" = "spent_micro" + ?
  where "id" = ? and "spent_micro" + ? <= "budget_micro";

-- PostgreSQL
update "campaigns" set "spent_micro" = "spent_micro" + $1
  where "id" = $2 and "spent_micro" + $3 <= "budget_micro";

-- spendOnDay

-- SQLite
insert into "campaign_days" ("campaign_id", "day", "spent_micro") select "id", cast(? as bigint) as "day", cast(? as bigint) as "spent_micro"
  from "campaigns"
  where "id" = ? and ("daily_budget_micro" is null or "daily_budget_micro" >= ?)
  on conflict ("campaign_id", "day") do update set "spent_micro" = campaign_days.spent_micro + excluded.spent_micro
  where campaign_days.spent_micro + excluded.spent_micro <= coalesce((select c.daily_budget_micro
  from campaigns as c
  where c.id = excluded.campaign_id), campaign_days.spent_micro + excluded.spent_micro);

-- PostgreSQL
insert into "campaign_days" ("campaign_id", "day", "spent_micro") select "id", cast($1 as bigint) as "day", cast($2 as bigint) as "spent_micro"
  from "campaigns"
  where "id" = $3 and ("daily_budget_micro" is null or "daily_budget_micro" >= $4)
  on conflict ("campaign_id", "day") do update set "spent_micro" = campaign_days.spent_micro + excluded.spent_micro
  where campaign_days.spent_micro + excluded.spent_micro <= coalesce((select c.daily_budget_micro
  from campaigns as c
  where c.id = excluded.campaign_id), campaign_days.spent_micro + excluded.spent_micro);

-- insertClicks

-- SQLite
insert into "clicks" ("offer_id", "account_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "ledger_seq", "status", "settled_at", "reversal_seq", "reason")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "clicks" ("offer_id", "account_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro", "share_bps", "ledger_seq", "status", "settled_at", "reversal_seq", "reason")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- noteFirstClicks

-- SQLite
update "offers" set "clicked_at" = ?, "verdict" = ?
  where "id" in (?) and "clicked_at" is null;

-- PostgreSQL
update "offers" set "clicked_at" = $1, "verdict" = $2
  where "id" in ($3) and "clicked_at" is null;

-- settleAwaiting

-- SQLite
update "offers" set "verdict" = ?
  where "id" in (?) and "verdict" = ?;

-- PostgreSQL
update "offers" set "verdict" = $1
  where "id" in ($2) and "verdict" = $3;

-- noteImpressions

-- SQLite
update "offers" set "impressed_at" = ?
  where "id" in (?) and "impressed_at" is null;

-- PostgreSQL
update "offers" set "impressed_at" = $1
  where "id" in ($2) and "impressed_at" is null;
