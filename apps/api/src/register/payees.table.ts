import type { PayeeProfileRow } from "../store/schema-dashboard.ts";
import type { Db } from "../store/schema.ts";

export function selectPayee(db: Db, accountId: string) {
  return db
    .selectFrom("payee_profiles")
    .select(["legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "updated_at"])
    .where("account_id", "=", accountId);
}

export function upsertPayee(db: Db, row: PayeeProfileRow) {
  const { account_id: _accountId, ...rest } = row;
  return db
    .insertInto("payee_profiles")
    .values(row)
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(rest));
}

export function deletePayeeProfile(db: Db, accountId: string) {
  return db.deleteFrom("payee_profiles").where("account_id", "=", accountId);
}

/** With the time from which each may be paid to. */
export function selectPayees(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom("payee_profiles")
    .select(["account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "usable_from"])
    .where("account_id", "in", accountIds);
}

/** The accounts that each of these is linked to: they named the same bank account or tax number, and earlier. */
export function selectEarlierSharers(db: Db, accountIds: readonly string[]) {
  return db
    .selectFrom("payee_marks as m")
    .innerJoin("payee_marks as e", (join) => join.onRef("e.kind", "=", "m.kind").onRef("e.mark", "=", "m.mark").onRef("e.account_id", "<>", "m.account_id"))
    .select(["m.account_id", "e.account_id as earlier_id"])
    .distinct()
    .where("m.account_id", "in", accountIds)
    .where((eb) =>
      eb.or([
        eb("e.entered_at", "<", eb.ref("m.entered_at")),
        eb.and([eb("e.entered_at", "=", eb.ref("m.entered_at")), eb("e.account_id", "<", eb.ref("m.account_id"))]),
      ]),
    );
}

/** One row if both accounts named the same bank account or tax number, whoever came first. */
export function selectSharedMark(db: Db, pair: { accountId: string; otherId: string }) {
  return db
    .selectFrom("payee_marks as m")
    .innerJoin("payee_marks as o", (join) => join.onRef("o.kind", "=", "m.kind").onRef("o.mark", "=", "m.mark"))
    .select("m.kind")
    .where("m.account_id", "=", pair.accountId)
    .where("o.account_id", "=", pair.otherId)
    .limit(1);
}
