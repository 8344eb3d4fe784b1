import type { ExpressionBuilder } from "kysely";
import type { PayeeMarkRow, PayeeProfileRow } from "../store/schema-dashboard.ts";
import type { Db, Schema } from "../store/schema.ts";

export function selectPayee(db: Db, accountId: string) {
  return db
    .selectFrom("payee_profiles")
    .select(["legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "updated_at", "usable_from"])
    .where("account_id", "=", accountId);
}

export function upsertPayee(db: Db, row: PayeeProfileRow & { usable_from: number; marked_at: number }) {
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
    .select(["account_id", "legal_name", "address", "country", "tax_id", "method", "account", "bank_code", "bank_country", "usable_from"])
    .where("account_id", "in", accountIds);
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

/** Profiles that an earlier version entered or changed, which makes no marks or others. */
export function selectUnmarkedPayees(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("payee_profiles as p")
    .select(["p.account_id", "p.country", "p.tax_id", "p.method", "p.account", "p.bank_code", "p.bank_country", "p.updated_at"])
    .where("p.account_id", ">", page.afterId)
    .whereRef("p.marked_at", "!=", "p.updated_at")
    .orderBy("p.account_id")
    .limit(page.limit);
}

/** One row while marks of the version before the last upgrade are not made anew. */
export function selectOldMarks(db: Db) {
  return db.selectFrom("payee_profiles").select("account_id").where("marked_at", "=", -1).limit(1);
}

export function noteMarked(db: Db, profile: { accountId: string; bankCountry: string | null; updatedAtMs: number }) {
  return db
    .updateTable("payee_profiles")
    .set({ bank_country: profile.bankCountry, marked_at: profile.updatedAtMs })
    .where("account_id", "=", profile.accountId)
    .where("updated_at", "=", profile.updatedAtMs);
}

export function selectOwnMarks(db: Db, accountId: string) {
  return db.selectFrom("payee_marks").select(["kind", "mark", "entered_at"]).where("account_id", "=", accountId);
}

/** Which of these marks other accounts have for a bank account. */
export function selectMarksOfOthers(db: Db, { accountId, marks }: { accountId: string; marks: readonly string[] }) {
  return db.selectFrom("payee_marks").select("mark").distinct().where("kind", "=", "bank").where("mark", "in", marks).where("account_id", "!=", accountId);
}

/** A mark that the account has keeps the time when it was first entered. */
export function insertMarks(db: Db, marks: readonly PayeeMarkRow[]) {
  return db.insertInto("payee_marks").values(marks).onConflict((conflict) => conflict.doNothing());
}

export function deleteMarksExcept(db: Db, { accountId, kept }: { accountId: string; kept: readonly string[] }) {
  return db
    .deleteFrom("payee_marks")
    .where("account_id", "=", accountId)
    .where("mark", "not in", kept);
}

/** Those of an account that was paid stay: whoever names its bank account next is linked to it. */
export function deleteUnpaidMarks(db: Db, accountId: string) {
  return db
    .deleteFrom("payee_marks")
    .where("account_id", "=", accountId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("payouts as o").select("o.id").whereRef("o.account_id", "=", "payee_marks.account_id").where("o.status", "=", "paid"))));
}

const erasedBefore = (db: Db, atMs: number) => db.selectFrom("account_closures").select("account_id").where("erased_at", "<=", atMs);

/** The marks of paid accounts are kept for a time after their erasure, and so is what operators decided about them. */
export function deleteMarksErasedBefore(db: Db, atMs: number) {
  return db.deleteFrom("payee_marks").where("account_id", "in", erasedBefore(db, atMs));
}

export function deleteUnlinksErasedBefore(db: Db, atMs: number) {
  return db.deleteFrom("payee_unlinks").where("from_account_id", "in", erasedBefore(db, atMs));
}

/**
 * Two accounts that share a mark: `later` is linked to `earlier` unless an operator ended that. Of equal times the smaller
 * id is the earlier; and whoever proved to an operator that what both named is its own is earlier than the other.
 */
function selectLinks(db: Db) {
  type Marks = ExpressionBuilder<Schema & { later: PayeeMarkRow; earlier: PayeeMarkRow }, "later" | "earlier">;
  const isLater = (eb: Marks) =>
    eb.or([
      eb("earlier.entered_at", "<", eb.ref("later.entered_at")),
      eb.and([eb("earlier.entered_at", "=", eb.ref("later.entered_at")), eb("earlier.account_id", "<", eb.ref("later.account_id"))]),
      eb.exists(
        eb
          .selectFrom("payee_unlinks as p")
          .select("p.account_id")
          .whereRef("p.account_id", "=", "earlier.account_id")
          .whereRef("p.from_account_id", "=", "later.account_id")
          .where("p.proven", "=", 1),
      ),
    ]);
  return db
    .selectFrom("payee_marks as later")
    .innerJoin("payee_marks as earlier", (join) => join.onRef("earlier.kind", "=", "later.kind").onRef("earlier.mark", "=", "later.mark"))
    .whereRef("earlier.account_id", "!=", "later.account_id")
    .where((eb) => isLater(eb as Marks))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("payee_unlinks as u")
            .select("u.account_id")
            .whereRef("u.account_id", "=", "later.account_id")
            .whereRef("u.from_account_id", "=", "earlier.account_id"),
        ),
      ),
    );
}

