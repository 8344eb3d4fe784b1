import { sql } from "kysely";
import type { Db } from "../../store/schema.ts";
import type { ClickRow } from "../../store/schema-ads.ts";
import { locksRows } from "../../store/locks-rows.ts";

export function insertClicks(db: Db, rows: readonly ClickRow[]) {
  return db.insertInto("clicks").values(rows);
}

/** Confirms the oldest pending clicks from before `untilMs`, but for accounts with an open finding. */
export function confirmClicks(db: Db, order: { untilMs: number; nowMs: number; limit: number }) {
  return db
    .updateTable("clicks")
    .set({ status: "confirmed", settled_at: order.nowMs })
    .where("status", "=", "pending")
    .where("offer_id", "in", (eb) =>
      eb
        .selectFrom("clicks as c")
        .select("c.offer_id")
        .where("c.status", "=", "pending")
        .where("c.at", "<=", order.untilMs)
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
        .orderBy("c.at")
        .limit(order.limit),
    );
}

/** The accounts behind some clicks, read before anything is locked: they never change. */
export function selectAccountsOfClicks(db: Db, offerIds: readonly string[]) {
  return db.selectFrom("clicks").select(["offer_id", "account_id"]).where("offer_id", "in", offerIds);
}

/** In the order of their ids, which is everybody's order. */
export function lockClicks(db: Db, offerIds: readonly string[]) {
  return db
    .selectFrom("clicks")
    .select([
      "offer_id",
      "account_id",
      "campaign_id",
      "creative_id",
      "placement",
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

/** When an account's latest clicks of a span came, the newest first. */
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

/** Clicks of an account that still can be reversed, the newest first. */
export function selectPendingClicks(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("clicks")
    .select(["offer_id", "campaign_id", "creative_id", "placement", "trust_band", "at", "price_micro", "developer_micro"])
    .where("account_id", "=", page.accountId)
    .where("status", "=", "pending")
    .orderBy("at", "desc")
    .limit(page.limit);
}
