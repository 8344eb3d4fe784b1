import type { SignInChallengeRow, SignInRow } from "../store/schema-accounts.ts";
import type { Db } from "../store/schema.ts";

/** Two-factor is on when there is a verified second factor; there is no flag that could disagree. */
export function selectSignInAccount(db: Db, by: { column: "id" | "email"; value: string }) {
  return db
    .selectFrom("accounts as a")
    .select((eb) => [
      "a.id",
      "a.email",
      "a.password_hash",
      "a.status",
      "a.verified_at",
      "a.operator",
      "a.created_at",
      "a.sign_in_epoch",
      eb
        .selectFrom("second_factors as f")
        .select((factors) => factors.fn.countAll<number>().as("count"))
        .whereRef("f.account_id", "=", "a.id")
        .where("f.verified", "=", 1)
        .as("second_factors"),
    ])
    .where(by.column === "id" ? "a.id" : "a.email", "=", by.value);
}

export function insertSignIn(db: Db, row: SignInRow) {
  return db.insertInto("sign_ins").values(row);
}

/** The session with its account. */
export function selectSignInByToken(db: Db, signIn: { stored: readonly string[]; nowMs: number }) {
  return db
    .selectFrom("sign_ins as s")
    .innerJoin("accounts as a", "a.id", "s.account_id")
    .select(["s.id", "s.token", "s.account_id", "s.updated_at", "s.expires_at", "a.email", "a.operator", "a.verified_at", "a.status", "a.sign_in_epoch"])
    .where("s.token", "in", signIn.stored)
    .where("s.expires_at", ">", signIn.nowMs);
}

export function renewSignIn(db: Db, signIn: { id: string; nowMs: number; expiresMs: number }) {
  return db.updateTable("sign_ins").set({ updated_at: signIn.nowMs, expires_at: signIn.expiresMs }).where("id", "=", signIn.id).where("updated_at", "<", signIn.nowMs);
}

/**
 * Of requests with the same token one changes the row. With the same token before and after it is a guard that changes
 * nothing: it counts a row if the session still has that token, and keeps it so until the write is over.
 */
export function replaceToken(db: Db, signIn: { id: string; before: string; after: string; nowMs: number }) {
  return db
    .updateTable("sign_ins")
    .set({ token: signIn.after })
    .where("id", "=", signIn.id)
    .where("token", "=", signIn.before)
    .where("expires_at", ">", signIn.nowMs);
}

/** The password and the second factor were given again, in this session. */
export function stepUpSignIn(db: Db, signIn: { id: string; nowMs: number }) {
  return db.updateTable("sign_ins").set({ stepped_up_at: signIn.nowMs, step_up_used_at: signIn.nowMs }).where("id", "=", signIn.id).where("expires_at", ">", signIn.nowMs);
}

/** Changes a row if the session has this token, was stepped up, and last used so, within these bounds. Times that are to come do not count. */
export function useStepUp(db: Db, signIn: { id: string; token: string; nowMs: number; steppedUpAfterMs: number; usedAfterMs: number; untilMs: number }) {
  return db
    .updateTable("sign_ins")
    .set({ step_up_used_at: signIn.nowMs })
    .where("id", "=", signIn.id)
    .where("token", "=", signIn.token)
    .where("stepped_up_at", ">", signIn.steppedUpAfterMs)
    .where("stepped_up_at", "<=", signIn.untilMs)
    .where("step_up_used_at", ">", signIn.usedAfterMs)
    .where("step_up_used_at", "<=", signIn.untilMs);
}

/** What proved who somebody is has changed: every session has to prove it again. */
export function forgetStepUps(db: Db, accountId: string) {
  return db.updateTable("sign_ins").set({ stepped_up_at: null, step_up_used_at: null }).where("account_id", "=", accountId).where("stepped_up_at", "is not", null);
}

export function deleteSignInsByToken(db: Db, stored: readonly string[]) {
  return db.deleteFrom("sign_ins").where("token", "in", stored);
}

/** Those whose token version 0.1 stored as it is. */
export function selectOldSignIns(db: Db, page: { storedPrefix: string; afterId: string; limit: number }) {
  return db
    .selectFrom("sign_ins")
    .select(["id", "token"])
    .where("token", "not like", `${page.storedPrefix}%`)
    .where("id", ">", page.afterId)
    .orderBy("id")
    .limit(page.limit);
}

/** Changes the row only if it is still as it was read. */
export function replaceOldToken(db: Db, signIn: { id: string; before: string; after: string }) {
  return db.updateTable("sign_ins").set({ token: signIn.after }).where("id", "=", signIn.id).where("token", "=", signIn.before);
}

export function selectSignIns(db: Db, page: { accountId: string; nowMs: number; limit: number }) {
  return db
    .selectFrom("sign_ins")
    .select(["id", "ip_address", "user_agent", "created_at", "updated_at", "expires_at"])
    .where("account_id", "=", page.accountId)
    .where("expires_at", ">", page.nowMs)
    .orderBy("updated_at", "desc")
    .limit(page.limit);
}

export function deleteSignIn(db: Db, signIn: { accountId: string; id: string }) {
  return db.deleteFrom("sign_ins").where("account_id", "=", signIn.accountId).where("id", "=", signIn.id);
}

export function deleteSignIns(db: Db, { accountId, exceptId }: { accountId: string; exceptId: string | undefined }) {
  const all = db.deleteFrom("sign_ins").where("account_id", "=", accountId);
  return exceptId === undefined ? all : all.where("id", "!=", exceptId);
}

export function insertChallenge(db: Db, row: SignInChallengeRow) {
  return db.insertInto("sign_in_challenges").values(row);
}

export function selectChallenge(db: Db, challenge: { tokenHash: string; nowMs: number }) {
  return db
    .selectFrom("sign_in_challenges as c")
    .innerJoin("accounts as a", "a.id", "c.value")
    .select(["c.id", "c.value as account_id", "c.remember", "a.sign_in_epoch"])
    .where("c.identifier", "=", challenge.tokenHash)
    .where("c.expires_at", ">", challenge.nowMs);
}

/** Counts a code before it is checked, so concurrent guesses gain nothing. No row: the challenge has had its codes. */
export function countChallengeTry(db: Db, challenge: { id: string; triesMax: number }) {
  return db
    .updateTable("sign_in_challenges")
    .set((eb) => ({ failures: eb("failures", "+", 1) }))
    .where("id", "=", challenge.id)
    .where("failures", "<", challenge.triesMax);
}

/** Of two concurrent requests one deletes the row. */
export function deleteChallenge(db: Db, id: string) {
  return db.deleteFrom("sign_in_challenges").where("id", "=", id);
}

/** Sign-ins that wait for the second factor. */
export function deleteChallengesOfAccount(db: Db, accountId: string) {
  return db.deleteFrom("sign_in_challenges").where("value", "=", accountId);
}

export function deleteSignInsExpiredBefore(db: Db, old: { atMs: number; limit: number }) {
  return db.deleteFrom("sign_ins").where("id", "in", (eb) => eb.selectFrom("sign_ins").select("id").where("expires_at", "<", old.atMs).limit(old.limit));
}

export function deleteChallengesExpiredBefore(db: Db, old: { atMs: number; limit: number }) {
  return db.deleteFrom("sign_in_challenges").where("id", "in", (eb) => eb.selectFrom("sign_in_challenges").select("id").where("expires_at", "<", old.atMs).limit(old.limit));
}