/** The accounts that each of these is linked to: they named its bank account or tax id before it did. */
export function selectEarlierSharers(db: Db, accountIds: readonly string[]) {
  return selectLinks(db).where("later.account_id", "in", accountIds).select(["later.account_id", "earlier.account_id as earlier_id"]).distinct();
}

/** Both directions, with what they share. */
export function selectLinkKinds(db: Db, page: { accountId: string; limit: number }) {
  return selectLinks(db)
    .where((eb) => eb.or([eb("later.account_id", "=", page.accountId), eb("earlier.account_id", "=", page.accountId)]))
    .select(["later.account_id as later_id", "earlier.account_id as earlier_id", "later.kind"])
    .distinct()
    .orderBy("later.account_id")
    .orderBy("earlier.account_id")
    .limit(page.limit);
}

/** The accounts that are linked to an account. It does not depend on them in any way. */
export function selectLaterSharers(db: Db, page: { accountId: string; limit: number }) {
  return selectLinks(db).where("earlier.account_id", "=", page.accountId).select("later.account_id").distinct().orderBy("later.account_id").limit(page.limit);
}

export function insertUnlink(db: Db, unlink: { accountId: string; fromAccountId: string; proven: boolean; nowMs: number }) {
  return db
    .insertInto("payee_unlinks")
    .values({ account_id: unlink.accountId, from_account_id: unlink.fromAccountId, unlinked_at: unlink.nowMs, proven: Number(unlink.proven) })
    .onConflict((conflict) => conflict.doNothing());
}

export function deleteUnlink(db: Db, link: { accountId: string; fromAccountId: string }) {
  return db.deleteFrom("payee_unlinks").where("account_id", "=", link.accountId).where("from_account_id", "=", link.fromAccountId);
}

/** What operators decided about an account's links, newest first. */
export function selectUnlinks(db: Db, page: { accountId: string; limit: number }) {
  return db
    .selectFrom("payee_unlinks")
    .select(["from_account_id", "unlinked_at", "proven"])
    .where("account_id", "=", page.accountId)
    .orderBy("unlinked_at", "desc")
    .orderBy("from_account_id")
    .limit(page.limit);
}

/** An operator judged the bank account and tax id of that time. */
export function deleteUnlinksOf(db: Db, accountId: string) {
  return db.deleteFrom("payee_unlinks").where("account_id", "=", accountId);
}

/** Of an account that leaves no mark nobody is linked to it. */
export function deleteUnmarkedUnlinksFrom(db: Db, accountId: string) {
  return db
    .deleteFrom("payee_unlinks")
    .where("from_account_id", "=", accountId)
    .where((eb) => eb.not(eb.exists(eb.selectFrom("payee_marks as m").select("m.mark").whereRef("m.account_id", "=", "payee_unlinks.from_account_id"))));
}

/** Profiles whose bank account, method or tax id was changed, newest first. A first entry is not a change. */
export function selectChangedPayees(db: Db, page: { sinceMs: number; limit: number }) {
  return db
    .selectFrom("payee_profiles as p")
    .innerJoin("accounts as a", "a.id", "p.account_id")
    .select(["p.account_id", "a.email", "p.updated_at", "p.usable_from"])
    .where("p.usable_from", ">", 0)
    .where("p.updated_at", ">=", page.sinceMs)
    .orderBy("p.updated_at", "desc")
    .orderBy("p.account_id")
    .limit(page.limit);
}
