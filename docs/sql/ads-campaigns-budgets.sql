-- Made by "npm run sql" from apps/api/src/ads/campaigns/budgets.table.ts; do not edit.

-- lockCampaigns

-- SQLite
select "id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro", "bid_micro"
  from "campaigns"
  where "id" in (?)
  order by "id";

-- PostgreSQL
select "id", "status", "starts_at", "ends_at", "budget_micro", "spent_micro", "daily_budget_micro", "bid_micro"
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

-- refundCampaign

-- SQLite
update "campaigns" set "spent_micro" = "spent_micro" - ?
  where "id" = ?;

-- PostgreSQL
update "campaigns" set "spent_micro" = "spent_micro" - $1
  where "id" = $2;

-- refundDay

-- SQLite
update "campaign_days" set "spent_micro" = "spent_micro" - ?
  where "campaign_id" = ? and "day" = ?;

-- PostgreSQL
update "campaign_days" set "spent_micro" = "spent_micro" - $1
  where "campaign_id" = $2 and "day" = $3;

-- selectSpendingOf

-- SQLite
select "spent_micro"
  from "campaign_days"
  where "campaign_id" = ? and "day" = ?;

-- PostgreSQL
select "spent_micro"
  from "campaign_days"
  where "campaign_id" = $1 and "day" = $2;

-- selectSpending

-- SQLite
select "c"."id", "c"."spent_micro", "d"."spent_micro" as "spent_today_micro"
  from "campaigns" as "c"
  left join "campaign_days" as "d" on "d"."campaign_id" = "c"."id" and "d"."day" = ?
  where "c"."id" > ? and "c"."status" = ?
  order by "c"."id"
  limit ?;

-- PostgreSQL
select "c"."id", "c"."spent_micro", "d"."spent_micro" as "spent_today_micro"
  from "campaigns" as "c"
  left join "campaign_days" as "d" on "d"."campaign_id" = "c"."id" and "d"."day" = $1
  where "c"."id" > $2 and "c"."status" = $3
  order by "c"."id"
  limit $4;
