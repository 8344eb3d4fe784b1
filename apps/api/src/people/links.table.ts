import type { AccountLinkRow, LinkKind } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

export function insertLink(db: Db, row: AccountLinkRow) {
  return db.insertInto("account_links").values(row);
}

export function selectLink(db: Db, link: { tokenHash: string; kind: LinkKind; nowMs: number }) {
  return db
    .selectFrom("account_links")
    .select(["account_id", "email", "used_at"])
    .where("token_hash", "=", link.tokenHash)
    .where("kind", "=", link.kind)
    .where("expires_at", ">", link.nowMs);
}

/** Marks the link as used. Of two concurrent requests one changes the row. */
export function useLink(db: Db, link: { tokenHash: string; kind: LinkKind; nowMs: number }) {
  return db
    .updateTable("account_links")
    .set({ used_at: link.nowMs })
    .where("token_hash", "=", link.tokenHash)
    .where("kind", "=", link.kind)
    .where("expires_at", ">", link.nowMs)
    .where("used_at", "is", null);
}

export function deleteLinksOfAccount(db: Db, links: { accountId: string; kinds: readonly LinkKind[] }) {
  return db.deleteFrom("account_links").where("account_id", "=", links.accountId).where("kind", "in", links.kinds);
}

export function deleteLinksExpiredBefore(db: Db, old: { atMs: number; limit: number }) {
  return db.deleteFrom("account_links").where("token_hash", "in", (eb) => eb.selectFrom("account_links").select("token_hash").where("expires_at", "<", old.atMs).limit(old.limit));
}
