-- Made by "npm run sql" from apps/api/src/people/links.table.ts; do not edit.

-- insertLink

-- SQLite
insert into "account_links" ("token_hash", "kind", "account_id", "email", "browser_hash", "created_at", "expires_at", "used_at", "password_hash")
  values (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- PostgreSQL
insert into "account_links" ("token_hash", "kind", "account_id", "email", "browser_hash", "created_at", "expires_at", "used_at", "password_hash")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- selectLink

-- SQLite
select "account_id", "email", "used_at"
  from "account_links"
  where "token_hash" = ? and "kind" = ? and "expires_at" > ?;

-- PostgreSQL
select "account_id", "email", "used_at"
  from "account_links"
  where "token_hash" = $1 and "kind" = $2 and "expires_at" > $3;

-- useLink

-- SQLite
update "account_links" set "used_at" = ?
  where "token_hash" = ? and "kind" = ? and "expires_at" > ? and "used_at" is null;

-- PostgreSQL
update "account_links" set "used_at" = $1
  where "token_hash" = $2 and "kind" = $3 and "expires_at" > $4 and "used_at" is null;

-- deleteLinksOfAccount

-- SQLite
delete from "account_links"
  where "account_id" = ? and "kind" in (?);

-- PostgreSQL
delete from "account_links"
  where "account_id" = $1 and "kind" in ($2);

-- deleteLinksExpiredBefore

-- SQLite
delete from "account_links"
  where "token_hash" in (select "token_hash"
  from "account_links"
  where "expires_at" < ?
  limit ?);

-- PostgreSQL
delete from "account_links"
  where "token_hash" in (select "token_hash"
  from "account_links"
  where "expires_at" < $1
  limit $2);
