import type { Kysely } from "kysely";
import type { PayeeProfileRow } from "../store/schema-dashboard.ts";
import type { Schema } from "../store/schema.ts";

type Db = Kysely<Schema>;

export function selectOwnAccount(db: Db, accountId: string) {
  return db
    .selectFrom("accounts as a")
    .innerJoin("tiers as t", "t.name", "a.tier")
    .select([
      "a.id",
      "a.email",
      "a.tier",
      "a.status",
      "a.verified_at",
      "a.operator",
      "a.demo",
      "a.created_at",
      "a.house_ads",
      "a.session_retention_days",
      "t.per_hour",
      "t.per_minute",
    ])
    .where("a.id", "=", accountId);
}

export function setHouseAds(db: Db, change: { accountId: string; houseAds: boolean }) {
  return db.updateTable("accounts").set({ house_ads: Number(change.houseAds) }).where("id", "=", change.accountId);
}

export function setSessionRetention(db: Db, change: { accountId: string; days: number | null }) {
  return db.updateTable("accounts").set({ session_retention_days: change.days }).where("id", "=", change.accountId);
}

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

export function selectLatestSession(db: Db, accountId: string) {
  return db
    .selectFrom("session_records")
    .select(["id", "at", "mode", "service_score"])
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(1);
}

export function selectAnyOutcome(db: Db, accountId: string) {
  return db.selectFrom("session_outcomes").select("seq").where("account_id", "=", accountId).limit(1);
}

/** Live keys that work and have come from a browser. */
export function selectKeysSeenInBrowser(db: Db, wish: { accountId: string; nowMs: number }) {
  return db
    .selectFrom("api_keys")
    .select(["id", "name", "seen_in_browser_at"])
    .where("account_id", "=", wish.accountId)
    .where("mode", "=", "live")
    .where("seen_in_browser_at", "is not", null)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", wish.nowMs)]))
    .orderBy("id");
}

export function selectShorterRetentions(db: Db, page: { afterId: string; limit: number }) {
  return db
    .selectFrom("accounts")
    .select(["id", "session_retention_days"])
    .where("session_retention_days", "is not", null)
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

type OldSessions = { accountId: string; beforeId: string; limit: number };

export function deleteSessionsOfAccount(db: Db, old: OldSessions) {
  return db.deleteFrom("session_records").where("account_id", "=", old.accountId).where("id", "in", (eb) =>
    eb
      .selectFrom("session_records as r")
      .select("r.id")
      .where("r.account_id", "=", old.accountId)
      .where("r.id", "<", old.beforeId)
      .orderBy("r.id")
      .limit(old.limit),
  );
}

/** Of sessions whose records have gone: the database refuses to delete any other. */
export function deleteOutcomesOfAccount(db: Db, old: OldSessions) {
  return db
    .deleteFrom("session_outcomes")
    .where("account_id", "=", old.accountId)
    .where((eb) =>
      eb(
        eb.refTuple("session_id", "seq"),
        "in",
        eb
          .selectFrom("session_outcomes as o")
          .select(["o.session_id", "o.seq"])
          .where("o.account_id", "=", old.accountId)
          .where("o.session_id", "<", old.beforeId)
          .orderBy("o.session_id")
          .limit(old.limit)
          .$asTuple("session_id", "seq"),
      ),
    );
}
