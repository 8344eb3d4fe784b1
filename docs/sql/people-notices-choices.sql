-- Made by "npm run sql" from apps/api/src/people/notices/choices.table.ts; do not edit.

-- selectChoices

-- SQLite
select "account_id", "topic", "wanted"
  from "notice_choices"
  where "account_id" in (?);

-- PostgreSQL
select "account_id", "topic", "wanted"
  from "notice_choices"
  where "account_id" in ($1);

-- putChoice

-- SQLite
insert into "notice_choices" ("account_id", "topic", "wanted", "changed_at")
  values (?, ?, ?, ?)
  on conflict ("account_id", "topic") do update set "wanted" = ?, "changed_at" = ?;

-- PostgreSQL
insert into "notice_choices" ("account_id", "topic", "wanted", "changed_at")
  values ($1, $2, $3, $4)
  on conflict ("account_id", "topic") do update set "wanted" = $5, "changed_at" = $6;

-- deleteChoices

-- SQLite
delete from "notice_choices"
  where "account_id" = ?;

-- PostgreSQL
delete from "notice_choices"
  where "account_id" = $1;
