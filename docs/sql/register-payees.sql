-- Made by "npm run sql" from apps/api/src/register/payees.table.ts; do not edit.

-- selectPayee

-- SQLite
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "updated_at", "usable_from"
  from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
select "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "updated_at", "usable_from"
  from "payee_profiles"
  where "account_id" = $1;

-- upsertPayee

-- SQLite
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at", "bank_country", "usable_from", "marked_at")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict ("account_id") do update set "legal_name" = ?, "address" = ?, "country" = ?, "tax_id" = ?, "method" = ?, "account" = ?, "bank_code" = ?, "updated_at" = ?, "bank_country" = ?, "usable_from" = ?, "marked_at" = ?;

-- PostgreSQL
insert into "payee_profiles" ("account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at", "bank_country", "usable_from", "marked_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict ("account_id") do update set "legal_name" = $13, "address" = $14, "country" = $15, "tax_id" = $16, "method" = $17, "account" = $18, "bank_code" = $19, "updated_at" = $20, "bank_country" = $21, "usable_from" = $22, "marked_at" = $23;

-- deletePayeeProfile

-- SQLite
delete from "payee_profiles"
  where "account_id" = ?;

-- PostgreSQL
delete from "payee_profiles"
  where "account_id" = $1;

-- selectPayees

-- SQLite
select "account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "usable_from"
  from "payee_profiles"
  where "account_id" in (?);

-- PostgreSQL
select "account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "usable_from"
  from "payee_profiles"
  where "account_id" in ($1);

-- selectSharedMark

-- SQLite
select "m"."kind"
  from "payee_marks" as "m"
  inner join "payee_marks" as "o" on "o"."kind" = "m"."kind" and "o"."mark" = "m"."mark"
  where "m"."account_id" = ? and "o"."account_id" = ?
  limit ?;

-- PostgreSQL
select "m"."kind"
  from "payee_marks" as "m"
  inner join "payee_marks" as "o" on "o"."kind" = "m"."kind" and "o"."mark" = "m"."mark"
  where "m"."account_id" = $1 and "o"."account_id" = $2
  limit $3;

-- selectUnmarkedPayees

-- SQLite
select "p"."account_id", "p"."country", "p"."tax_id", "p"."method", "p"."account", "p"."bank_code", "p"."bank_country", "p"."updated_at"
  from "payee_profiles" as "p"
  where "p"."account_id" > ? and "p"."marked_at" != "p"."updated_at"
  order by "p"."account_id"
  limit ?;

-- PostgreSQL
select "p"."account_id", "p"."country", "p"."tax_id", "p"."method", "p"."account", "p"."bank_code", "p"."bank_country", "p"."updated_at"
  from "payee_profiles" as "p"
  where "p"."account_id" > $1 and "p"."marked_at" != "p"."updated_at"
  order by "p"."account_id"
  limit $2;

-- selectOldMarks

-- SQLite
select "account_id"
  from "payee_profiles"
  where "marked_at" = ?
  limit ?;

-- PostgreSQL
select "account_id"
  from "payee_profiles"
  where "marked_at" = $1
  limit $2;

-- noteMarked

-- SQLite
update "payee_profiles" set "bank_country" = ?, "marked_at" = ?
  where "account_id" = ? and "updated_at" = ?;

-- PostgreSQL
update "payee_profiles" set "bank_country" = $1, "marked_at" = $2
  where "account_id" = $3 and "updated_at" = $4;

-- selectOwnMarks

-- SQLite
select "kind", "mark", "entered_at"
  from "payee_marks"
  where "account_id" = ?;

-- PostgreSQL
select "kind", "mark", "entered_at"
  from "payee_marks"
  where "account_id" = $1;

-- selectMarksOfOthers

-- SQLite
select distinct "mark"
  from "payee_marks"
  where "kind" = ? and "mark" in (?) and "account_id" != ?;

-- PostgreSQL
select distinct "mark"
  from "payee_marks"
  where "kind" = $1 and "mark" in ($2) and "account_id" != $3;

-- insertMarks

-- SQLite
insert into "payee_marks" ("account_id", "kind", "mark", "entered_at")
  values (?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "payee_marks" ("account_id", "kind", "mark", "entered_at")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- deleteMarksExcept

-- SQLite
delete from "payee_marks"
  where "account_id" = ? and "mark" not in (?);

-- PostgreSQL
delete from "payee_marks"
  where "account_id" = $1 and "mark" not in ($2);

-- deleteUnpaidMarks

-- SQLite
delete from "payee_marks"
  where "account_id" = ? and not exists (select "o"."id"
  from "payouts" as "o"
  where "o"."account_id" = "payee_marks"."account_id" and "o"."status" = ?);

-- PostgreSQL
delete from "payee_marks"
  where "account_id" = $1 and not exists (select "o"."id"
  from "payouts" as "o"
  where "o"."account_id" = "payee_marks"."account_id" and "o"."status" = $2);

-- deleteMarksErasedBefore

-- SQLite
delete from "payee_marks"
  where "account_id" in (select "account_id"
  from "account_closures"
  where "erased_at" <= ?);

-- PostgreSQL
delete from "payee_marks"
  where "account_id" in (select "account_id"
  from "account_closures"
  where "erased_at" <= $1);

-- deleteUnlinksErasedBefore

-- SQLite
delete from "payee_unlinks"
  where "from_account_id" in (select "account_id"
  from "account_closures"
  where "erased_at" <= ?);

-- PostgreSQL
delete from "payee_unlinks"
  where "from_account_id" in (select "account_id"
  from "account_closures"
  where "erased_at" <= $1);

-- selectEarlierSharers

-- SQLite
select distinct "later"."account_id", "earlier"."account_id" as "earlier_id"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = ?)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and "later"."account_id" in (?);

-- PostgreSQL
select distinct "later"."account_id", "earlier"."account_id" as "earlier_id"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = $1)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and "later"."account_id" in ($2);

