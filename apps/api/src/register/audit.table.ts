import type { Db } from "../store/schema.ts";
import { timeOrderedId } from "../ids/time-ordered-id.ts";

export type OperatorAction = {
  /** Null: a command on the machine itself. */
  actorAccountId: string | null;
  /** What was done, as `noun.verb`: `campaign.pause`. */
  action: string;
  /** The id of what it was done to. */
  subject: string;
  /** What changed. No personal data, no secret. */
  detail: Readonly<Record<string, unknown>>;
  nowMs: number;
};

/** Belongs into the same write as the action itself: neither happens without the other. */
export function noteAction(db: Db, { actorAccountId, action, subject, detail, nowMs }: OperatorAction) {
  return db.insertInto("audit_log").values({
    id: timeOrderedId("act", nowMs),
    at: nowMs,
    actor_account_id: actorAccountId,
    action,
    subject,
    detail: JSON.stringify(detail),
  });
}

/** The newest first. */
export function selectActions(db: Db, page: { beforeId: string | undefined; limit: number }) {
  const newest = db.selectFrom("audit_log").select(["id", "at", "actor_account_id", "action", "subject", "detail"]);
  const older = page.beforeId === undefined ? newest : newest.where("id", "<", page.beforeId);
  return older.orderBy("id", "desc").limit(page.limit);
}
