import { locksRows } from "../store/locks-rows.ts";
import type { Db } from "../store/schema.ts";
import type { MailRow } from "../store/schema-accounts.ts";

export function insertMail(db: Db, row: MailRow) {
  return db.insertInto("mails").values(row);
}

/**
 * Takes the mail that has waited longest for its turn, unless another node holds it. The guards stand in the UPDATE
 * itself, so of two nodes that found the same mail one takes it.
 */
export function claimMail(db: Db, claim: { lease: string; nowMs: number; untilMs: number }) {
  return db
    .updateTable("mails")
    .set((eb) => ({ lease: claim.lease, leased_until: claim.untilMs, attempts: eb("attempts", "+", 1) }))
    .where("id", "=", (eb) =>
      eb
        .selectFrom("mails as due")
        .select("due.id")
        .where("due.state", "=", "queued")
        .where("due.next_at", "<=", claim.nowMs)
        .where("due.leased_until", "<=", claim.nowMs)
        .orderBy("due.next_at")
        .orderBy("due.id")
        .limit(1)
        // What another node is taking this moment is passed over, not waited for.
        .$if(locksRows(db), (query) => query.forUpdate().skipLocked()),
    )
    .where("state", "=", "queued")
    .where("leased_until", "<=", claim.nowMs)
    .returning(["id", "kind", "recipient", "subject", "body_text", "body_html", "attempts", "created_at"]);
}

/** `keepContent`: the local mailbox still shows it. Otherwise nothing personal remains of it. */
export function markMailSent(db: Db, done: { id: string; lease: string; nowMs: number; keepContent: boolean }) {
  return db
    .updateTable("mails")
    .set({
      state: "sent",
      lease: null,
      leased_until: 0,
      last_error: null,
      done_at: done.nowMs,
      ...(!done.keepContent && { recipient: "", subject: "", body_text: "", body_html: "" }),
    })
    .where("id", "=", done.id)
    .where("lease", "=", done.lease);
}

/** Not sent: tried again at `nextMs`, or given up when there is no next time. */
export function markMailUnsent(db: Db, miss: { id: string; lease: string; nowMs: number; nextMs: number | undefined; error: string }) {
  return db
    .updateTable("mails")
    .set({
      state: miss.nextMs === undefined ? "failed" : "queued",
      next_at: miss.nextMs ?? 0,
      lease: null,
      leased_until: 0,
      last_error: miss.error,
      done_at: miss.nextMs === undefined ? miss.nowMs : null,
    })
    .where("id", "=", miss.id)
    .where("lease", "=", miss.lease);
}

/** The soonest moment at which a mail wants to be sent. */
export function selectNextDue(db: Db) {
  return db
    .selectFrom("mails")
    .select((eb) => eb.fn.min("next_at").as("next_at"))
    .where("state", "=", "queued");
}

/** For the local mailbox: newest first. */
export function selectNewestMails(db: Db, limit: number) {
  return db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "subject", "state", "created_at"])
    .where("body_text", "!=", "")
    .orderBy("id", "desc")
    .limit(limit);
}

export function selectMail(db: Db, id: string) {
  return db
    .selectFrom("mails")
    .select(["id", "kind", "recipient", "subject", "body_text", "body_html", "state", "created_at"])
    .where("id", "=", id)
    .where("body_text", "!=", "");
}

export function selectMailIdsOfAccount(db: Db, accountId: string) {
  return db.selectFrom("mails").select("id").where("account_id", "=", accountId);
}

/** Those of the mails that are still there. */
export function selectKnownMails(db: Db, ids: readonly string[]) {
  return db.selectFrom("mails").select("id").where("id", "in", ids);
}

/** How the outbox stands, for operators: no address and no content. */
export function countMailsByState(db: Db) {
  return db
    .selectFrom("mails")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count"), (eb) => eb.fn.min("created_at").as("oldest_at")])
    .groupBy("state")
    .orderBy("state");
}

/** The newest mails that were given up, and why; the recipient is left out. */
export function selectFailedMails(db: Db, limit: number) {
  return db
    .selectFrom("mails")
    .select(["id", "kind", "account_id", "attempts", "last_error", "created_at", "done_at"])
    .where("state", "=", "failed")
    .orderBy("done_at", "desc")
    .limit(limit);
}

export function deleteMailsDoneBefore(db: Db, old: { atMs: number; limit: number }) {
  return db.deleteFrom("mails").where("id", "in", (eb) => eb.selectFrom("mails").select("id").where("done_at", "<", old.atMs).limit(old.limit));
}

export function deleteMailsOfAccount(db: Db, accountId: string) {
  return db.deleteFrom("mails").where("account_id", "=", accountId);
}
