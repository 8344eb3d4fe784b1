import { sql } from "kysely";
import type { Db, KeyRow } from "../../store/schema.ts";

/** Test keys have the Starter tier's windows. */
export function selectCallerByHash(db: Db, keyHash: string) {
  return db
    .selectFrom("api_keys as k")
    .innerJoin("accounts as a", "a.id", "k.account_id")
    .innerJoin("tiers as t", (join) =>
      join.on((eb) =>
        eb(
          "t.name",
          "=",
          eb.case().when("k.mode", "=", "test").then("Starter").else(eb.ref("a.tier")).end(),
        ),
      ),
    )
    .leftJoin("calibrations as c", (join) => join.onRef("c.account_id", "=", "a.id").onRef("c.version", "=", "a.calibration_version"))
    .select([
      "k.id as key_id",
      "k.account_id",
      "k.mode",
      "k.expires_at",
      "k.revoked_at",
      "a.status",
      "a.house_ads",
      "a.model_version as pinned_model",
      "a.created_at as account_created_at",
      "c.version as calibration_version",
      "c.model_version as calibration_model",
      "c.shift as calibration_shift",
      "c.slope as calibration_slope",
      "t.per_hour",
      "t.per_minute",
      "t.share_bps",
    ])
    .where("k.key_hash", "=", keyHash);
}

export function insertKey(db: Db, row: KeyRow) {
  return db.insertInto("api_keys").values(row);
}

const listedColumns = [
  "id",
  "mode",
  "name",
  "last_four",
  "created_at",
  "last_used_at",
  "expires_at",
  "revoked_at",
  "replaced_by",
  "seen_in_browser_at",
  "key_hash",
] as const;

type OfAccount = { accountId: string; nowMs: number };

/** Working keys: neither revoked nor expired. */
function selectWorking(db: Db, { accountId, nowMs }: OfAccount) {
  return db
    .selectFrom("api_keys")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", nowMs)]));
}

/** The newest first. */
export function selectWorkingKeys(db: Db, page: OfAccount & { limit: number }) {
  return selectWorking(db, page).select(listedColumns).orderBy("created_at", "desc").orderBy("id", "desc").limit(page.limit);
}

/** Revoked and expired ones, the newest first. */
export function selectOtherKeys(db: Db, { accountId, nowMs, limit }: OfAccount & { limit: number }) {
  return db
    .selectFrom("api_keys")
    .select(listedColumns)
    .where("account_id", "=", accountId)
    .where((eb) => eb.or([eb("revoked_at", "is not", null), eb("expires_at", "<=", nowMs)]))
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
}

/** Those that are not revoked come first, then the newest. */
export function selectKeysNamed(db: Db, filter: { accountId: string; name: string; limit: number }) {
  return db
    .selectFrom("api_keys")
    .select(["id", "revoked_at"])
    .where("account_id", "=", filter.accountId)
    .where("name", "=", filter.name)
    .orderBy((eb) => eb.case().when("revoked_at", "is", null).then(0).else(1).end())
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(filter.limit);
}

export function selectKeyLabels(db: Db, filter: { accountId: string; keyIds: readonly string[] }) {
  return db.selectFrom("api_keys").select(["id", "mode", "name", "last_four"]).where("account_id", "=", filter.accountId).where("id", "in", filter.keyIds);
}

/** No row for a key of another account. */
export function selectKeyOfAccount(db: Db, key: { accountId: string; keyId: string }) {
  return db.selectFrom("api_keys").select(listedColumns).where("account_id", "=", key.accountId).where("id", "=", key.keyId);
}

export function countWorkingKeys(db: Db, filter: OfAccount) {
  return selectWorking(db, filter).select((eb) => eb.fn.countAll<number>().as("count"));
}

/** `first_at`: when the first of them was made; null if there is none. */
export function countKeysMade(db: Db, filter: { accountId: string; fromMs: number }) {
  return db
    .selectFrom("api_keys")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min<number | null>("created_at").as("first_at")])
    .where("account_id", "=", filter.accountId)
    .where("created_at", ">", filter.fromMs);
}

/** Changes no row that has the name already. */
export function renameKey(db: Db, change: { accountId: string; keyId: string; name: string }) {
  return db
    .updateTable("api_keys")
    .set({ name: change.name })
    .where("account_id", "=", change.accountId)
    .where("id", "=", change.keyId)
    .where("name", "!=", change.name);
}

/** Only a working key that was not replaced before: of two concurrent rotations, one changes a row. */
export function replaceKey(db: Db, change: { accountId: string; keyId: string; replacedBy: string; untilMs: number; nowMs: number }) {
  return db
    .updateTable("api_keys")
    .set({
      replaced_by: change.replacedBy,
      // An earlier expiry stays.
      expires_at: sql<number>`case when expires_at < ${change.untilMs} then expires_at else cast(${change.untilMs} as bigint) end`,
    })
    .where("account_id", "=", change.accountId)
    .where("id", "=", change.keyId)
    .where("replaced_by", "is", null)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", change.nowMs)]));
}

