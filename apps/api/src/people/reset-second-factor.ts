import { queueMail } from "../mail/queue-mail.ts";
import { noteAction } from "../register/audit.table.ts";
import type { Store } from "../store/store.ts";
import { secondFactorRemovedMail } from "./account-mails.ts";
import { endSessions } from "./end-sessions.ts";
import { deleteSecondFactor, selectSecondFactor } from "./second-factors.table.ts";

type Reset = { accountId: string; email: string; actorAccountId: string | null; nowMs: number };

/**
 * For someone who lost the device and the recovery codes, or whose factor cannot be read: the password alone signs in
 * again. Ends all sessions, and tells the account.
 */
export async function resetSecondFactor(store: Store, { accountId, email, actorAccountId, nowMs }: Reset): Promise<"removed" | "none"> {
  const { db } = store;
  if (!(await selectSecondFactor(db, accountId).executeTakeFirst())) return "none";
  await store.write([
    deleteSecondFactor(db, accountId),
    ...endSessions(db, { accountId, exceptId: undefined }),
    queueMail(db, secondFactorRemovedMail({ to: email, accountId }), nowMs),
    noteAction(db, { actorAccountId, action: "account.reset_second_factor", subject: accountId, detail: {}, nowMs }),
  ]);
  return "removed";
}
