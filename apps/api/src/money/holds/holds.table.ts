import { timeOrderedId } from "../../ids/time-ordered-id.ts";
import type { MoneyHoldRow } from "../../store/schema-payouts.ts";
import type { Db } from "../../store/schema.ts";

type HoldKind = MoneyHoldRow["kind"];

/** An account has at most one open hold of a kind: a second one changes nothing. `openedBy` is null for the command line. */
export function openHold(db: Db, hold: { accountId: string; kind: HoldKind; reason: string; openedBy: string | null; nowMs: number }) {
  return db
    .insertInto("money_holds")
    .values({
      id: timeOrderedId("hold", hold.nowMs),
      account_id: hold.accountId,
      kind: hold.kind,
      reason: hold.reason,
      opened_by: hold.openedBy,
      opened_at: hold.nowMs,
      lifted_by: null,
      lifted_at: null,
      lift_reason: null,
    })
    .onConflict((conflict) => conflict.columns(["account_id", "kind"]).where("lifted_at", "is", null).doNothing());
}

export function liftHold(db: Db, lift: { accountId: string; kind: HoldKind; reason: string; liftedBy: string | null; nowMs: number }) {
  return db
    .updateTable("money_holds")
    .set({ lifted_at: lift.nowMs, lifted_by: lift.liftedBy, lift_reason: lift.reason })
    .where("account_id", "=", lift.accountId)
    .where("kind", "=", lift.kind)
    .where("lifted_at", "is", null);
}

/** Newest first, the lifted ones too. */
export function selectHolds(db: Db, page: { accountId: string; limit: number }) {
  return db.selectFrom("money_holds").selectAll().where("account_id", "=", page.accountId).orderBy("opened_at", "desc").orderBy("id", "desc").limit(page.limit);
}

export function selectOpenHolds(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("money_holds").selectAll().where("account_id", "in", accountIds).where("lifted_at", "is", null);
}

/** Holds that were open at a time, oldest first. */
export function selectHoldsOpenAt(db: Db, place: { accountId: string; atMs: number }) {
  return db
    .selectFrom("money_holds")
    .select(["reason", "opened_at"])
    .where("account_id", "=", place.accountId)
    .where("opened_at", "<", place.atMs)
    .where((eb) => eb.or([eb("lifted_at", "is", null), eb("lifted_at", ">=", place.atMs)]))
    .orderBy("opened_at")
    .orderBy("id");
}

/** In id order. */
export function selectAccountsOnHold(db: Db, page: { afterId: string; limit: number }) {
  return db.selectFrom("money_holds").select("account_id").distinct().where("lifted_at", "is", null).where("account_id", ">", page.afterId).orderBy("account_id").limit(page.limit);
}

export function selectAccountsWithFindings(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("findings").select("account_id").distinct().where("account_id", "in", accountIds).where("closed_at", "is", null);
}
