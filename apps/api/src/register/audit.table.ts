import { timeOrderedId } from "../ids/time-ordered-id.ts";
import type { Db } from "../store/schema.ts";

type OperatorAction = {
  /** Null for a CLI command. */
  actorAccountId: string | null;
  /** As `noun.verb`: `campaign.pause`. */
  action: string;
  /** The id of the object of the action. */
  subject: string;
  /** What changed, without personal data or secrets. */
  detail: Readonly<Record<string, unknown>>;
  nowMs: number;
};

/** Must be in the same write as the action itself, so that neither happens without the other. */
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

export function selectActions(db: Db, page: { beforeId: string | undefined; limit: number }) {
  const newest = db.selectFrom("audit_log").select(["id", "at", "actor_account_id", "action", "subject", "detail"]);
  const older = page.beforeId === undefined ? newest : newest.where("id", "<", page.beforeId);
  return older.orderBy("id", "desc").limit(page.limit);
}