-- selectLinkKinds

-- SQLite
select distinct "later"."account_id" as "later_id", "earlier"."account_id" as "earlier_id", "later"."kind"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = ?)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and ("later"."account_id" = ? or "earlier"."account_id" = ?)
  order by "later"."account_id", "earlier"."account_id"
  limit ?;

-- PostgreSQL
select distinct "later"."account_id" as "later_id", "earlier"."account_id" as "earlier_id", "later"."kind"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = $1)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and ("later"."account_id" = $2 or "earlier"."account_id" = $3)
  order by "later"."account_id", "earlier"."account_id"
  limit $4;

-- selectLaterSharers

-- SQLite
select distinct "later"."account_id"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = ?)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and "earlier"."account_id" = ?
  order by "later"."account_id"
  limit ?;

-- PostgreSQL
select distinct "later"."account_id"
  from "payee_marks" as "later"
  inner join "payee_marks" as "earlier" on "earlier"."kind" = "later"."kind" and "earlier"."mark" = "later"."mark"
  where "earlier"."account_id" != "later"."account_id" and ("earlier"."entered_at" < "later"."entered_at" or ("earlier"."entered_at" = "later"."entered_at" and "earlier"."account_id" < "later"."account_id") or exists (select "p"."account_id"
  from "payee_unlinks" as "p"
  where "p"."account_id" = "earlier"."account_id" and "p"."from_account_id" = "later"."account_id" and "p"."proven" = $1)) and not exists (select "u"."account_id"
  from "payee_unlinks" as "u"
  where "u"."account_id" = "later"."account_id" and "u"."from_account_id" = "earlier"."account_id") and "earlier"."account_id" = $2
  order by "later"."account_id"
  limit $3;

-- insertUnlink

-- SQLite
insert into "payee_unlinks" ("account_id", "from_account_id", "unlinked_at", "proven")
  values (?, ?, ?, ?)
  on conflict do nothing;

-- PostgreSQL
insert into "payee_unlinks" ("account_id", "from_account_id", "unlinked_at", "proven")
  values ($1, $2, $3, $4)
  on conflict do nothing;

-- deleteUnlink

-- SQLite
delete from "payee_unlinks"
  where "account_id" = ? and "from_account_id" = ?;

-- PostgreSQL
delete from "payee_unlinks"
  where "account_id" = $1 and "from_account_id" = $2;

-- selectUnlinks

-- SQLite
select "from_account_id", "unlinked_at", "proven"
  from "payee_unlinks"
  where "account_id" = ?
  order by "unlinked_at" desc, "from_account_id"
  limit ?;

-- PostgreSQL
select "from_account_id", "unlinked_at", "proven"
  from "payee_unlinks"
  where "account_id" = $1
  order by "unlinked_at" desc, "from_account_id"
  limit $2;

-- deleteUnlinksOf

-- SQLite
delete from "payee_unlinks"
  where "account_id" = ?;

-- PostgreSQL
delete from "payee_unlinks"
  where "account_id" = $1;

-- deleteUnmarkedUnlinksFrom

-- SQLite
delete from "payee_unlinks"
  where "from_account_id" = ? and not exists (select "m"."mark"
  from "payee_marks" as "m"
  where "m"."account_id" = "payee_unlinks"."from_account_id");

-- PostgreSQL
delete from "payee_unlinks"
  where "from_account_id" = $1 and not exists (select "m"."mark"
  from "payee_marks" as "m"
  where "m"."account_id" = "payee_unlinks"."from_account_id");

-- selectChangedPayees

-- SQLite
select "p"."account_id", "a"."email", "p"."updated_at", "p"."usable_from"
  from "payee_profiles" as "p"
  inner join "accounts" as "a" on "a"."id" = "p"."account_id"
  where "p"."usable_from" > ? and "p"."updated_at" >= ?
  order by "p"."updated_at" desc, "p"."account_id"
  limit ?;

-- PostgreSQL
select "p"."account_id", "a"."email", "p"."updated_at", "p"."usable_from"
  from "payee_profiles" as "p"
  inner join "accounts" as "a" on "a"."id" = "p"."account_id"
  where "p"."usable_from" > $1 and "p"."updated_at" >= $2
  order by "p"."updated_at" desc, "p"."account_id"
  limit $3;
