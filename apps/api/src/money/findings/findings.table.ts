import { sql } from "kysely";
import type { FindingRow } from "../../store/schema-integrity.ts";
import type { Db } from "../../store/schema.ts";

/** An account has at most one open finding per code: a second insert changes nothing. */
export function openFinding(db: Db, finding: FindingRow) {
  return db.insertInto("findings").values(finding).onConflict((conflict) => conflict.doNothing());
}

export function closeFinding(db: Db, change: { findingId: string; resolution: string; nowMs: number }) {
  return db
    .updateTable("findings")
    .set({ closed_at: change.nowMs, resolution: change.resolution })
    .where("id", "=", change.findingId)
    .where("closed_at", "is", null);
}

/** Open findings first, then newest first. */
export function selectFindings(db: Db, page: { accountId: string | undefined; limit: number }) {
  return db
    .selectFrom("findings")
    .select(["id", "account_id", "code", "detail", "opened_at", "closed_at", "resolution"])
    .$if(page.accountId !== undefined, (query) => query.where("account_id", "=", page.accountId!))
    .orderBy(sql`closed_at IS NOT NULL`)
    .orderBy("opened_at", "desc")
    .limit(page.limit);
}

/** Findings that were open at a time, oldest first. */
export function selectFindingsOpenAt(db: Db, place: { accountId: string; atMs: number }) {
  return db
    .selectFrom("findings")
    .select(["detail", "opened_at"])
    .where("account_id", "=", place.accountId)
    .where("opened_at", "<", place.atMs)
    .where((eb) => eb.or([eb("closed_at", "is", null), eb("closed_at", ">=", place.atMs)]))
    .orderBy("opened_at")
    .orderBy("id");
}
