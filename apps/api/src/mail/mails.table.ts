import { locksRows } from "../store/locks-rows.ts";
import type { MailRow } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

export function insertMail(db: Db, row: MailRow) {
  return db.insertInto("mails").values(row);
}

/** Leases the mail that is due longest. The UPDATE repeats the conditions, so of two nodes that found the same mail one gets it. */
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
        // Skips rows that another node is claiming instead of waiting for them.
        .$if(locksRows(db), (query) => query.forUpdate().skipLocked()),
    )
    .where("state", "=", "queued")
    .where("leased_until", "<=", claim.nowMs)
    .returning(["id", "kind", "recipient", "subject", "body_text", "body_html", "unsubscribe_url", "attempts", "created_at"]);
}

/** Erases the personal content unless the local mailbox still shows it. */
export function markMailSent(db: Db, sent: { id: string; lease: string; nowMs: number; keepContent: boolean }) {
  return db
    .updateTable("mails")
    .set({
      state: "sent",
      lease: null,
      leased_until: 0,
      last_error: null,
      done_at: sent.nowMs,
      ...(!sent.keepContent && { recipient: "", subject: "", body_text: "", body_html: "", unsubscribe_url: null }),
    })
    .where("id", "=", sent.id)
    .where("lease", "=", sent.lease);
}

/** Schedules the next attempt at `nextMs`, or marks the mail as failed without one. */
export function markMailUnsent(db: Db, attempt: { id: string; lease: string; nowMs: number; nextMs: number | undefined; error: string }) {
  return db
    .updateTable("mails")
    .set({
      state: attempt.nextMs === undefined ? "failed" : "queued",
      next_at: attempt.nextMs ?? 0,
      lease: null,
      leased_until: 0,
      last_error: attempt.error,
      done_at: attempt.nextMs === undefined ? attempt.nowMs : null,
    })
    .where("id", "=", attempt.id)
    .where("lease", "=", attempt.lease);
}

export function selectNextDue(db: Db) {
  return db
    .selectFrom("mails")
    .select((eb) => eb.fn.min("next_at").as("next_at"))
    .where("state", "=", "queued");
}

/** For the local mailbox: mails that still have content, newest first. */
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

export function selectKnownMails(db: Db, ids: readonly string[]) {
  return db.selectFrom("mails").select("id").where("id", "in", ids);
}

/** For operators: without addresses and content. */
export function countMailsByState(db: Db) {
  return db
    .selectFrom("mails")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count"), (eb) => eb.fn.min("created_at").as("oldest_at")])
    .groupBy("state")
    .orderBy("state");
}

/** The newest failed mails and why they failed, without the recipient. */
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