/** Copies account, name and mode of the replaced key. No row unless `replaceKey` has changed the old one. */
export function insertReplacement(
  db: Db,
  key: { id: string; oldKeyId: string; keyHash: string; lastFour: string; nowMs: number },
) {
  return db
    .insertInto("api_keys")
    .columns(["id", "account_id", "mode", "name", "key_hash", "last_four", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("api_keys as k")
        .select([
          sql<string>`cast(${key.id} as text)`.as("id"),
          "k.account_id",
          "k.mode",
          "k.name",
          sql<string>`cast(${key.keyHash} as text)`.as("key_hash"),
          sql<string>`cast(${key.lastFour} as text)`.as("last_four"),
          sql<number>`cast(${key.nowMs} as bigint)`.as("created_at"),
        ])
        .where("k.id", "=", key.oldKeyId)
        .where("k.replaced_by", "=", key.id),
    );
}

/** Never moves the time back, whichever node writes last. */
export function noteBrowserUse(db: Db, use: { keyId: string; atMs: number }) {
  return db
    .updateTable("api_keys")
    .set({ seen_in_browser_at: use.atMs })
    .where("id", "=", use.keyId)
    .where((eb) => eb.or([eb("seen_in_browser_at", "is", null), eb("seen_in_browser_at", "<", use.atMs)]));
}

export function selectKeyById(db: Db, keyId: string) {
  return db.selectFrom("api_keys").select(["id", "account_id", "key_hash", "mode", "last_four", "revoked_at"]).where("id", "=", keyId);
}

/** Keys that stop working in a span, unless their owner has already replaced or revoked them. */
export function selectExpiringKeys(db: Db, page: { fromMs: number; toMs: number; afterId: string; limit: number }) {
  return db
    .selectFrom("api_keys")
    .select(["id", "account_id", "mode", "last_four", "expires_at"])
    .where("expires_at", ">", page.fromMs)
    .where("expires_at", "<=", page.toMs)
    .where("revoked_at", "is", null)
    .where("replaced_by", "is", null)
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit)
    .$narrowType<{ expires_at: number }>();
}

export function revokeKeyById(db: Db, change: { keyId: string; nowMs: number }) {
  return db
    .updateTable("api_keys")
    .set({ revoked_at: change.nowMs })
    .where("id", "=", change.keyId)
    .where("revoked_at", "is", null);
}

/** Never moves the time back, whichever node writes last. */
export function touchKey(db: Db, use: { keyId: string; atMs: number }) {
  return db
    .updateTable("api_keys")
    .set({ last_used_at: use.atMs })
    .where("id", "=", use.keyId)
    .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", use.atMs)]));
}

/**
 * Two statements that must be in the same write as the change. The epoch's row lock puts the numbers in commit order,
 * so that a node that polls by number misses no change.
 */
export function announceChange(db: Db, change: { subject: string; nowMs: number }) {
  return [
    db
      .updateTable("key_epoch")
      .set((eb) => ({ value: eb("value", "+", 1) }))
      .where("id", "=", 1),
    db.insertInto("key_changes").columns(["seq", "subject", "at"]).expression(
      db.selectFrom("key_epoch").select([
        "value",
        sql<string>`cast(${change.subject} as text)`.as("subject"),
        sql<number>`cast(${change.nowMs} as bigint)`.as("at"),
      ]),
    ),
  ];
}

export function selectEpoch(db: Db) {
  return db.selectFrom("key_epoch").select("value").where("id", "=", 1);
}

export function selectChangesAfter(db: Db, page: { seq: number; limit: number }) {
  return db
    .selectFrom("key_changes")
    .select(["seq", "subject"])
    .where("seq", ">", page.seq)
    .orderBy("seq")
    .limit(page.limit);
}

export function deleteChangesBefore(db: Db, atMs: number) {
  return db.deleteFrom("key_changes").where("at", "<", atMs);
}

/** Working live keys that came with a browser's Origin. */
export function selectKeysSeenInBrowser(db: Db, filter: { accountId: string; nowMs: number }) {
  return db
    .selectFrom("api_keys")
    .select(["id", "name", "seen_in_browser_at"])
    .where("account_id", "=", filter.accountId)
    .where("mode", "=", "live")
    .where("seen_in_browser_at", "is not", null)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", filter.nowMs)]))
    .orderBy("id");
}

export function revokeKeysOfAccount(db: Db, change: { accountId: string; nowMs: number }) {
  return db.updateTable("api_keys").set({ revoked_at: change.nowMs }).where("account_id", "=", change.accountId).where("revoked_at", "is", null);
}

/** Names of keys may contain personal data. */
export function eraseKeyNames(db: Db, accountId: string) {
  return db.updateTable("api_keys").set({ name: "" }).where("account_id", "=", accountId);
}
