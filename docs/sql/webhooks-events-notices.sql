-- Made by "npm run sql" from apps/api/src/webhooks/events/notices.table.ts; do not edit.

-- selectUnnoticed

-- SQLite
select "h"."audience"
  from "webhook_heads" as "h"
  where "h"."noticed_sequence" < "h"."sequence" and "h"."audience" > ? and ("h"."noticed_at" is null or "h"."noticed_at" <= ? or ("h"."noticed_at" <= ? and exists (select "e"."id"
  from "webhook_events" as "e"
  where "e"."audience" = "h"."audience" and "e"."sequence" > "h"."noticed_sequence" and "e"."type" in (?, ?))))
  order by "h"."audience"
  limit ?;

-- PostgreSQL
select "h"."audience"
  from "webhook_heads" as "h"
  where "h"."noticed_sequence" < "h"."sequence" and "h"."audience" > $1 and ("h"."noticed_at" is null or "h"."noticed_at" <= $2 or ("h"."noticed_at" <= $3 and exists (select "e"."id"
  from "webhook_events" as "e"
  where "e"."audience" = "h"."audience" and "e"."sequence" > "h"."noticed_sequence" and "e"."type" in ($4, $5))))
  order by "h"."audience"
  limit $6;

-- selectNoticeCursor

-- SQLite
select "sequence", "noticed_sequence", "noticed_at"
  from "webhook_heads"
  where "audience" = ?;

-- PostgreSQL
select "sequence", "noticed_sequence", "noticed_at"
  from "webhook_heads"
  where "audience" = $1;

-- lockNoticeCursor

-- SQLite
select "sequence", "noticed_sequence", "noticed_at"
  from "webhook_heads"
  where "audience" = ?;

-- PostgreSQL
select "sequence", "noticed_sequence", "noticed_at"
  from "webhook_heads"
  where "audience" = $1 for update;

-- selectUnnoticedEvents

-- SQLite
select "sequence", "type", "data", "at"
  from "webhook_events"
  where "audience" = ? and "sequence" > ?
  order by "sequence"
  limit ?;

-- PostgreSQL
select "sequence", "type", "data", "at"
  from "webhook_events"
  where "audience" = $1 and "sequence" > $2
  order by "sequence"
  limit $3;

-- advanceNoticeCursor

-- SQLite
update "webhook_heads" set "noticed_sequence" = ?, "noticed_at" = ?
  where "audience" = ? and "noticed_sequence" < ?;

-- PostgreSQL
update "webhook_heads" set "noticed_sequence" = $1, "noticed_at" = $2
  where "audience" = $3 and "noticed_sequence" < $4;
