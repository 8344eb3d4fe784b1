-- Made by "npm run sql" from apps/api/src/register/tier-requests.table.ts; do not edit.

-- selectPendingTierRequest

-- SQLite
select "id", "tier", "requested_at"
  from "tier_requests"
  where "account_id" = ? and "state" = ?;

-- PostgreSQL
select "id", "tier", "requested_at"
  from "tier_requests"
  where "account_id" = $1 and "state" = $2;

-- selectUndecidedTierRequests

-- SQLite
select "tier", "state"
  from "tier_requests"
  where "account_id" = ? and ("state" = ? or ("state" = ? and "requested_at" > ?));

-- PostgreSQL
select "tier", "state"
  from "tier_requests"
  where "account_id" = $1 and ("state" = $2 or ("state" = $3 and "requested_at" > $4));

-- withdrawTierRequest

-- SQLite
update "tier_requests" set "state" = ?, "decided_at" = ?
  where "account_id" = ? and "state" = ?;

-- PostgreSQL
update "tier_requests" set "state" = $1, "decided_at" = $2
  where "account_id" = $3 and "state" = $4;

-- insertTierRequest

-- SQLite
insert into "tier_requests" ("id", "account_id", "tier", "state", "requested_at", "decided_at")
  values (?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "tier_requests" ("id", "account_id", "tier", "state", "requested_at", "decided_at")
  values ($1, $2, $3, $4, $5, $6);

-- selectTierRequest

-- SQLite
select "id", "account_id", "tier", "state"
  from "tier_requests"
  where "id" = ?;

-- PostgreSQL
select "id", "account_id", "tier", "state"
  from "tier_requests"
  where "id" = $1;

-- decideTierRequest

-- SQLite
update "tier_requests" set "state" = ?, "decided_at" = ?
  where "id" = ? and "state" = ?;

-- PostgreSQL
update "tier_requests" set "state" = $1, "decided_at" = $2
  where "id" = $3 and "state" = $4;
