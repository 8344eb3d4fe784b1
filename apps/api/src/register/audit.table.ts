import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { Db } from "../store/schema.ts";

export type NotedAction = {
  /** Who did it; null for a CLI command that names nobody. */
  actorAccountId: string | null;
  /** As `noun.verb`: `campaign.pause`. */
  action: string;
  /** The id of the object of the action. */
  subject: string;
  /** The account concerned; by default the subject, if that is an account. */
  accountId?: string | null;
  /** What changed, without personal data or secrets. */
  detail: Readonly<Record<string, unknown>>;
  nowMs: number;
};

const accountPrefix = "acct_";

/**
 * Must be in the same write as the action itself, so that neither happens without the other, and be its last statement:
 * the database appends the row to the chain (store/audit-chain.ts), whose end every writer of a note waits for.
 */
export const noteAction = (db: Db, noted: NotedAction) => noteActions(db, [noted]);

/** The same for at least one. */
export function noteActions(db: Db, noted: readonly NotedAction[]) {
  const rows = noted.map(({ actorAccountId, action, subject, accountId, detail, nowMs }) => ({
    id: timeOrderedId("act", nowMs),
    at: nowMs,
    actor_account_id: actorAccountId,
    action,
    subject,
    account_id: accountId ?? (subject.startsWith(accountPrefix) ? subject : null),
    detail: JSON.stringify(detail),
  }));
  return db.insertInto("audit_log").values(rows);
}

export const actionColumns = ["id", "at", "actor_account_id", "action", "subject", "detail", "account_id", "seq", "prev_hash", "hash"] as const;

export type ActionFilter = {
  /** Null: the command line. */
  actorAccountId?: string | null | undefined;
  accountId?: string | undefined;
  /** With a dot at its end: all actions that begin so. */
  action?: string | undefined;
  fromMs?: number | undefined;
  toMs?: number | undefined;
};

/** Newest first. */
export function selectActions(db: Db, { actorAccountId, accountId, action, fromMs, toMs, beforeId, limit }: ActionFilter & { beforeId: string | undefined; limit: number }) {
  let query = db.selectFrom("audit_log").select(actionColumns);
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  if (actorAccountId === null) query = query.where("actor_account_id", "is", null);
  else if (actorAccountId !== undefined) query = query.where("actor_account_id", "=", actorAccountId);
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  if (action?.endsWith(".")) query = query.where((eb) => eb(eb.fn<string>("substr", ["action", eb.lit(1), eb.lit(action.length)]), "=", action));
  else if (action !== undefined) query = query.where("action", "=", action);
  if (fromMs !== undefined) query = query.where("at", ">=", fromMs);
  if (toMs !== undefined) query = query.where("at", "<", toMs);
  return query.orderBy("id", "desc").limit(limit);
}

export function selectChainEnd(db: Db) {
  return db
    .selectFrom("audit_head as h")
    .select((eb) => ["h.seq", "h.hash", eb.selectFrom("audit_log as l").select((count) => count.fn.countAll<number>().as("rows")).where("l.hash", "is", null).as("unchained")]);
}

/** The end of the chain, and what the table says about it at the same moment. */
export function selectAuditHead(db: Db) {
  return db
    .selectFrom("audit_head as h")
    .select((eb) => [
      "h.seq",
      "h.hash",
      eb.selectFrom("audit_log as l").select((count) => count.fn.countAll<number>().as("rows")).where("l.hash", "is not", null).as("chained"),
      eb.selectFrom("audit_log as l").select((count) => count.fn.countAll<number>().as("rows")).where("l.hash", "is", null).as("unchained"),
    ]);
}

/** In the order of the chain. */
export function selectChainedActions(db: Db, page: { afterSeq: number; limit: number }) {
  return db
    .selectFrom("audit_log")
    .select(actionColumns)
    .where("seq", ">", page.afterSeq)
    .orderBy("seq")
    .limit(page.limit)
    .$narrowType<{ seq: number; prev_hash: string; hash: string }>();
}
