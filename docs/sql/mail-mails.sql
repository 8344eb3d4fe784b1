-- Made by "npm run sql" from apps/api/src/mail/mails.table.ts; do not edit.

-- insertMail

-- SQLite
insert into "mails" ("id", "account_id", "kind", "recipient", "subject", "body_text", "body_html", "unsubscribe_url", "state", "attempts", "next_at", "lease", "leased_until", "last_error", "created_at", "done_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "mails" ("id", "account_id", "kind", "recipient", "subject", "body_text", "body_html", "unsubscribe_url", "state", "attempts", "next_at", "lease", "leased_until", "last_error", "created_at", "done_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- claimMail

-- SQLite
update "mails" set "lease" = ?, "leased_until" = ?, "attempts" = "attempts" + ?
  where "id" = (select "due"."id"
  from "mails" as "due"
  where "due"."state" = ? and "due"."next_at" <= ? and "due"."leased_until" <= ?
  order by "due"."next_at", "due"."id"
  limit ?) and "state" = ? and "leased_until" <= ?
  returning "id", "kind", "recipient", "subject", "body_text", "body_html", "unsubscribe_url", "attempts", "created_at";

-- PostgreSQL
update "mails" set "lease" = $1, "leased_until" = $2, "attempts" = "attempts" + $3
  where "id" = (select "due"."id"
  from "mails" as "due"
  where "due"."state" = $4 and "due"."next_at" <= $5 and "due"."leased_until" <= $6
  order by "due"."next_at", "due"."id"
  limit $7 for update skip locked) and "state" = $8 and "leased_until" <= $9
  returning "id", "kind", "recipient", "subject", "body_text", "body_html", "unsubscribe_url", "attempts", "created_at";

-- markMailSent

-- SQLite
update "mails" set "state" = ?, "lease" = ?, "leased_until" = ?, "last_error" = ?, "done_at" = ?, "recipient" = ?, "subject" = ?, "body_text" = ?, "body_html" = ?, "unsubscribe_url" = ?
  where "id" = ? and "lease" = ?;

-- PostgreSQL
update "mails" set "state" = $1, "lease" = $2, "leased_until" = $3, "last_error" = $4, "done_at" = $5, "recipient" = $6, "subject" = $7, "body_text" = $8, "body_html" = $9, "unsubscribe_url" = $10
  where "id" = $11 and "lease" = $12;

-- markMailUnsent

-- SQLite
update "mails" set "state" = ?, "next_at" = ?, "lease" = ?, "leased_until" = ?, "last_error" = ?, "done_at" = ?
  where "id" = ? and "lease" = ?;

-- PostgreSQL
update "mails" set "state" = $1, "next_at" = $2, "lease" = $3, "leased_until" = $4, "last_error" = $5, "done_at" = $6
  where "id" = $7 and "lease" = $8;

-- selectNextDue

-- SQLite
select min("next_at") as "next_at"
  from "mails"
  where "state" = ?;

-- PostgreSQL
select min("next_at") as "next_at"
  from "mails"
  where "state" = $1;

-- selectNewestMails

-- SQLite
select "id", "kind", "recipient", "subject", "state", "created_at"
  from "mails"
  where "body_text" != ?
  order by "id" desc
  limit ?;

-- PostgreSQL
select "id", "kind", "recipient", "subject", "state", "created_at"
  from "mails"
  where "body_text" != $1
  order by "id" desc
  limit $2;

-- selectMail

-- SQLite
select "id", "kind", "recipient", "subject", "body_text", "body_html", "state", "created_at"
  from "mails"
  where "id" = ? and "body_text" != ?;

-- PostgreSQL
select "id", "kind", "recipient", "subject", "body_text", "body_html", "state", "created_at"
  from "mails"
  where "id" = $1 and "body_text" != $2;

-- selectMailIdsOfAccount

-- SQLite
select "id"
  from "mails"
  where "account_id" = ?;

-- PostgreSQL
select "id"
  from "mails"
  where "account_id" = $1;

-- selectKnownMails

-- SQLite
select "id"
  from "mails"
  where "id" in (?);

-- PostgreSQL
select "id"
  from "mails"
  where "id" in ($1);

-- countMailsByState

-- SQLite
select "state", count(*) as "count", min("created_at") as "oldest_at"
  from "mails"
  group by "state"
  order by "state";

-- PostgreSQL
select "state", count(*) as "count", min("created_at") as "oldest_at"
  from "mails"
  group by "state"
  order by "state";

-- selectFailedMails

-- SQLite
select "id", "kind", "account_id", "attempts", "last_error", "created_at", "done_at"
  from "mails"
  where "state" = ?
  order by "done_at" desc
  limit ?;

-- PostgreSQL
select "id", "kind", "account_id", "attempts", "last_error", "created_at", "done_at"
  from "mails"
  where "state" = $1
  order by "done_at" desc
  limit $2;

-- deleteMailsDoneBefore

-- SQLite
delete from "mails"
  where "id" in (select "id"
  from "mails"
  where "done_at" < ?
  limit ?);

-- PostgreSQL
delete from "mails"
  where "id" in (select "id"
  from "mails"
  where "done_at" < $1
  limit $2);

-- deleteMailsOfAccount

-- SQLite
delete from "mails"
  where "account_id" = ?;

-- PostgreSQL
delete from "mails"
  where "account_id" = $1;
