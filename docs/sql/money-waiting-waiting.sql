-- Made by "npm run sql" from apps/api/src/money/waiting/waiting.table.ts; do not edit.

-- insertWaiting

-- SQLite
insert into "waiting_earnings" ("id", "account_id", "day", "reason", "items", "developer_micro", "detail", "at")
  values (?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "day", "reason") do nothing;

-- PostgreSQL
insert into "waiting_earnings" ("id", "account_id", "day", "reason", "items", "developer_micro", "detail", "at")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("account_id", "day", "reason") do nothing;

-- selectWaiting

-- SQLite
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at"
  from "waiting_earnings" as "w"
  where "w"."id" = ?;

-- PostgreSQL
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at"
  from "waiting_earnings" as "w"
  where "w"."id" = $1;

-- selectWaitingOfAccount

-- SQLite
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at"
  from "waiting_earnings" as "w"
  where "w"."account_id" = ?
  order by CASE WHEN w.decision IS NULL THEN 0 ELSE 1 END, "w"."day" desc, "w"."id"
  limit ?;

-- PostgreSQL
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at"
  from "waiting_earnings" as "w"
  where "w"."account_id" = $1
  order by CASE WHEN w.decision IS NULL THEN 0 ELSE 1 END, "w"."day" desc, "w"."id"
  limit $2;

-- selectUndecided

-- SQLite
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at", "a"."email"
  from "waiting_earnings" as "w"
  inner join "accounts" as "a" on "a"."id" = "w"."account_id"
  where "w"."decision" is null
  order by "w"."developer_micro" desc, "w"."at", "w"."id"
  limit ?;

-- PostgreSQL
select "w"."id", "w"."account_id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail", "w"."at", "w"."statement", "w"."stated_at", "w"."decision", "w"."resolution", "w"."decided_by", "w"."decided_at", "a"."email"
  from "waiting_earnings" as "w"
  inner join "accounts" as "a" on "a"."id" = "w"."account_id"
  where "w"."decision" is null
  order by "w"."developer_micro" desc, "w"."at", "w"."id"
  limit $1;

-- selectGivenUp

-- SQLite
select "w"."id"
  from "waiting_earnings" as "w"
  inner join "account_closures" as "c" on "c"."account_id" = "w"."account_id"
  where "w"."decision" is null and "c"."forfeited" = ?
  order by "w"."id"
  limit ?;

-- PostgreSQL
select "w"."id"
  from "waiting_earnings" as "w"
  inner join "account_closures" as "c" on "c"."account_id" = "w"."account_id"
  where "w"."decision" is null and "c"."forfeited" = $1
  order by "w"."id"
  limit $2;

-- selectWaitingCallsOfDays

-- SQLite
select "w"."id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail"
  from "waiting_earnings" as "w"
  where "w"."account_id" = ? and "w"."day" >= ? and "w"."day" < ? and "w"."reason" in (?, ?) and "w"."decision" is null
  order by "w"."day", "w"."id";

-- PostgreSQL
select "w"."id", "w"."day", "w"."reason", "w"."items", "w"."developer_micro", "w"."detail"
  from "waiting_earnings" as "w"
  where "w"."account_id" = $1 and "w"."day" >= $2 and "w"."day" < $3 and "w"."reason" in ($4, $5) and "w"."decision" is null
  order by "w"."day", "w"."id";

-- reduceWaiting

-- SQLite
update "waiting_earnings" set "items" = ?, "developer_micro" = ?
  where "id" = ? and "developer_micro" >= ? and "decision" is null;

-- PostgreSQL
update "waiting_earnings" set "items" = $1, "developer_micro" = $2
  where "id" = $3 and "developer_micro" >= $4 and "decision" is null;

-- stateWaiting

-- SQLite
update "waiting_earnings" set "statement" = ?, "stated_at" = ?
  where "id" = ? and "account_id" = ? and "decision" is null and ("statement" is null or "statement" != ?);

-- PostgreSQL
update "waiting_earnings" set "statement" = $1, "stated_at" = $2
  where "id" = $3 and "account_id" = $4 and "decision" is null and ("statement" is null or "statement" != $5);

-- eraseStatements

-- SQLite
update "waiting_earnings" set "statement" = ?
  where "account_id" = ? and "statement" is not null;

-- PostgreSQL
update "waiting_earnings" set "statement" = $1
  where "account_id" = $2 and "statement" is not null;

-- decideWaiting

