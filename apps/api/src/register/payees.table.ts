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
