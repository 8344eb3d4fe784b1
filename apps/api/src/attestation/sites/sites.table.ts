import { sql } from "kysely";
import { locksRows } from "../../store/locks-rows.ts";
import type { SiteDayRow, SiteRow } from "../../store/schema-attestation.ts";
import type { Db } from "../../store/schema.ts";

const shownColumns = ["id", "account_id", "name", "origins", "created_at", "last_seen_at"] as const;

export type ShownSite = Pick<SiteRow, (typeof shownColumns)[number]>;

type Named = { siteId: string; accountId: string };

export function insertSite(db: Db, row: SiteRow) {
  return db.insertInto("sites").values(row);
}

/** The newest first, without deleted ones. There are few: see the contract's `sitesMax`. */
export function selectSitesOfAccount(db: Db, accountId: string) {
  return db
    .selectFrom("sites")
    .select(shownColumns)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc");
}

/** Everybody's, page by page, without deleted ones. */
export function selectAllSites(db: Db, page: { afterId: string; limit: number }) {
  return db.selectFrom("sites").select(shownColumns).where("deleted_at", "is", null).where("id", ">", page.afterId).orderBy("id").limit(page.limit);
}

/** No row for a deleted site. */
export function selectSite(db: Db, siteId: string) {
  return db.selectFrom("sites").select(shownColumns).where("id", "=", siteId).where("deleted_at", "is", null);
}

export function countSites(db: Db, accountId: string) {
  return db
    .selectFrom("sites")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null);
}

/** Changes no row if the site is deleted or another account's. */
export function changeSite(db: Db, { siteId, accountId, name, origins, nowMs }: Named & { name?: string | undefined; origins?: string | undefined; nowMs: number }) {
  return db
    .updateTable("sites")
    .set({ changed_at: nowMs, ...(name !== undefined && { name }), ...(origins !== undefined && { origins }) })
    .where("id", "=", siteId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null);
}

/** The row stays for a while, so that every node reads that it is deleted. */
export function markSiteDeleted(db: Db, { siteId, accountId, nowMs }: Named & { nowMs: number }) {
  return db
    .updateTable("sites")
    .set({ changed_at: nowMs, deleted_at: nowMs })
    .where("id", "=", siteId)
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null);
}

/** Of a closed account. Its sites end, and ones that it deleted before lose their names and origins too. */
export function eraseSites(db: Db, { accountId, nowMs }: { accountId: string; nowMs: number }) {
  return db
    .updateTable("sites")
    .set((eb) => ({ name: "", origins: "[]", changed_at: nowMs, deleted_at: eb.fn.coalesce("deleted_at", sql<number>`cast(${nowMs} as bigint)`) }))
    .where("account_id", "=", accountId);
}

/** What a node must learn, deleted sites included, in order of time. */
export function selectChangedSites(db: Db, { sinceMs, limit }: { sinceMs: number; limit?: number | undefined }) {
  return db
    .selectFrom("sites")
    .select(["id", "account_id", "origins", "changed_at", "deleted_at"])
    .where("changed_at", ">=", sinceMs)
    .orderBy("changed_at")
    .orderBy("id")
    .$if(limit !== undefined, (query) => query.limit(limit!));
}

/** Never moves a time back, whichever node writes last. Locked in the order of ids, so that no two nodes wait for each other. */
export function markSitesSeen(db: Db, seen: { siteIds: readonly string[]; atMs: number }) {
  return db
    .updateTable("sites")
    .set({ last_seen_at: seen.atMs })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("sites as s")
        .select("s.id")
        .where("s.id", "in", seen.siteIds)
        .where((either) => either.or([either("s.last_seen_at", "is", null), either("s.last_seen_at", "<", seen.atMs)]))
        .orderBy("s.id")
        .$if(locksRows(db), (query) => query.forUpdate()),
    );
}

/** Adds to the counts of other nodes and earlier flushes. The rows must have distinct keys and be sorted by them, the lock order. */
export function addToSiteDays(db: Db, rows: readonly SiteDayRow[]) {
  return db
    .insertInto("site_days")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["site_id", "day"]).doUpdateSet({
        sessions: sql`site_days.sessions + excluded.sessions`,
        calls: sql`site_days.calls + excluded.calls`,
        attested_calls: sql`site_days.attested_calls + excluded.attested_calls`,
      }),
    );
}

/** By site, from a day on. A site without counts has no row. */
export function sumSiteDays(db: Db, { accountId, fromDay }: { accountId: string; fromDay: number }) {
  return db
    .selectFrom("sites as s")
    .innerJoin("site_days as d", "d.site_id", "s.id")
    .select(["d.site_id", sql<number>`sum(d.sessions)`.as("sessions"), sql<number>`sum(d.calls)`.as("calls"), sql<number>`sum(d.attested_calls)`.as("attested_calls")])
    .where("s.account_id", "=", accountId)
    .where("s.deleted_at", "is", null)
    .where("d.day", ">=", fromDay)
    .groupBy("d.site_id");
}

/** Walks the sites, so that each one's rows are found by index. */
export function deleteSiteDaysBefore(db: Db, old: { day: number; limit: number }) {
  return db.deleteFrom("site_days").where((eb) =>
    eb(
      eb.refTuple("site_id", "day"),
      "in",
      eb
        .selectFrom("site_days as d")
        .innerJoin("sites as s", "s.id", "d.site_id")
        .select(["d.site_id", "d.day"])
        .where("d.day", "<", old.day)
        .limit(old.limit)
        .$asTuple("site_id", "day"),
    ),
  );
}

/** To be done before the sites themselves are deleted. */
export function deleteDaysOfDeletedSites(db: Db, old: { deletedBeforeMs: number; limit: number }) {
  return db.deleteFrom("site_days").where((eb) =>
    eb(
      eb.refTuple("site_id", "day"),
      "in",
      eb
        .selectFrom("site_days as d")
        .innerJoin("sites as s", "s.id", "d.site_id")
        .select(["d.site_id", "d.day"])
        .where("s.deleted_at", "<", old.deletedBeforeMs)
        .limit(old.limit)
        .$asTuple("site_id", "day"),
    ),
  );
}

/** Those whose counts are deleted. */
export function deleteDeletedSites(db: Db, old: { deletedBeforeMs: number; limit: number }) {
  return db.deleteFrom("sites").where("id", "in", (eb) =>
    eb
      .selectFrom("sites as s")
      .select("s.id")
      .where("s.deleted_at", "<", old.deletedBeforeMs)
      .where((counted) => counted.not(counted.exists(counted.selectFrom("site_days as d").select("d.day").whereRef("d.site_id", "=", "s.id"))))
      .limit(old.limit),
  );
}