-- SQLite
update "waiting_earnings" set "decision" = ?, "resolution" = ?, "decided_by" = ?, "decided_at" = ?
  where "id" = ? and "decision" is null;

-- PostgreSQL
update "waiting_earnings" set "decision" = $1, "resolution" = $2, "decided_by" = $3, "decided_at" = $4
  where "id" = $5 and "decision" is null;

-- sumWaitingCalls

-- SQLite
select "w"."account_id", "w"."reason", sum(w.developer_micro) as "developer_micro", sum(CASE WHEN w.day < ? THEN w.developer_micro ELSE 0 END) as "due_micro"
  from "waiting_earnings" as "w"
  inner join "call_settlements" as "s" on "s"."account_id" = "w"."account_id"
  where "w"."account_id" in (?) and "w"."decision" is null and "w"."reason" in (?, ?) and "w"."day" < "s"."confirmed_to"
  group by "w"."account_id", "w"."reason";

-- PostgreSQL
select "w"."account_id", "w"."reason", sum(w.developer_micro) as "developer_micro", sum(CASE WHEN w.day < $1 THEN w.developer_micro ELSE 0 END) as "due_micro"
  from "waiting_earnings" as "w"
  inner join "call_settlements" as "s" on "s"."account_id" = "w"."account_id"
  where "w"."account_id" in ($2) and "w"."decision" is null and "w"."reason" in ($3, $4) and "w"."day" < "s"."confirmed_to"
  group by "w"."account_id", "w"."reason";

-- sumWaitingClicks

-- SQLite
select "c"."account_id", sum(c.developer_micro) as "developer_micro", sum(CASE WHEN c.at < ? THEN c.developer_micro ELSE 0 END) as "due_micro"
  from "clicks" as "c"
  where "c"."account_id" in (?) and "c"."waiting_id" is not null and "c"."status" = ?
  group by "c"."account_id";

-- PostgreSQL
select "c"."account_id", sum(c.developer_micro) as "developer_micro", sum(CASE WHEN c.at < $1 THEN c.developer_micro ELSE 0 END) as "due_micro"
  from "clicks" as "c"
  where "c"."account_id" in ($2) and "c"."waiting_id" is not null and "c"."status" = $3
  group by "c"."account_id";

-- selectClickOrders

-- SQLite
select "offer_id", "status", "waiting_id", "developer_micro", "network_order", "described"
  from "clicks"
  where "account_id" = ? and "at" >= ? and "at" < ?
  order by "at", "offer_id";

-- PostgreSQL
select "offer_id", "status", "waiting_id", "developer_micro", "network_order", "described"
  from "clicks"
  where "account_id" = $1 and "at" >= $2 and "at" < $3
  order by "at", "offer_id";

-- markWaiting

-- SQLite
update "clicks" set "waiting_id" = ?
  where "offer_id" in (?) and "status" = ?;

-- PostgreSQL
update "clicks" set "waiting_id" = $1
  where "offer_id" in ($2) and "status" = $3;

-- unmarkWaiting

-- SQLite
update "clicks" set "waiting_id" = ?
  where "waiting_id" = ?;

-- PostgreSQL
update "clicks" set "waiting_id" = $1
  where "waiting_id" = $2;

-- selectWaitingClicks

-- SQLite
select "offer_id", "developer_micro"
  from "clicks"
  where "waiting_id" = ? and "status" = ?
  order by "offer_id";

-- PostgreSQL
select "offer_id", "developer_micro"
  from "clicks"
  where "waiting_id" = $1 and "status" = $2
  order by "offer_id";

-- putAllowance

-- SQLite
insert into "waiting_allowances" ("account_id", "reason", "daily_micro", "note", "set_by", "set_at")
  values (?, ?, ?, ?, ?, ?)
  on conflict ("account_id", "reason") do update set "daily_micro" = ?, "note" = ?, "set_by" = ?, "set_at" = ?;

-- PostgreSQL
insert into "waiting_allowances" ("account_id", "reason", "daily_micro", "note", "set_by", "set_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("account_id", "reason") do update set "daily_micro" = $7, "note" = $8, "set_by" = $9, "set_at" = $10;

-- selectAllowances

-- SQLite
select "account_id", "reason", "daily_micro", "note", "set_by", "set_at"
  from "waiting_allowances"
  where "account_id" in (?)
  order by "account_id", "reason";

-- PostgreSQL
select "account_id", "reason", "daily_micro", "note", "set_by", "set_at"
  from "waiting_allowances"
  where "account_id" in ($1)
  order by "account_id", "reason";
