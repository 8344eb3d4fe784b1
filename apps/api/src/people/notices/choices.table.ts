import type { NoticeChoiceRow } from "../../store/schema-webhooks.ts";
import type { Db } from "../../store/schema.ts";

export function selectChoices(db: Db, accountIds: readonly string[]) {
  return db.selectFrom("notice_choices").select(["account_id", "topic", "wanted"]).where("account_id", "in", accountIds);
}

export function putChoice(db: Db, row: NoticeChoiceRow) {
  return db
    .insertInto("notice_choices")
    .values(row)
    .onConflict((conflict) => conflict.columns(["account_id", "topic"]).doUpdateSet({ wanted: row.wanted, changed_at: row.changed_at }));
}

export function deleteChoices(db: Db, accountId: string) {
  return db.deleteFrom("notice_choices").where("account_id", "=", accountId);
}
