import { type Insertable, sql } from "kysely";
import { locksRows } from "../../store/locks-rows.ts";
import type { ClickTable } from "../../store/schema-ads.ts";
import type { Db } from "../../store/schema.ts";

export function insertClicks(db: Db, rows: readonly Insertable<ClickTable>[]) {
  return db.insertInto("clicks").values(rows);
}

/** Which of these are paid: a click that is not has no row. */
export function selectPaidClicks(db: Db, offerIds: readonly string[]) {
  return db.selectFrom("clicks").select("offer_id").where("offer_id", "in", offerIds);
}

export function setClickOrigin(db: Db, origin: { offerId: string; order: number; described: 0 | 1 }) {
  return db.updateTable("clicks").set({ network_order: origin.order, described: origin.described }).where("offer_id", "=", origin.offerId);
}

/** The time of the oldest click that may still be reversed. */
export function selectOldestPending(db: Db) {
  return db.selectFrom("clicks").select((eb) => eb.fn.min("at").as("at")).where("status", "=", "pending");
}

/** Accounts with pending clicks up to `untilMs`, by id. */
export function selectAccountsOfDueClicks(db: Db, page: { untilMs: number; afterId: string; limit: number }) {
  return db
    .selectFrom("clicks")
    .select("account_id")
    .distinct()
    .where("status", "=", "pending")
    .where("waiting_id", "is", null)
    .where("at", "<=", page.untilMs)
    .where("account_id", ">", page.afterId)
    .orderBy("account_id")
    .limit(page.limit);
}

/** Confirms the oldest pending clicks up to `untilMs`, except those that wait for a decision, those of accounts with an open finding or hold, and of those named. */
export function confirmClicks(db: Db, due: { untilMs: number; nowMs: number; limit: number; exceptOf: readonly string[] }) {
  return db
    .updateTable("clicks")
    .set({ status: "confirmed", settled_at: due.nowMs })
    .where("status", "=", "pending")
    .where("offer_id", "in", (eb) =>
      eb
        .selectFrom("clicks as c")
        .select("c.offer_id")
        .where("c.status", "=", "pending")
        .where("c.waiting_id", "is", null)
        .where("c.at", "<=", due.untilMs)
        .$if(due.exceptOf.length > 0, (query) => query.where("c.account_id", "not in", due.exceptOf))
        .where((held) =>
          held.not(
            held.exists(
              held
                .selectFrom("findings as f")
                .select(sql<number>`1`.as("one"))
                .whereRef("f.account_id", "=", "c.account_id")
                .where("f.closed_at", "is", null),
            ),
          ),
        )
        .where((held) =>
          held.not(
            held.exists(
              held
                .selectFrom("money_holds as h")
                .select(sql<number>`1`.as("one"))
                .whereRef("h.account_id", "=", "c.account_id")
                .where("h.lifted_at", "is", null),
            ),
          ),
        )
        .orderBy("c.at")
        .limit(due.limit),
    );
}

/** The accounts of the clicks, read before anything is locked: they never change. */
export function selectAccountsOfClicks(db: Db, offerIds: readonly string[]) {
  return db.selectFrom("clicks").select(["offer_id", "account_id"]).where("offer_id", "in", offerIds);
}

/** In the order of their ids, the lock order of all transactions. */
export function lockClicks(db: Db, offerIds: readonly string[]) {
  return db
    .selectFrom("clicks")
    .select([
      "offer_id",
      "account_id",
      "campaign_id",
      "creative_id",
      "placement",
      "category",
      "trust_band",
      "at",
      "price_micro",
      "developer_micro",
      "share_bps",
      "status",
    ])
    .where("offer_id", "in", offerIds)
    .orderBy("offer_id")
    .$if(locksRows(db), (query) => query.forUpdate());
}

export function markReversed(db: Db, change: { offerId: string; reversalSeq: number; reason: string; nowMs: number }) {
  return db
    .updateTable("clicks")
    .set({ status: "reversed", settled_at: change.nowMs, reversal_seq: change.reversalSeq, reason: change.reason })
    .where("offer_id", "=", change.offerId)
    .where("status", "=", "pending");
}

/** The times of an account's latest clicks in a span, newest first. */
export function selectClickTimes(db: Db, span: { accountId: string; fromMs: number; toMs: number; limit: number }) {
  return db
    .selectFrom("clicks")
    .select("at")
    .where("account_id", "=", span.accountId)
    .where("at", ">=", span.fromMs)
    .where("at", "<", span.toMs)
    .orderBy("at", "desc")
    .limit(span.limit);
}

/** An account's clicks that can still be reversed, newest first. */
export function selectPendingClicks(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("clicks")
    .select(["offer_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro"])
    .where("account_id", "=", page.accountId)
    .where("status", "=", "pending")
    .orderBy("at", "desc")
    .limit(page.limit);
}
